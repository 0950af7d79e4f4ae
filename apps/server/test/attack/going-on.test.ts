// @long: holds statements of many operations
import { appRouter, operationsOf, permissionsOf, type Operation } from '@coffer/api';
import { jobs, type Rule } from '@coffer/domain';
import { sampleOf, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anotherProcess, type AnotherProcess } from '../harness/another-process.ts';
import { AREAS, casesOf, type Area, type Case } from '../harness/going-on.ts';
import { nameOf as newName } from '../harness/certificates.ts';
import { ok } from '../harness/groups.ts';
import { HeldStatements } from '../harness/held-statement.ts';
import { rotatedPostgres, type RotatedPostgres } from '../harness/rotated-postgres.ts';
import type { Answer, Caller } from '../harness/test-server.ts';

// What goes on by itself takes a right without an end. Each job says here what it does: by which rights that was set up, or why
// nobody's right goes on in it. Each operation on what goes on is a case, or sets up nothing. A new one fails until it is listed.

/** Jobs, with the subjects of the rights by which what they do was set up. */
const SET_UP: Record<string, readonly string[]> = {
  'integration.sync': ['secret-syncs', 'integrations'],
  'integration.overdue': ['secret-syncs', 'integrations'],
  'secret_rotation.rotate': ['secret-rotation'],
  'secret_rotation.overdue': ['secret-rotation'],
  'secret_import.replicate': ['secret-imports'],
  'secret_import.overdue': ['secret-imports'],
  'secrets.changed': ['secret-imports', 'secret-syncs', 'integrations', 'webhooks'],
  'webhook.deliver': ['webhooks'],
  'webhook.collect': ['webhooks'],
  'webhook.orphaned': ['webhooks'],
  'pki.due_authority': ['certificate-authorities'],
  'pki.renew_authority': ['certificate-authorities'],
  'pki.due_certificate': ['certificates', 'certificate-profiles'],
  'pki.renew_certificate': ['certificates', 'certificate-profiles'],
  'pki.due_external_certificate': ['certificates', 'certificate-profiles'],
  'pki.renew_external_certificate': ['certificates', 'certificate-profiles'],
  'pki.due_subscriber': ['pki-subscribers'],
  'pki.renew_subscriber': ['pki-subscribers'],
  'pki.sync': ['pki-syncs'],
  'pki.overdue_syncs': ['pki-syncs'],
  'pki.due_ssh_host_certificate': ['ssh-hosts'],
  'pki.renew_ssh_host_certificate': ['ssh-hosts'],
  'pki_alert.deliver': ['pki-alerts'],
  'pki_alert.orphaned': ['pki-alerts'],
  'pki_alert.evaluate': ['pki-alerts'],
  'pki_alert.evaluate_all': ['pki-alerts'],
  'kms.rotate': ['cmek'],
  'kms.due_keys': ['cmek'],
};

/** Jobs in which nobody's right goes on, and why. */
const NOBODYS: Record<string, readonly string[]> = {
  'tells somebody of one event': [
    'mail.invitation',
    'mail.project_administrators',
    'mail.project_member',
    'mail.password_reset',
    'mail.sign_up',
    'mail.secret_approval',
    'mail.access_approval',
    'mail.app_connection_check',
    'mail.rotation_failed',
  ],
  'reminds members of a secret that they may see': ['mail.secret_reminder', 'secrets.reminders'],
  'asks whether stored credentials still work': ['app_connection.check', 'app_connection.overdue_checks'],
  'finishes one request': ['pki.certificate_order', 'pki.overdue_orders', 'acme.validate'],
  'ends what has ended': [
    'dynamic_secret.lease',
    'dynamic_secret.forgotten_leases',
    'ssh.ended_logins',
    'ssh.end_logins',
    'ssh.lost_certificates',
    'ssh.former_keys',
    'acme.cleanup',
    'revocation.reap_retired',
    'kms.destroy_deleted',
  ],
  'publishes what is revoked': [
    'revocation.rebuild_list',
    'revocation.due_lists',
    'ocsp.make_responder',
    'ocsp.due_responders',
  ],
};

/** Makers of permanent holders of power, which no job carries on. */
const HOLDERS = ['secret-approval'];

/** Actions that use what is there, and set up nothing. */
const USING =
  /^(read.*|delete|encrypt|decrypt|sign|verify|generate-mac|verify-mac|import|export-private-key|sync-.*|import-.*|remove-.*)$/;

