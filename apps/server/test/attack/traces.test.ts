import { appRouter, openApiDocument, operationsOf, type OpenApiDocument, type Operation } from '@coffer/api';
import { eventTypes, INSTANCE_LOG } from '@coffer/domain';
import { makeIdentity, makeUser, searchTime } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeOf } from '../../src/rest.ts';
import { ask } from '../harness/matrix-answers.ts';
import { Sample } from '../harness/matrix-sample.ts';
import { makeWorld, type World } from '../harness/matrix-world.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';
import { credentialsIn, credentialsOf, watchWrites, type RecordedEvent, type Written } from '../harness/traces.ts';

// Every operation is asked by an administrator, with one of everything. What answers values or credentials is listed with its
// events; what changes something leaves one in the same transaction. A new operation fails until it does, or is listed.

/** Procedures whose answers have values of secrets or credentials, and the published names of the events that say so. */
const RECORDED: Record<string, readonly string[]> = {
  'serviceTokens.create': ['create-service-token'],
  'instance.bootstrap': ['bootstrap-instance'],
  'instance.signUp': ['admin-signup'],
  'kubernetesAuth.attach': ['add-identity-kubernetes-auth'],
  'kubernetesAuth.get': ['get-identity-kubernetes-auth'],
  'kubernetesAuth.update': ['update-identity-kubernetes-auth'],
  'ldapAuth.attach': ['add-identity-ldap-auth'],
  'ldapAuth.get': ['get-identity-ldap-auth'],
  'ldapAuth.update': ['update-identity-ldap-auth'],
  'kubernetesAuth.logIn': ['login-identity-kubernetes-auth'],
  'gcpAuth.logIn': ['login-identity-gcp-auth'],
  'awsAuth.logIn': ['login-identity-aws-auth'],
  'azureAuth.logIn': ['login-identity-azure-auth'],
  'tlsCertAuth.logIn': ['login-identity-tls-cert-auth'],
  'oidcAuth.logIn': ['login-identity-oidc-auth'],
  'jwtAuth.logIn': ['login-identity-jwt-auth'],
  'ldapAuth.logIn': ['login-identity-ldap-auth'],
  'universalAuth.logIn': ['login-identity-universal-auth'],
  'universalAuth.createClientSecret': ['create-identity-universal-auth-client-secret'],
  'tokenAuth.createToken': ['create-token-identity-token-auth'],
  'accessTokens.renew': ['renew-identity-access-token'],
  'sessions.logIn': ['user-login'],
  'sessions.selectOrganization': ['select-organization'],
  'sessions.refresh': ['refresh-user-session'],
  'apiKeys.create': ['create-user-api-key'],
  'commandLine.authorize': ['authorize-command-line'],
  'commandLine.exchange': ['user-login'],
  'commandLine.open': ['user-login'],
  'recovery.verify': ['verify-password-reset'],
  'signUp.verify': ['verify-sign-up'],
  'signUp.signUp': ['create-user'],
  'signUp.completeInvitation': ['accept-organization-invitation'],
  'invitations.invite': ['invite-organization-member'],
  'invitations.resend': ['invite-organization-member'],
  'invitations.verify': ['verify-organization-invitation', 'accept-organization-invitation'],
  'sshHosts.issueUserCert': ['issue-ssh-creds'],
  'sshCertificates.issue': ['issue-ssh-creds'],
  'acme.revealEabSecret': ['reveal-acme-eab-secret'],
  'est.createConfig': ['create-certificate-template-est-config'],
  'est.updateConfig': ['update-certificate-template-est-config'],
  'certificates.import': ['import-cert'],
  'certificates.bundle': ['get-cert-bundle'],
  'certificates.privateKey': ['get-cert-private-key'],
  'certificates.pkcs12': ['export-cert-pkcs12'],
  'certificates.renew': ['issue-cert'],
  'certificatesV1.issue': ['issue-cert'],
  'certificatesV1.issueByAuthority': ['issue-cert'],
  'certificatesV1.bundle': ['get-cert-bundle'],
  'certificatesV1.privateKey': ['get-cert-private-key'],
  'certificatesV1.pkcs12': ['export-cert-pkcs12'],
  'certificateProfiles.create': ['create-certificate-profile'],
  'certificateProfiles.update': ['update-certificate-profile'],
  'certificateProfiles.latestBundle': ['get-cert-bundle'],
  'certificateOrders.order': ['issue-cert'],
  'certificateOrders.issue': ['issue-cert'],
  'certificateSubscribers.issue': ['issue-cert'],
  'certificateSubscribers.latestBundle': ['get-cert-bundle'],
  'dynamicSecrets.get': ['get-dynamic-secret'],
  'dynamicSecretLeases.create': ['create-dynamic-secret-lease'],
  'dynamicSecretLeases.createKubernetes': ['create-dynamic-secret-lease'],
  'secrets.list': ['get-secrets'],
  'secrets.get': ['get-secret'],
  'secrets.getById': ['get-secret'],
  'secrets.create': ['create-secret', 'secret-approval-request'],
  'secrets.update': ['update-secret', 'secret-approval-request'],
  'secrets.delete': ['delete-secret', 'secret-approval-request'],
  'secrets.createMany': ['create-secrets', 'secret-approval-request'],
  'secrets.updateMany': ['update-secrets', 'secret-approval-request'],
  'secrets.deleteMany': ['delete-secrets', 'secret-approval-request'],
  'secrets.duplicate': ['create-secrets', 'secret-approval-request'],
  'secrets.versions': ['get-secret-versions'],
  'secrets.trace': ['get-secret'],
  'secretsV3.list': ['get-secrets'],
  'secretsV3.get': ['get-secret'],
  'secretsV3.create': ['create-secret', 'secret-approval-request'],
  'secretsV3.update': ['update-secret', 'secret-approval-request'],
  'secretsV3.delete': ['delete-secret', 'secret-approval-request'],
  'secretsV3.createMany': ['create-secrets', 'secret-approval-request'],
  'secretsV3.updateMany': ['update-secrets', 'secret-approval-request'],
  'secretsV3.deleteMany': ['delete-secrets', 'secret-approval-request'],
  'secretsV3.attachTags': ['update-secret'],
  'secretsV3.detachTags': ['update-secret'],
  'secretsV3.trace': ['get-secret'],
  'secretImportsV1.secrets': ['get-secrets'],
  'secretApprovalRequests.get': ['get-secret-approval-request'],
  'secretEvents.watch': ['subscribe-project-events'],
  'webhooks.list': ['list-webhooks'],
  'history.commit': ['get-project-pit-commit-changes'],
  'history.tree': ['get-project-pit-tree'],
  'history.compare': ['pit-compare-folder-states'],
  'snapshotsV1.get': ['get-secret-snapshot'],
  'certificateAlerts.list': ['get-pki-alert-addresses'],
  'certificateAlerts.create': ['create-pki-alert'],
  'certificateAlerts.get': ['get-pki-alert-addresses'],
  'certificateAlerts.update': ['update-pki-alert'],
  'certificateAlerts.delete': ['delete-pki-alert'],
  'kmsKeys.export': ['export-cmek-private-key'],
  'kmsKeys.exportMany': ['export-cmek-private-key'],
  'kms.decrypt': ['cmek-decrypt'],
  'kms.decryptBatch': ['cmek-decrypt'],
  'kms.generateDataKey': ['cmek-generate-data-key'],
  'secretRotations.generatedCredentials': ['get-secret-rotation-generated-credentials'],
};

