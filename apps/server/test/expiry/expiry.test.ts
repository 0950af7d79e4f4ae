import type { Rule } from '@coffer/domain';
import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEYS, makeKey, withKey } from '../harness/api-keys.ts';
import { Certificates, ok } from '../harness/certificates.ts';
import { DynamicSecretAtWork } from '../harness/dynamic-secret.ts';
import { issueUserCert, mapping, onHosts, SshHosts } from '../harness/ssh-hosts.ts';
import { SshProject } from '../harness/ssh.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const EXPIRY = '/api/v1/expiry';
const DAY = 86_400_000;

interface Ending {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
  readonly of: string | null;
  readonly endsAt: string;
  readonly details: Readonly<Record<string, string>>;
}

let test: TestServer;
let projectId: string;
let projectSlug: string;
let certificates: Certificates;
/** The IDs of what was made, by kind. */
const made: Record<string, string> = {};
beforeAll(async () => {
  test = await testServer();
  const project = await test.project();
  projectId = project.id;
  projectSlug = project.slug;
  certificates = new Certificates(test, projectId);
  const authority = await certificates.authority();
  made['certificate-authority'] = authority.id;
  const certificate = await certificates.issue(authority.id, {
    commonName: 'a.example.com',
    altNames: 'a.example.com',
  });
  made['certificate'] = certificate.id;
  const revoked = await certificates.issue(authority.id);
  await certificates.revoke(revoked);
  await makeSshCertificate();
  await makeLease();
  await makeMembers();
  await makeCredentials();
  const { key } = ok(await test.admin('POST', '/api/v1/kms/keys', { projectId, name: 'files' }));
  ok(await test.admin('DELETE', `/api/v1/kms/keys/${key.id}`));
  made['kms-key'] = key.id;
});
afterAll(() => test.close());

async function makeSshCertificate(): Promise<void> {
  const ssh = new SshProject(test, projectId);
  const template = await ssh.template((await ssh.authority()).id);
  const { serialNumber } = ok(await ssh.issue(template.id));
  made['ssh-certificate'] = serialNumber;
}