/** Other operations that set up nothing: what they make lasts, and does nothing by itself. */
const ONCE = [
  'DELETE /api/v1/cert-manager/syncs/{pkiSyncId}/certificates',
  'PATCH /api/v1/cert-manager/ca/{member}/{id}',
  'POST /api/v1/cert-manager/ca/internal',
  'POST /api/v1/cert-manager/ca/internal/{caId}/csr',
  'POST /api/v1/cert-manager/ca/internal/{caId}/import-certificate',
  'POST /api/v1/cert-manager/ca/internal/{caId}/renew',
  'POST /api/v1/cert-manager/ca/internal/{caId}/sign-intermediate',
  'POST /api/v1/cert-manager/ca/{member}',
  'POST /api/v1/cert-manager/certificates',
  'POST /api/v1/cert-manager/certificates/certificate-requests/{requestId}/cancel',
  'POST /api/v1/cert-manager/certificates/issue-certificate',
  'POST /api/v1/cert-manager/certificates/sign-certificate',
  'POST /api/v1/cert-manager/certificates/{id}/renew',
  'POST /api/v1/integration-auth/access-token',
  'POST /api/v1/integration-auth/oauth-token',
  'POST /api/v1/integration/{integrationId}/sync',
  'POST /api/v1/kms/keys/{keyId}/rotate',
  'POST /api/v1/pki/ca',
  'POST /api/v1/pki/ca/{caId}/issue-certificate',
  'POST /api/v1/pki/ca/{caId}/sign-certificate',
  'POST /api/v1/pki/certificates/issue-certificate',
  'POST /api/v1/pki/certificates/sign-certificate',
  'POST /api/v1/pki/subscribers/{subscriberName}/issue-certificate',
  'POST /api/v1/pki/subscribers/{subscriberName}/order-certificate',
  'POST /api/v1/pki/subscribers/{subscriberName}/sign-certificate',
  'POST /api/v1/ssh/hosts',
  'POST /api/v1/webhooks/{webhookId}/test',
  'POST /api/v2/secret-rotations/{rotationType}/{rotationId}/reconcile',
  'POST /api/v2/secret-rotations/{rotationType}/{rotationId}/rotate-secrets',
];

const FAMILIES = [
  /(?<=\/api\/v1\/secret-syncs\/)[a-z][\w-]*/,
  /(?<=\/api\/v1\/cert-manager\/syncs\/)[a-z][\w-]*/,
  /(?<=\/api\/v2\/secret-rotations\/)[a-z][\w-]*/,
  /(?<=\/api\/v1\/cert-manager\/ca\/)(?!internal)[a-z][\w-]*/,
];
const nameOf = ({ meta }: Operation): string => {
  const { method, path } = meta.openapi!;
  return `${method} ${FAMILIES.reduce<string>((name, member) => name.replace(member, '{member}'), path)}`;
};

const standIns = new StandIns();
let system: RotatedPostgres;
let held: HeldStatements;
let second: AnotherProcess;
let cases: ReadonlyMap<Area, readonly Case[]>;
beforeAll(async () => {
  system = await rotatedPostgres({ clock: 'standing', fetch: standIns.fetch });
  held = new HeldStatements(system.test);
  second = await anotherProcess(system.test);
  cases = await casesOf(system, standIns);
});
afterAll(async () => {
  await second.close();
  await system.close();
  await standIns.close();
});

/** An administrator of a project. */
async function administrator(projectId: string): Promise<Temporary> {
  const { id, call } = await system.test.identity({ projectId, projectRole: 'admin' });
  const elsewhere = second.as(system.test.adminIdentity.token);
  return { call, shorten: () => shorten(elsewhere, projectId, id) };
}

interface Temporary {
  readonly call: Caller;
  /** Makes it an administrator for an hour, in another process; the response. */
  readonly shorten: () => Promise<Answer>;
}

