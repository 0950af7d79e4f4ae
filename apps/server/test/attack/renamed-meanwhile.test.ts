import { makeConnection, pkiSyncTargets } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  CA,
  Certificates,
  createAuthority,
  DAY,
  makeIssuer,
  nameOf,
  NEWER,
  ok,
  type Issuer,
} from '../harness/certificates.ts';
import { askedDuring } from '../harness/asked-during.ts';
import { makeRequest } from '../harness/csr.ts';
import { PROFILES, TEMPLATES } from '../harness/est.ts';
import { PKI_SYNCS } from '../harness/pki-syncs.ts';
import { groupUrl, HOSTS, hostUrl, SshHosts } from '../harness/ssh-hosts.ts';
import { SUBSCRIBERS, subscriberUrl } from '../harness/subscribers.ts';
import { testServer, type Answer, type Caller, type TestServer } from '../harness/test-server.ts';

const MANAGER = '/api/v1/cert-manager';
const COLLECTIONS = '/api/v1/pki/collections';

let test: TestServer;
let projectId: string;
let ca: Issuer;
let group: { id: string };
let collection: { id: string };
beforeAll(async () => {
  test = await testServer();
  ({ id: projectId } = await test.project());
  ca = await makeIssuer(test, projectId);
  group = await new SshHosts(test, projectId).hostGroup();
  collection = ok(await test.admin('POST', COLLECTIONS, { projectId, name: 'all', description: '' }));
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
  /** Rights beside those to read, edit and delete. */
  readonly more?: readonly string[];
  /** By default 403; 400 where it may be tried again, and is 403 then. */
  readonly status?: 400;
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
const PATTERNS = { commonName: '.*', subjectAlternativeName: '.*', ttl: '1d' };
const template = async (name: string): Promise<string> =>
  ok(await test.admin('POST', TEMPLATES, { caId: ca.id, name, ...PATTERNS })).id;
const ofTemplates = {
  ...{ subject: 'certificate-templates', field: 'name', table: 'certificate_templates', more: ['issue-cert'] },
  make: template,
};
const EST = { disableBootstrapCertValidation: true };
const profile = async (slug: string, enrollmentType: string): Promise<string> => {
  const certificatePolicyId = await policy(nameOf('policy'));
  const body = { projectId, caId: ca.id, certificatePolicyId, slug, enrollmentType };
  return ok(await test.admin('POST', PROFILES, body)).certificateProfile.id;
};
const ofProfiles = {
  ...{ subject: 'certificate-profiles', field: 'slug', table: 'certificate_profiles', more: ['issue-cert'] },
  make: (slug: string) => profile(slug, 'api'),
};
const ofAuthorities = {
  ...{ subject: 'certificate-authorities', field: 'name', table: 'certificate_authorities' },
  more: ['renew', 'sign-intermediate'],
  make: async (name: string) => (await makeIssuer(test, projectId, {}, { name })).id,
};
/** A PKI sync, whose destination nobody asks. */
async function pkiSync(name: string): Promise<string> {
  const { credentials, config: destinationConfig } = pkiSyncTargets['azure-key-vault']!();
  const place = { organizationId: test.organizationId, projectId, name: nameOf('connection') };
  const { id: connectionId } = await makeConnection(test.coffer, { ...place, app: 'azure-key-vault', credentials });
  const body = { name, projectId, connectionId, destinationConfig, isAutoSyncEnabled: false };
  return ok(await test.admin('POST', `${PKI_SYNCS}/azure-key-vault`, body)).id;
}
const ofPkiSyncs = {
  ...{ subject: 'pki-syncs', field: 'name', table: 'pki_syncs', make: pkiSync },
  more: ['sync-certificates', 'remove-certificates'],
};
const LATER = '2039-01-01T00:00:00Z';
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
  ['a certificate profile is deleted', { ...ofProfiles, ask: (call, id) => call('DELETE', `${PROFILES}/${id}`) }],
  [
    'the external key of a certificate profile is revealed',
    {
      ...ofProfiles,
      make: (slug) => profile(slug, 'acme'),
      ask: (call, id) => call('GET', `${PROFILES}/${id}/acme/eab-secret/reveal`),
    },
  ],
  ['a certificate template is deleted', { ...ofTemplates, ask: (call, id) => call('DELETE', `${TEMPLATES}/${id}`) }],
  [
    'a certificate template gets a passphrase',
    { ...ofTemplates, ask: (call, id) => call('POST', `${TEMPLATES}/${id}/est-config`, EST) },
  ],
  [
    'a certificate template gets another passphrase',
    {
      ...ofTemplates,
      make: async (name) => {
        const id = await template(name);
        ok(await test.admin('POST', `${TEMPLATES}/${id}/est-config`, EST));
        return id;
      },
      ask: (call, id) => call('PATCH', `${TEMPLATES}/${id}/est-config`, { rotatePassphrase: true }),
    },
  ],
  ['a certificate authority is deleted', { ...ofAuthorities, ask: (call, id) => call('DELETE', `${CA}/${id}`) }],
  [
    'a certificate authority is renewed by itself no more',
    {
      ...ofAuthorities,
      ask: (call, id) => call('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal: false }),
    },
  ],
  [
    'a certificate authority is renewed by itself',
    {
      ...{ ...ofAuthorities, status: 400 },
      ask: (call, id) => call('PATCH', `${CA}/${id}/auto-renewal`, { enableAutoRenewal: true }),
    },
  ],
  [
    'a certificate authority is renewed',
    {
      ...{ ...ofAuthorities, status: 400 },
      ask: (call, id) => call('POST', `${CA}/${id}/renew`, { type: 'existing', notAfter: LATER }),
    },
  ],
  [
    'a certificate authority gets another key',
    {
      ...ofAuthorities,
      make: async (name) =>
        (await createAuthority(test.admin, { projectId, configuration: { type: 'intermediate' }, more: { name } })).id,
      ask: (call, id) => call('POST', `${CA}/${id}/csr`),
    },
  ],
  [
    'a certificate authority signs another one',
    {
      ...{ ...ofAuthorities, status: 400 },
      ask: (call, id) => {
        const notAfter = new Date(test.coffer.now().getTime() + DAY);
        return call('POST', `${CA}/${id}/sign-intermediate`, { csr: makeRequest().csr, notAfter });
      },
    },
  ],
  ['a certificate is deleted', { ...ofCertificates, ask: (call, id) => call('DELETE', `${NEWER}/${id}`) }],
  [
    'a certificate is renewed by itself no more',
    { ...ofCertificates, ask: (call, id) => call('PATCH', `${NEWER}/${id}/config`, { enableAutoRenewal: false }) },
  ],
  [
    'a certificate is renewed',
    {
      ...{ ...ofCertificates, more: ['create'], status: 400 },
      ask: (call, id) => call('POST', `${NEWER}/${id}/renew`, {}),
    },
  ],
  [
    'a certificate is revoked',
    {
      ...ofCertificates,
      ask: (call, id) => call('POST', `${NEWER}/${id}/revoke`, { revocationReason: 'UNSPECIFIED' }),
    },
  ],
  [
    'a certificate is put into a collection',
    {
      ...ofCertificates,
      ask: (call, itemId) => call('POST', `${COLLECTIONS}/${collection.id}/items`, { type: 'certificate', itemId }),
    },
  ],
  [
    'an authority is put into a collection',
    {
      ...ofAuthorities,
      ask: (call, itemId) => call('POST', `${COLLECTIONS}/${collection.id}/items`, { type: 'ca', itemId }),
    },
  ],
  ['a PKI sync is run', { ...ofPkiSyncs, ask: (call, id) => call('POST', `${PKI_SYNCS}/azure-key-vault/${id}/sync`) }],
  [
    'what a PKI sync has written is removed',
    { ...ofPkiSyncs, ask: (call, id) => call('POST', `${PKI_SYNCS}/azure-key-vault/${id}/remove-certificates`) },
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
    const { subject, field, table, column = field, more = [], status = 403, make, ask } = kind;
    const [name, other] = [nameOf('dev'), nameOf('prod')];
    const id = await make(name);
    const conditions = { [field]: { $glob: 'dev-*' } };
    const rules = [
      { subject, action: ['read', 'edit', 'delete', ...more], conditions },
      { subject: 'ssh-host-groups', action: ['read', 'edit'] },
      { subject: 'pki-collections', action: ['read', 'create'] },
    ];
    const { call } = await test.identity({ projectId, rules });
    const renaming: [string, string[]] = [`update ${table} set ${column} = $2 where id = $1`, [id, other]];
    expect((await askedDuring(test, [renaming], () => ask(call, id, name))).status).toBe(status);
    const { rows } = await test.coffer.pool.query(`select ${column} as name from ${table} where id = $1`, [id]);
    expect(rows).toEqual([{ name: other }]);
    expect((await ask(call, id, other)).status).toBe(403);
  });

  it('renews nothing below it by itself for callers without a right to that name', async () => {
    const [name, other] = [nameOf('dev'), nameOf('prod')];
    const parent = await makeIssuer(test, projectId, {}, { name });
    const configuration = { type: 'intermediate', parentCaId: parent.id };
    const child = await makeIssuer(test, projectId, configuration, { name: nameOf('dev') });
    const { subject } = ofAuthorities;
    const rules = [
      { subject, action: ['read', 'renew', 'sign-intermediate'], conditions: { name: { $glob: 'dev-*' } } },
    ];
    const { call } = await test.identity({ projectId, rules });
    const url = `${CA}/${child.id}/auto-renewal`;
    const answer = await askedDuring(
      test,
      [['select 1 from certificate_authorities where id = $1 for update', [child.id]]],
      () => call('PATCH', url, { enableAutoRenewal: true }),
      async () => ok(await test.admin('PATCH', `${CA}/${parent.id}`, { name: other })),
    );
    expect(answer.status).toBe(403);
    expect(ok(await test.admin('GET', url))).toMatchObject({ enableAutoRenewal: false });
  });
});
