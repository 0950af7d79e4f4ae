import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CA, Certificates, makeIssuer, nameOf, NEWER, ok, type Issuer } from '../harness/certificates.ts';
import { groupUrl, HOSTS, hostUrl, SshHosts } from '../harness/ssh-hosts.ts';
import { SUBSCRIBERS, subscriberUrl } from '../harness/subscribers.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const MANAGER = '/api/v1/cert-manager';
const TEMPLATES = '/api/v1/pki/certificate-templates';

let test: TestServer;
let projectId: string;
let ca: Issuer;
let group: { id: string };
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId } = await test.project());
  ca = await makeIssuer(test, projectId);
  group = await new SshHosts(test, projectId).hostGroup();
});
afterAll(() => test.close());

const policy = async (name: string): Promise<string> =>
  ok(await test.admin('POST', `${MANAGER}/certificate-policies`, { projectId, name })).certificatePolicy.id;
const host = async (hostname: string): Promise<string> =>
  ok(await test.admin('POST', HOSTS, { projectId, hostname })).id;

interface Kind {
  readonly subject: string;
  readonly field: string;
  readonly table: string;
  /** By default, as the field of rules. */
  readonly column?: string;
  readonly make: (name: string) => Promise<string>;
  readonly ask: (call: Caller, id: string, name: string) => Promise<Answer>;
}
/** With this friendly name. */
async function certificate(name: string): Promise<string> {
  const { id } = await new Certificates(test, projectId).issue(ca.id);
  ok(await test.admin('PATCH', `${NEWER}/${id}`, { friendlyName: name }));
  return id;
}
const ofCertificates = {
  ...{ subject: 'certificates', field: 'friendlyName', table: 'certificates', column: 'friendly_name' },
  make: certificate,
};
const ofHosts = { subject: 'ssh-hosts', field: 'hostname', table: 'ssh_hosts', make: host };
const KINDS: readonly (readonly [string, Kind])[] = [
  ['an SSH host is deleted', { ...ofHosts, ask: (call, id) => call('DELETE', hostUrl({ id })) }],
  ['an SSH host is put into a group', { ...ofHosts, ask: (call, id) => call('POST', groupUrl(group, `/hosts/${id}`)) }],
  [
    'a certificate policy is deleted',
    {
      ...{ subject: 'certificate-policies', field: 'name', table: 'certificate_policies', make: policy },
      ask: (call, id) => call('DELETE', `${MANAGER}/certificate-policies/${id}`),
    },
  ],
  [
    'a certificate profile is deleted',
    {
      ...{ subject: 'certificate-profiles', field: 'slug', table: 'certificate_profiles' },
      make: async (slug) => {
        const certificatePolicyId = await policy(nameOf('policy'));
        const body = { projectId, caId: ca.id, certificatePolicyId, slug, enrollmentType: 'api' };
        return ok(await test.admin('POST', `${MANAGER}/certificate-profiles`, body)).certificateProfile.id;
      },
      ask: (call, id) => call('DELETE', `${MANAGER}/certificate-profiles/${id}`),
    },
  ],
  [
    'a certificate template is deleted',
    {
      ...{ subject: 'certificate-templates', field: 'name', table: 'certificate_templates' },
      make: async (name) => {
        const patterns = { commonName: '.*', subjectAlternativeName: '.*', ttl: '1d' };
        return ok(await test.admin('POST', TEMPLATES, { caId: ca.id, name, ...patterns })).id;
      },
      ask: (call, id) => call('DELETE', `${TEMPLATES}/${id}`),
    },
  ],
  [
    'a certificate authority is deleted',
    {
      ...{ subject: 'certificate-authorities', field: 'name', table: 'certificate_authorities' },
      make: async (name) => (await makeIssuer(test, projectId, {}, { name })).id,
      ask: (call, id) => call('DELETE', `${CA}/${id}`),
    },
  ],
  ['a certificate is deleted', { ...ofCertificates, ask: (call, id) => call('DELETE', `${NEWER}/${id}`) }],
  [
    'a certificate is renewed by itself no more',
    { ...ofCertificates, ask: (call, id) => call('PATCH', `${NEWER}/${id}/config`, { enableAutoRenewal: false }) },
  ],
  [
    'a certificate is revoked',
    {
      ...ofCertificates,
      ask: (call, id) => call('POST', `${NEWER}/${id}/revoke`, { revocationReason: 'UNSPECIFIED' }),
    },
  ],
  [
    'a subscriber is deleted',
    {
      ...{ subject: 'pki-subscribers', field: 'name', table: 'pki_subscribers' },
      make: async (name) => {
        const commonName = 'app.example.com';
        const content = { subjectAlternativeNames: [commonName], ttl: '1d' };
        return ok(await test.admin('POST', SUBSCRIBERS, { projectId, caId: ca.id, name, commonName, ...content })).id;
      },
      ask: (call, _, name) => call('DELETE', subscriberUrl(name), { projectId }),
    },
  ],
];

describe('attack: something that gets another name while a request waits', () => {
  it.each(KINDS)('is out of reach for callers without a right to that name: %s', async (_, kind) => {
    const { subject, field, table, column = field, make, ask } = kind;
    const [name, other] = [nameOf('dev'), nameOf('prod')];
    const id = await make(name);
    const conditions = { [field]: { $glob: 'dev-*' } };
    const rules = [
      { subject, action: ['read', 'edit', 'delete'], conditions },
      { subject: 'ssh-host-groups', action: ['read', 'edit'] },
    ];
    const { call } = await test.identity({ projectId, rules });
    const renaming = await test.coffer.pool.connect();
    try {
      await renaming.query('begin');
      await renaming.query(`update ${table} set ${column} = $2 where id = $1`, [id, other]);
      const asked = ask(call, id, name);
      const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
      await renaming.query('commit');
      expect((await asked).status).toBe(403);
    } finally {
      renaming.release();
    }
    const { rows } = await test.coffer.pool.query(`select ${column} as name from ${table} where id = $1`, [id]);
    expect(rows).toEqual([{ name: other }]);
  });
});