async function makeLease(): Promise<void> {
  const here = { projectSlug, environmentSlug: 'dev', path: '/' };
  const place = { projectId, here, query: new URLSearchParams(here).toString() };
  const one = new DynamicSecretAtWork(test, place, 'codes');
  await one.create('totp', { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' });
  made['lease'] = (await one.lease()).body.lease.id;
}

const forADay = () => ({
  isTemporary: true,
  temporaryMode: 'relative',
  temporaryRange: '1d',
  temporaryAccessStartTime: test.coffer.now().toISOString(),
});

/** An identity with a role and a privilege for a day. */
let member: { id: string; call: Caller };
/** An administrator of the project, who has a service token and an API key. */
let owner: Caller;
/** The same by that API key. */
let keyholder: Caller;

async function makeMembers(): Promise<void> {
  member = await test.identity();
  ok(
    await test.admin('POST', `/api/v1/projects/${projectId}/memberships/identities/${member.id}`, {
      roles: [{ role: 'no-access', ...forADay() }],
    }),
  );
  const { privilege } = ok(
    await test.admin('POST', '/api/v2/identity-project-additional-privilege', {
      ...{ projectId, identityId: member.id, slug: 'for-a-day', type: forADay() },
      permissions: [{ subject: 'secrets', action: ['describeSecret'] }],
    }),
  );
  made['privilege'] = privilege.id;
  const { email, token } = await makeUser(test.coffer, { organizationId: test.organizationId });
  ok(
    await test.admin('POST', `/api/v2/workspace/${projectId}/memberships`, {
      usernames: [email],
      roleSlugs: ['admin'],
    }),
  );
  owner = test.as(token);
  const { serviceTokenData } = ok(
    await owner('POST', '/api/v2/service-token', {
      ...{ workspaceId: projectId, name: 'ci', expiresIn: 3600, permissions: ['read'] },
      scopes: [{ environment: 'dev', secretPath: '/' }],
      ...{ encryptedKey: '', iv: '', tag: '' },
    }),
  );
  made['service-token'] = serviceTokenData.id;
  const { id, key } = await makeKey(test, token);
  made['api-key'] = id;
  keyholder = withKey(test, key);
}

async function makeCredentials(): Promise<void> {
  const given = { name: 'machine', organizationId: test.organizationId, role: 'no-access' };
  const { id } = ok(await test.admin('POST', '/api/v1/identities', given)).identity;
  made['identity'] = id;
  ok(await test.admin('POST', `/api/v1/auth/universal-auth/identities/${id}`, {}));
  const secrets = `/api/v1/auth/universal-auth/identities/${id}/client-secrets`;
  made['client-secret'] = ok(await test.admin('POST', secrets, { description: 'ci', ttl: 7200 })).clientSecretData.id;
  ok(await test.admin('POST', secrets, { description: 'without an end', ttl: 0 }));
  ok(await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}`, { accessTokenTTL: 600 }));
  const { tokenData } = ok(
    await test.admin('POST', `/api/v1/auth/token-auth/identities/${id}/tokens`, { name: 'deploy' }),
  );
  made['access-token'] = tokenData.id;
}

async function read(call: Caller, query: Record<string, string> = { projectId }): Promise<Ending[]> {
  return ok(await call('GET', `${EXPIRY}?${new URLSearchParams(query).toString()}`)).endings;
}

const kindsOf = (endings: readonly Ending[]) => [...new Set(endings.map(({ kind }) => kind))].toSorted();

/** A caller with these rights in the project. */
const caller = async (...rules: Rule[]): Promise<Caller> => (await test.identity({ projectId, rules })).call;

describe('what ends when', () => {
  it('has each kind of a project, in the order of their ends, with what leads to it', async () => {
    const all = await read(owner);
    const kinds = ['certificate', 'certificate-authority', 'kms-key', 'lease', 'privilege', 'role', 'service-token'];
    expect(kindsOf(all)).toEqual([...kinds, 'ssh-certificate'].toSorted());
    expect(all.map(({ endsAt }) => endsAt)).toEqual(all.map(({ endsAt }) => endsAt).toSorted());
    for (const kind of kinds.filter((one) => one !== 'role'))
      expect(all.filter((one) => one.kind === kind).map(({ id }) => id)).toEqual([made[kind]]);
    const of = (kind: string) => all.find((one) => one.kind === kind)!;
    expect(of('certificate')).toMatchObject({ name: 'a.example.com', details: {} });
    expect(of('lease')).toMatchObject({
      of: 'codes',
      details: { environment: 'dev', secretPath: '/', dynamicSecretName: 'codes' },
    });
    expect(of('ssh-certificate').details).toMatchObject({ serialNumber: made['ssh-certificate'] });
    expect(of('role')).toMatchObject({ name: 'no-access', details: { holder: 'identity' } });
    expect(new Date(of('privilege').endsAt).getTime() - Date.now()).toBeLessThanOrEqual(DAY);
  });

  it('has the credentials of the organization, and the own API keys only', async () => {
    const kinds = ['access-token', 'api-key', 'client-secret'];
    const all = await read(owner, {});
    expect(all.filter(({ kind }) => kind === 'api-key').map(({ id }) => id)).toEqual([made['api-key']]);
    const asAdmin = await read(test.admin, {});
    expect(kindsOf(asAdmin)).toEqual(kinds.filter((kind) => kind !== 'api-key'));
    for (const kind of ['access-token', 'client-secret'])
      expect(asAdmin.filter((one) => one.kind === kind)).toEqual([
        expect.objectContaining({ id: made[kind], details: { identityId: made['identity'] } }),
      ]);
    const [client] = asAdmin.filter(({ kind }) => kind === 'client-secret');
    expect(new Date(client!.endsAt).getTime() - Date.now()).toBeLessThanOrEqual(7_200_000);
    expect(await read(await caller(), {})).toEqual([]);
  });

  it('shows each thing only to those who may read it', async () => {
    const allowing = {
      certificate: { subject: 'certificates', action: ['read'] },
      'certificate-authority': { subject: 'certificate-authorities', action: ['read'] },
      'ssh-certificate': { subject: 'ssh-certificates', action: ['read'] },
      'service-token': { subject: 'service-tokens', action: ['read'] },
      lease: { subject: 'dynamic-secrets', action: ['read-root-credential'] },
      'kms-key': { subject: 'cmek', action: ['read'] },
      role: { subject: 'identity', action: ['read'] },
    };
    for (const [kind, rule] of Object.entries(allowing)) {
      const seen = kindsOf(await read(await caller(rule)));
      expect(seen).toEqual(kind === 'role' ? ['privilege', 'role'] : [kind]);
    }
    const otherwise: Rule[] = [
      { subject: 'certificates', action: ['read'], conditions: { commonName: 'b.example.com' } },
      { subject: 'certificate-authorities', action: ['read'], conditions: { name: 'another' } },
      { subject: 'dynamic-secrets', action: ['read-root-credential'], conditions: { environment: 'prod' } },
      { subject: 'dynamic-secrets', action: ['lease'] },
      { subject: 'cmek', action: ['read'], conditions: { keyName: 'another' } },
      { subject: 'identity', action: ['read'], conditions: { identityId: '00000000-0000-4000-8000-000000000000' } },
    ];
    expect(await read(await caller(...otherwise))).toEqual([]);
  });

  it('shows to no credential what it may not read by itself', async () => {
    const identities = '/api/v1/auth/universal-auth/identities';
    const lease = new URLSearchParams({ projectSlug, environmentSlug: 'dev', path: '/' });
    /** Where each is read; roles are with their members. */
    const readAt: Record<string, (ending: Ending) => string> = {
      certificate: ({ id }) => `/api/v1/cert-manager/certificates/${id}`,
      'certificate-authority': ({ id }) => `/api/v1/cert-manager/ca/internal/${id}`,
      'ssh-certificate': ({ details }) => `/api/v1/ssh/certificates/${details['serialNumber']}`,
      'service-token': () => `/api/v1/workspace/${projectId}/service-token-data`,
      lease: ({ id }) => `/api/v1/dynamic-secrets/leases/${id}?${lease.toString()}`,
      privilege: ({ id }) => `/api/v2/identity-project-additional-privilege/${id}`,
      role: () => `/api/v1/projects/${projectId}/memberships/identities/${member.id}`,
      'kms-key': ({ id }) => `/api/v1/kms/keys/${id}`,
      'client-secret': ({ id, details }) => `${identities}/${details['identityId']}/client-secrets/${id}`,
      'access-token': ({ id }) => `/api/v1/auth/token-auth/tokens/${id}`,
      'api-key': () => API_KEYS,
    };
    const forATime = await test.identity({ projectId, projectRole: 'no-access' });
    const roles = [{ role: 'admin', ...forADay() }];
    ok(await test.admin('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${forATime.id}`, { roles }));
    const shown = new Set<string>();
    for (const call of [owner, keyholder, test.admin, forATime.call])
      for (const ending of [...(await read(call)), ...(await read(call, {}))]) {
        const { status, body } = await call('GET', readAt[ending.kind]!(ending));
        expect([ending.kind, status]).toEqual([ending.kind, 200]);
        const { kind, id, details } = ending;
        const named = kind === 'ssh-certificate' ? details['serialNumber']! : kind === 'role' ? member.id : id;
        expect(JSON.stringify(body)).toContain(named);
        shown.add(kind);
      }
    expect([...shown].toSorted()).toEqual(Object.keys(readAt).toSorted());
    expect(kindsOf(await read(keyholder, {}))).toEqual([]);
  });

  it('hides no certificate beside an authority whose certificate has the same serial number', async () => {
    const own = await Certificates.in(test);
    const [issuer, other] = [await own.authority(), await own.authority()];
    const { id, serialNumber } = await own.issue(issuer.id);
    const listed = async () => {
      const body = ok(await test.admin('GET', `/api/v1/expiry?projectId=${own.projectId}`));
      return body.endings.map((one: { id: string }) => one.id);
    };
    expect(await listed()).toContain(id);
    // As if it was imported: whoever signs it has chosen the number.
    const { pool } = test.coffer;
    await pool.query('update ca_certificates set serial_number = $2 where ca_id = $1', [other.id, serialNumber]);
    await pool.query('update certificate_authorities set serial_number = $2 where id = $1', [other.id, serialNumber]);
    expect(await listed()).toContain(id);
  });

  it('names no authority and no SSH host that the caller may not read, and finds nothing by their names', async () => {
    const hosts = await SshHosts.in(test);
    const place = hosts.projectId;
    const subject = {
      organization: '',
      ou: '',
      country: '',
      province: '',
      locality: '',
      keyAlgorithm: 'EC_prime256v1',
    };
    const authority = (name: string, configuration: object): Promise<Answer> =>
      test.admin('POST', '/api/v1/cert-manager/ca/internal', {
        ...{ projectId: place, name, status: 'active' },
        configuration: {
          ...subject,
          commonName: name,
          notAfter: '2036-01-01T00:00:00Z',
          maxPathLength: -1,
          ...configuration,
        },
      });
    const { id: parentCaId } = ok(await authority('hidden-root', { type: 'root' }));
    ok(await authority('below', { type: 'intermediate', parentCaId }));
    const ann = await hosts.person();
    const host = await hosts.host({
      hostname: 'hidden.example.com',
      loginMappings: [mapping('deploy', { users: [ann] })],
    });
    ok(await issueUserCert(ann.call, host, 'deploy'));
    const names = (seen: Ending[]) => seen.map(({ of }) => of);
    const of = (call: Caller, search = '') => read(call, { projectId: place, ...(search && { search }) });
    const ofHosts = { subject: 'ssh-certificates', action: ['read'] };
    const below = { subject: 'certificate-authorities', action: ['read'], conditions: { name: 'below' } };
    const { call: some } = await hosts.who(ofHosts, below);
    const { call: all } = await hosts.who(ofHosts, { ...below, conditions: undefined }, onHosts('read'));
    expect(names(await of(some))).toEqual([null, null]);
    expect(new Set(names(await of(all)))).toEqual(new Set(['hidden-root', 'hidden.example.com', null]));
    for (const hidden of ['hidden-root', 'hidden.example.com']) {
      expect(await of(some, hidden)).toEqual([]);
      expect(names(await of(all, hidden))).toContain(hidden);
    }
    expect(names(await of(some, 'below'))).toEqual([null]);
  });

  it('shows everybody the ends of their own roles and privileges', async () => {
    expect(kindsOf(await read(member.call))).toEqual(['privilege', 'role']);
  });

  it('is hidden from other projects and organizations', async () => {
    const { call } = await test.identity();
    const { call: foreign } = await test.foreign();
    for (const other of [call, foreign])
      expect((await other('GET', `${EXPIRY}?projectId=${projectId}`)).status).toBe(404);
    expect((await owner('GET', `${EXPIRY}?projectId=none`)).status).toBe(404);
    expect(await read(foreign, {})).toEqual([]);
    expect((await test.as()('GET', EXPIRY)).status).toBe(401);
  });

  it('has pages, which together are the whole, and is searched by kind and by name', async () => {
    const whole = await read(owner);
    const pages: Ending[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { endings: Ending[]; nextCursor: string | null } = ok(
        await owner('GET', `${EXPIRY}?projectId=${projectId}&limit=2${cursor && `&cursor=${cursor}`}`),
      );
      expect(page.endings.length).toBeLessThanOrEqual(2);
      pages.push(...page.endings);
      cursor = page.nextCursor;
    }
    expect(pages).toEqual(whole);
    expect(kindsOf(await read(owner, { projectId, kind: 'lease' }))).toEqual(['lease']);
    expect(kindsOf(await read(owner, { projectId, search: 'A.EXAMPLE' }))).toEqual(['certificate']);
    expect(kindsOf(await read(owner, { projectId, search: 'codes' }))).toEqual(['lease']);
    expect(await read(owner, { projectId, search: '%' })).toEqual([]);
    expect((await owner('GET', `${EXPIRY}?projectId=${projectId}&cursor=yesterday`)).status).toBe(422);
  });

  it('is recorded by the number of what was shown', async () => {
    const { length } = await read(owner);
    const { rows } = await test.coffer.pool.query<{ data: object }>(
      `select data from audit_events where type = 'expiry.listed' and project_id = $1 order by id desc limit 1`,
      [projectId],
    );
    expect(rows.map(({ data }) => data)).toEqual([{ numberOfEndings: length }]);
  });
});
