import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COLLECTIONS, LEGACY_ALERTS } from '../harness/alerts.ts';
import { CA, Certificates, createAuthority, makeIssuer, nameOf, NEWER, ok } from '../harness/certificates.ts';
import { PROFILES, TEMPLATES } from '../harness/est.ts';
import { onEveryQuery } from '../harness/every-query.ts';
import { groupUrl, hostUrl, issueUserCert, mapping, SshHosts } from '../harness/ssh-hosts.ts';
import { newPublicKey, SSH_CA, SSH_CERTIFICATES, SSH_TEMPLATES, SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let of: Certificates;
beforeAll(async () => {
  test = await testServer();
  of = await Certificates.in(test);
});
afterAll(() => test.close());

/** By an SSH authority. */
interface Made {
  readonly templateId: string;
  readonly serialNumber: string;
}

type Rule = { subject: string; action: string[]; conditions?: object; inverted?: boolean };

const who = async (projectId: string, ...rules: Rule[]): Promise<Caller> =>
  (await test.identity({ projectId, rules: rules as never })).call;

/** An authority with a certificate, a template and a profile. */
async function authority() {
  const { projectId } = of;
  const { id: caId } = await of.authority();
  const certificate = await of.issue(caId, { friendlyName: nameOf('certificate') });
  const names = { commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
  const template = ok(await test.admin('POST', TEMPLATES, { caId, name: nameOf('template'), ...names }));
  const policy = { projectId, name: nameOf('policy') };
  const { certificatePolicy } = ok(await test.admin('POST', '/api/v1/cert-manager/certificate-policies', policy));
  const order = { projectId, caId, certificatePolicyId: certificatePolicy.id, enrollmentType: 'api' };
  const { certificateProfile: profile } = ok(await test.admin('POST', PROFILES, { ...order, slug: nameOf('profile') }));
  const paths = {
    certificate: `${NEWER}/${certificate.id}`,
    template: `${TEMPLATES}/${template.id}`,
    profile: `${PROFILES}/${profile.id}`,
  };
  const { serialNumber } = certificate;
  return { caId, path: `${CA}/${caId}`, paths, serialNumber, name: template.name, slug: profile.slug };
}

describe('attack: what a rule forbids to delete', () => {
  it.each(['certificate', 'template', 'profile'] as const)(
    'is not deleted with its authority, and no other is kept: a %s',
    async (kind) => {
      const [guarded, other] = [await authority(), await authority()];
      const { serialNumber, name, slug } = guarded;
      const conditions = { certificate: { serialNumber }, template: { name }, profile: { slug } }[kind];
      const call = await who(
        of.projectId,
        { subject: 'certificate-authorities', action: ['delete'] },
        {
          subject: `certificate${kind === 'certificate' ? '' : `-${kind}`}s`,
          action: ['delete'],
          conditions,
          inverted: true,
        },
      );
      const refused = await call('DELETE', guarded.path);
      expect([refused.status, refused.body.error]).toEqual([403, 'PermissionDenied']);
      expect(refused.body.message).toContain('a rule forbids you');
      for (const path of [guarded.path, ...Object.values(guarded.paths)]) ok(await test.admin('GET', path));
      ok(await call('DELETE', other.path));
      for (const path of Object.values(other.paths)) expect((await test.admin('GET', path)).status).toBe(404);
    },
  );

  it('is deleted with its authority if a later rule allows that', async () => {
    const { path, paths, serialNumber } = await authority();
    const call = await who(
      of.projectId,
      { subject: 'certificate-authorities', action: ['delete'] },
      { subject: 'certificates', action: ['delete'], inverted: true },
      { subject: 'certificates', action: ['delete'], conditions: { serialNumber } },
    );
    ok(await call('DELETE', path));
    expect((await test.admin('GET', paths.certificate)).status).toBe(404);
  });

  const revoke = (call: Caller, made: Made) => call('POST', `${SSH_CERTIFICATES}/${made.serialNumber}/revoke`, {});
  const removeTemplate = (call: Caller, made: Made) => call('DELETE', `${SSH_TEMPLATES}/${made.templateId}`);

  it.each([
    ['certificates', 'ssh-certificates', revoke],
    ['templates', 'ssh-certificate-templates', removeTemplate],
  ])('does not end with its SSH authority: %s', async (_what, subject, end) => {
    const ssh = await SshProject.in(test);
    const [ca, empty] = [await ssh.authority(), await ssh.authority()];
    const { id: templateId } = await ssh.template(ca.id);
    const { serialNumber } = ok(await ssh.issue(templateId));
    const call = await who(
      ssh.projectId,
      { subject: 'ssh-certificate-authorities', action: ['delete'] },
      { subject, action: ['delete'] },
      { subject, action: ['delete'], inverted: true },
    );
    expect((await end(call, { templateId, serialNumber })).status).toBe(403);
    expect((await call('DELETE', `${SSH_CA}/${ca.id}`)).status).toBe(403);
    ok(await end(test.admin, { templateId, serialNumber }));
    // Nothing forbids what there is now, or is not there.
    for (const { id } of [ca, empty]) ok(await call('DELETE', `${SSH_CA}/${id}`));
  });

  interface OfHosts {
    readonly hosts: SshHosts;
    readonly host: { readonly id: string };
    readonly group: { readonly id: string };
  }
  const ends: [what: string, end: (call: Caller, of: OfHosts) => Promise<Answer>][] = [
    ['the host is deleted', (call, { host }) => call('DELETE', hostUrl(host))],
    ['the login ends', (call, { group }) => call('PATCH', groupUrl(group), { loginMappings: [] })],
    ['the host leaves its group', (call, { host, group }) => call('DELETE', groupUrl(group, `/hosts/${host.id}`))],
    ['the group is deleted', (call, { group }) => call('DELETE', groupUrl(group))],
    [
      'the host gets another principal mode',
      (call, { host }) => call('PATCH', hostUrl(host), { principalMode: 'host-bound' }),
    ],
  ];
  it.each(ends)('does not end since %s: the SSH certificate of a user', async (_what, end) => {
    const hosts = await SshHosts.in(test);
    const ann = await hosts.person();
    const group = await hosts.hostGroup({ loginMappings: [mapping('deploy', { users: [ann] })] });
    const [host, other] = [await hosts.host(), await hosts.host()];
    await hosts.join(host, group);
    const { serialNumber } = ok(await issueUserCert(ann.call, host, 'deploy'));
    const call = await who(
      hosts.projectId,
      { subject: 'ssh-hosts', action: ['read', 'edit', 'delete'] },
      { subject: 'ssh-host-groups', action: ['read', 'edit', 'delete'] },
      { subject: 'ssh-certificates', action: ['delete'], inverted: true },
    );
    expect((await end(call, { hosts, host, group })).body).toMatchObject({
      statusCode: 403,
      error: 'PermissionDenied',
    });
    ok(await test.admin('GET', hostUrl(host)));
    ok(await revoke(test.admin, { templateId: '', serialNumber }));
    ok(await end(call, { hosts, host, group }));
    ok(await call('DELETE', hostUrl(other)));
  });

  it('keeps nobody from changes of hosts while a login that has ended otherwise waits to be revoked', async () => {
    const hosts = await SshHosts.in(test);
    const [ann, bob] = [await hosts.person(), await hosts.person()];
    const host = await hosts.host({ loginMappings: [mapping('deploy', { users: [ann, bob] })] });
    for (const { call } of [ann, bob]) ok(await issueUserCert(call, host, 'deploy'));
    await hosts.remove(ann);
    const call = await who(
      hosts.projectId,
      { subject: 'ssh-hosts', action: ['read', 'create', 'edit'] },
      { subject: 'ssh-certificates', action: ['delete'], inverted: true },
    );
    ok(await call('PATCH', hostUrl(host), { alias: nameOf('alias') }));
    expect((await call('PATCH', hostUrl(host), { loginMappings: [] })).status).toBe(403);
  });

  it.each<[string, (call: Caller, host: { id: string }) => Promise<Answer>]>([
    ['is deleted', (call, host) => call('DELETE', hostUrl(host))],
    ['gets another name', (call, host) => call('PATCH', hostUrl(host), { hostname: `${nameOf('new')}.example.com` })],
  ])('does not end since its host %s: a host certificate', async (_what, end) => {
    const hosts = await SshHosts.in(test);
    const host = await hosts.host();
    ok(await test.admin('POST', hostUrl(host, '/issue-host-cert'), { publicKey: newPublicKey() }));
    const call = await who(
      hosts.projectId,
      { subject: 'ssh-hosts', action: ['read', 'create', 'edit', 'delete'] },
      { subject: 'ssh-certificates', action: ['delete'], inverted: true },
    );
    expect((await end(call, host)).status).toBe(403);
    expect((await test.as()('GET', hostUrl(host, '/host-certificate'))).status).toBe(200);
    ok(await end(test.admin, host));
  });

  it('is not deleted with the collection that it is about: an alert', async () => {
    const { projectId } = of;
    const collection = async () =>
      ok(await test.admin('POST', COLLECTIONS, { projectId, name: nameOf('collection'), description: '' }));
    const [watched, other] = [await collection(), await collection()];
    const alert = {
      projectId,
      name: nameOf('alert'),
      pkiCollectionId: watched.id,
      alertBeforeDays: 7,
      emails: ['ann@example.com'],
    };
    const { id } = ok(await test.admin('POST', LEGACY_ALERTS, alert));
    const call = await who(
      projectId,
      { subject: 'pki-collections', action: ['delete'] },
      { subject: 'pki-alerts', action: ['delete'], inverted: true },
    );
    expect((await call('DELETE', `${COLLECTIONS}/${watched.id}`)).status).toBe(403);
    ok(await test.admin('GET', `${LEGACY_ALERTS}/${id}`));
    ok(await call('DELETE', `${COLLECTIONS}/${other.id}`));
  });
});

describe('attack: an authority with many others below it', () => {
  /** More than are read at once. */
  const MANY = 24;

  async function rootWith(count: number) {
    const project = await test.project();
    const root = await makeIssuer(test, project.id);
    const configuration = { type: 'intermediate', parentCaId: root.id, notAfter: new Date(Date.now() + 1e10) };
    const below: string[] = [];
    for (let i = 0; i < count; i++) {
      const { id } = await createAuthority(test.admin, { projectId: project.id, configuration });
      below.push(id);
    }
    return { rootId: root.id, below };
  }

  const statusesOf = async (ids: readonly string[]): Promise<unknown[]> => {
    const { rows } = await test.coffer.pool.query<{ status: string }>(
      'select distinct status from certificate_authorities where id = any ($1)',
      [ids],
    );
    return rows.map(({ status }) => status);
  };

  it('is deleted by as many statements as one with few, and all of them are disabled', async () => {
    let queries = 0;
    onEveryQuery(test.coffer, () => (_, send) => {
      queries++;
      return send();
    });
    const counts: number[] = [];
    for (const count of [1, MANY]) {
      const { rootId, below } = await rootWith(count);
      expect(await statusesOf(below)).toEqual(['active']);
      queries = 0;
      ok(await test.admin('DELETE', `${CA}/${rootId}`));
      counts.push(queries);
      expect(await statusesOf(below)).toEqual(['disabled']);
    }
    const [few = 0, many = 0] = counts;
    expect(many - few).toBeLessThan(MANY / 2);
  });
});