/** Those that are on the log of the organization, or of the instance; others are on that of a project. */
const OF_ORGANIZATION = /^(\w+Auth|accessTokens|apiKeys|commandLine|instance|invitations|recovery|sessions|signUp)\./;

/** Others whose answers look so, and why no event says that they were read. */
const UNRECORDED: Record<string, readonly string[]> = {
  'is public, or known to whoever is let in': [
    'sshHosts.hostCertificate',
    'sshHosts.userCaPublicKey',
    'sshHosts.hostCaPublicKey',
    'sshAuthorities.publicKey',
    'sshAuthorities.revocationList',
    'certificateAuthorities.der',
    'revocation.getPem',
    'revocation.getDer',
    'revocation.askOcsp',
    'revocation.getOcsp',
    'kmsKeys.getJwks',
    'est.cacerts',
    'est.simpleenroll',
    'est.simplereenroll',
  ],
  'has the passphrase only where one is made': [
    'certificateProfiles.list',
    'certificateProfiles.get',
    'certificateProfiles.getBySlug',
    'certificateProfiles.delete',
  ],
  'is kept nowhere': ['kms.random'],
};

/** What a transaction may write without an event: `table: columns`. */
const WITHOUT_EVENT: readonly RegExp[] = [
  // Counts of uses, and when.
  /^(identity_access_tokens|service_tokens|user_sessions|user_access_tokens|api_keys|client_secrets): (last_used_at|num_uses)/,
  /^(data_keys|kms_key_versions): uses$/,
  // Guesses: the event is of the refusal.
  /^(lockouts|known_clients|login_attempts)/,
  // Who is at work, and how that went; events are of what it does.
  /^jobs: /,
  /: ((claim_id|claimed_until|held_until|due_at|check_\w+|checked_at|last_attempted_at|last_job_id|failures|phase|attempts|updated_at|last_\w+_job_id),?)+$/,
  // What is to be made elsewhere is stored before: the event is of its end.
  /^secret_rotation_credentials: /,
  // Keys with which another one is wrapped for its import, which is the event.
  /^kms_import_keys: insert$/,
];