async function shorten(admin: Caller, projectId: string, id: string): Promise<Answer> {
  const temporaryAccessStartTime = system.test.coffer.now().toISOString();
  const hour = { isTemporary: true, temporaryMode: 'relative', temporaryRange: '1h', temporaryAccessStartTime };
  const roles = [
    { role: 'no-access', isTemporary: false },
    { role: 'admin', ...hour },
  ];
  return admin('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, { roles });
}

/** An administrator of a project for an hour, who has some rights there for longer. */
async function forAnHour(projectId: string, permissions: readonly Rule[]): Promise<Caller> {
  const { test } = system;
  const { id, call } = await test.identity({ projectId, projectRole: 'admin' });
  await ok(shorten(test.admin, projectId, id));
  const privilege = { projectId, identityId: id, permissions, type: { isTemporary: false } };
  if (permissions.length > 0) await ok(test.admin('POST', '/api/v2/identity-project-additional-privilege', privilege));
  return call;
}

/** The first statement that writes: what comes before it was checked already. */
const WRITE = /^\s*(insert|update|delete)\s|\b(insert into|delete from) /i;

const outcome = ({ status, body }: Answer) => (status === 200 ? 200 : [status, body.error, body.message]);

describe('attack: what goes on by itself after the right by which it was set up', () => {
  it('is known of each job', () => {
    const listed = [...Object.keys(SET_UP), ...Object.values(NOBODYS).flat()];
    expect(listed.toSorted()).toEqual(jobs.map(({ name }) => name).toSorted());
  });

  it('is set up by the operations that are asked here', () => {
    const subjects = new Set([...Object.values(SET_UP).flat(), ...HOLDERS]);
    const setsUp = ({ meta }: Operation) =>
      permissionsOf(meta.needs).some(({ subject, action }) => subjects.has(subject) && !USING.test(action));
    const asked = new Set([...cases.values()].flat().map(({ operation }) => operation));
    const unknown = operationsOf(appRouter)
      .filter((operation) => operation.meta.openapi!.method !== 'GET' && setsUp(operation))
      .map(nameOf)
      .filter((name) => !asked.has(name));
    expect([...new Set(unknown)].toSorted()).toEqual(ONCE);
    const known = new Set(operationsOf(appRouter).map(nameOf));
    expect([...asked].filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(Object.keys(AREAS) as Area[])(
    'is rejected where one of these rights ends, not where all last: %s',
    async (area) => {
      const found: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      for (const { title, operation, lasting, prepare } of cases.get(area)!) {
        for (const missing of lasting) {
          const { projectId, ask } = await prepare();
          const call = await forAnHour(
            projectId,
            lasting.filter((rule) => rule !== missing),
          );
          const name = `${title} (${operation}) without ${missing.subject}: ${String(missing.action)} that lasts`;
          const { status, body } = await ask(call);
          found[name] = [status, body.error];
          expected[name] = [403, 'PermissionBoundaryError'];
        }
        const { projectId, ask } = await prepare();
        found[`${title} (${operation})`] = outcome(await ask(await forAnHour(projectId, lasting)));
        expected[`${title} (${operation})`] = 200;
      }
      expect(found).toEqual(expected);
    },
  );

  it.each(Object.keys(AREAS) as Area[])(
    'is rejected where these rights get an end while the request waits: %s',
    async (area) => {
      const found: Record<string, unknown> = {};
      const expected: Record<string, unknown> = {};
      const lasting = cases.get(area)!.filter((one) => one.lasting.length > 0);
      for (const [position, { title, operation, prepare }] of sampleOf([...lasting.entries()], 3)) {
        const { projectId, ask } = await prepare();
        const { call, shorten: end } = await administrator(projectId);
        const name = `${position}: ${title} (${operation})`;
        let isShortened = false;
        const { status, body } = await held.during(
          WRITE,
          () => ask(call),
          async () => {
            isShortened = (await end()).status === 200;
          },
        );
        // Otherwise the request has locked the membership, and comes first.
        if (!isShortened) continue;
        found[name] = [status, body.error];
        expected[name] = [403, 'PermissionBoundaryError'];
      }
      expect(found).toEqual(expected);
    },
  );

  it('is set up in a folder under the name by which the right to it was checked', async () => {
    const { test } = system;
    const { id: projectId } = await test.project();
    const folder = async () => {
      const body = { projectId, environment: 'prod', path: '/', name: newName('folder') };
      return (await ok(test.admin('POST', '/api/v2/folders', body))).folder as { id: string; name: string };
    };
    const replicated = await folder();
    const place = { projectId, environment: 'prod', path: `/${replicated.name}` };
    const replicate = { ...place, import: { environment: 'dev', path: '/' }, isReplication: true };
    const rename = ({ id }: { id: string }) =>
      test.admin('PATCH', `/api/v2/folders/${id}`, { ...place, path: '/', name: newName('renamed') });
    const [answer, renamed, isBefore] = await held.beside(
      /advisory_xact_lock_shared/,
      () => test.admin('POST', '/api/v2/secret-imports', replicate),
      () => rename(replicated),
    );
    expect([answer.status, renamed.status, isBefore]).toEqual([404, 200, true]);
  });
});