/** Operations of POST, PATCH, PUT and DELETE that change nothing, and show nothing that is recorded. */
const HARMLESS = [
  'certificateOrders.requests',
  'certificates.search',
  'identities.count',
  'identities.search',
  'kms.random',
  'kmsKeys.getImportKey',
  'projectMembers.getByUsername',
  'projectMembersV1.getByUsername',
  'projects.search',
  'revocation.askOcsp',
  'sessions.check',
];
/** Those that had nothing to do in this world. */
const IDLE = ['certificateOrders.cancel', 'kmsKeys.import', 'projectEntry.enter'];

const MARK = 'ztracez';
let test: TestServer;
let document: OpenApiDocument;
let operations: readonly Operation[];
let world: World;
let asked: readonly Asked[];
beforeAll(async () => {
  test = await testServer();
  document = await openApiDocument(appRouter, { version: '0', serverUrl: 'http://localhost' });
  operations = operationsOf(appRouter).filter(({ alias }) => alias === 0);
  world = await makeWorld(test, MARK);
  asked = await askAll();
}, searchTime(300_000));
afterAll(() => test.close());

interface Asked {
  readonly operation: Operation;
  readonly answer: Answer;
  readonly written: readonly Written[];
}

/** Deletions come last, and what ends the sessions of the callers after them. */
const ORDER = [/^GET/, /^(POST|PATCH|PUT) (?!.*(logout|revoke|remove|leave))/, /^POST/, /^DELETE (?!.*\/me)/, /./];
const orderOf = ({ method, url }: Operation) => ORDER.findIndex((pattern) => pattern.test(`${method} ${url}`));

/** The answers of all operations to an administrator, with what each has written. */
async function askAll(): Promise<Asked[]> {
  const written = await watchWrites(test.owner);
  const all: Asked[] = [];
  for (const operation of operations.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const { needs, rest } = operation.meta;
    const isOfMachines = !rest?.actors || rest.actors.includes('identity');
    const caller: Caller = needs === 'public' ? test.as() : isOfMachines ? world.machine : world.person;
    const sample = new Sample(operation, document);
    const answer = await ask(
      caller,
      sample,
      sample.input((thing) => world.has[thing]),
    );
    all.push({ operation, answer, written: await written() });
  }
  return all;
}

describe('attack: without a trace', () => {
  it('nothing shows values or credentials but what is known to be recorded', () => {
    const shows = operations.filter((operation) => credentialsIn(operation, document).length > 0);
    const listed = [...Object.keys(RECORDED), ...Object.values(UNRECORDED).flat()];
    expect(shows.map(({ path }) => path).toSorted()).toEqual(listed.toSorted());
    const published = new Set([...eventTypes().values()].map((type) => type.published));
    expect([...new Set(Object.values(RECORDED).flat())].filter((name) => !published.has(name))).toEqual([]);
  });

  it('nothing is read or changed by an administrator, in any operation, and nothing secret is in the events', async () => {
    expect(problemsIn(asked)).toEqual({});
    expect(readsIn(asked).length).toBeGreaterThan(35);
    expect(asked.filter(({ answer }) => answer.status < 300).length).toBeGreaterThan(280);
    const { rows } = await test.coffer.pool.query<{ text: string }>('select e::text as text from audit_events e');
    const secrets = [world.machineToken, world.personToken, world.serviceToken, world.apiKey, `${MARK} value`];
    const shown = readsIn(asked).flatMap(({ answer }) => credentialsOf(answer));
    const found = [...secrets, ...shown].filter(
      (secret) => secret.length > 7 && rows.some(({ text }) => text.includes(secret)),
    );
    expect(found).toEqual([]);
  });

  it('nothing is refused to a member without rights, in any operation', async () => {
    const { organizationId, has } = await makeWorld(test, `${MARK}r`);
    const role = 'no-access';
    const place = { organizationId, organizationRole: role, projectId: has.project, projectRole: role };
    const machine = await makeIdentity(test.coffer, place);
    const person = await makeUser(test.coffer, { organizationId, role });
    const denied: string[] = [];
    for (const operation of operations.filter(({ meta }) => meta.needs !== 'public')) {
      const { actors } = operation.meta.rest ?? {};
      const caller = test.as((!actors || actors.includes('identity') ? machine : person).token);
      const sample = new Sample(operation, document);
      // Each is the first of its minute, and so an event of its own.
      test.advance(61_000);
      await test.coffer.refusals.sweep();
      const answer = await ask(
        caller,
        sample,
        sample.input((thing) => has[thing]),
      );
      if (answer.status === 403) denied.push(`${operation.method} ${routeOf(operation)}`);
    }
    const { rows } = await test.coffer.pool.query<{ detail: string }>(
      `select data -> 'details' ->> 0 as detail from audit_events
       where published = 'denied-request' and organization_id = $1 and actor_id = any($2::uuid[])`,
      [organizationId, [machine.id, person.id]],
    );
    const recorded = new Set(rows.map(({ detail }) => detail.split(' ').slice(0, 2).join(' ')));
    expect(denied.length).toBeGreaterThan(200);
    expect(denied.filter((name) => !recorded.has(name))).toEqual([]);
  });

  it('each planted fault is found: no event, one elsewhere, one after the change', () => {
    const events = (change: (one: RecordedEvent) => RecordedEvent[]) =>
      asked.map((one) => ({
        ...one,
        written: one.written.map((some) => ({ ...some, events: some.events.flatMap(change) })),
      }));
    const reads = readsIn(asked).map(({ operation }) => operation.path);
    expect(Object.keys(problemsIn(events(() => [])))).toEqual(expect.arrayContaining(reads));
    const elsewhere = problemsIn(events((one) => [{ ...one, project_id: null }]));
    const ofProject = reads.filter((path) => !OF_ORGANIZATION.test(path));
    expect(Object.keys(elsewhere).toSorted()).toEqual(ofProject.toSorted());
    const after = asked.map((one) => ({
      ...one,
      written: one.written.flatMap(({ rows, events: some }) => [
        { rows, events: [] },
        { rows: [], events: some },
      ]),
    }));
    const changes = Object.keys(problemsIn(after)).filter((name) => name.endsWith(' writes'));
    expect(changes.length).toBeGreaterThan(100);
  });
});

/** Those that showed values or credentials that are to be recorded. */
const readsIn = (some: readonly Asked[]): Asked[] =>
  some.filter(
    ({ operation, answer }) => operation.path in RECORDED && answer.status < 300 && credentialsOf(answer).length > 0,
  );

/** What is not recorded as it is to be, by operation. */
function problemsIn(some: readonly Asked[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const reads = new Set(readsIn(some));
  for (const one of some) {
    const { operation, answer, written } = one;
    const { path, method, meta } = operation;
    const events = written.flatMap((transaction) => transaction.events);
    const isChange = method !== 'GET' && answer.status < 300 && ![...HARMLESS, ...IDLE].includes(path);
    if (isChange && meta.needs !== 'public' && events.length === 0) found[path] = 'no event';
    if (reads.has(one) && !events.some((event) => tellsOf(path, event))) found[path] = events;
    const silent = written
      .filter((transaction) => transaction.events.length === 0)
      .flatMap(({ rows }) => rows.filter((row) => !WITHOUT_EVENT.some((pattern) => pattern.test(row))));
    if (silent.length > 0) found[`${path} writes`] = silent;
  }
  return found;
}

/** Whether an event says that this procedure has shown something, on the log where it is looked for. */
const tellsOf = (path: string, event: RecordedEvent): boolean =>
  RECORDED[path]!.includes(event.published) &&
  [world.organizationId, INSTANCE_LOG].includes(event.organization_id) &&
  event.project_id === (OF_ORGANIZATION.test(path) ? null : world.has.project);

describe('the event of an update', () => {
  /** What each of them is now is in its versions, or all of it in the event. */
  const OTHERS = ['secret.updated', 'secrets.updated', 'instance.updated'];
  it('has the names of what has changed', () => {
    const updates = [...eventTypes()].filter(([name]) => name.endsWith('.updated') && !OTHERS.includes(name));
    const without = updates.filter(([, { data }]) => !(data instanceof z.ZodObject && 'changed' in data.shape));
    expect(updates.length).toBeGreaterThan(50);
    expect(without.map(([name]) => name)).toEqual([]);
  });
});
