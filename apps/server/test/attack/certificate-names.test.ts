import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIssuer, nameOf, NEWER, ok, type Issuer } from '../harness/certificates.ts';
import { makeRequest } from '../harness/csr.ts';
import { issuingServer } from '../harness/issuing.ts';
import { openssl } from '../harness/openssl.ts';
import type { Caller, TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let ca: Issuer;
beforeAll(async () => {
  ({ test, projectId, ca } = await issuingServer());
});
afterAll(() => test.close());

const create = { subject: 'certificates', action: 'create' };
type Rules = NonNullable<Parameters<TestServer['identity']>[0]>['rules'];
const member = async (rules: Rules): Promise<Caller> => (await test.identity({ projectId, rules })).call;
/** May issue everything but what these conditions name. */
const allBut = (conditions: Record<string, unknown>) => member([create, { ...create, inverted: true, conditions }]);
const issues = (call: Caller, commonName: string, altNames = '') =>
  call('POST', `/api/v1/pki/ca/${ca.id}/issue-certificate`, { commonName, altNames, ttl: '1d' });

/** A certificate as OpenSSL makes it, with names that are not issued here. */
function selfSigned(subject: string, extensions: readonly string[]): string {
  const lines = ['[req]', 'distinguished_name=dn', 'prompt=no', '[dn]', '[ext]', 'basicConstraints=CA:FALSE'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'a.key'];
  const content = ['-config', 'a.cnf', '-extensions', 'ext', '-subj', subject, '-days', '30'];
  const run = openssl(['req', '-x509', ...key, ...content, '-out', 'a.pem'], {
    'a.cnf': [...lines, ...extensions].join('\n'),
  });
  expect([run.code, run.code === 0 ? '' : run.text]).toEqual([0, '']);
  return run.file('a.pem').toString();
}

describe('attack: a forbidden name in another spelling', () => {
  it.each([
    { commonName: 'admin.example.com' },
    { commonName: { $glob: '{admin,root}.example.com' } },
    { altNames: 'admin.example.com' },
    { commonName: 'admin.example.com', altNames: { $ne: 'admin.example.com' } },
  ])('is no common name, which clients take for that of a host: %j', async (conditions) => {
    const call = await allBut(conditions);
    for (const name of ['admin.example.com', 'Admin.Example.com', 'ADMIN.EXAMPLE.COM', '*.Example.com'])
      expect([name, (await issues(call, name)).status]).toEqual([name, 403]);
    const { csr } = makeRequest({ subject: '/CN=ADMIN.example.com' });
    const signed = await call('POST', `/api/v1/pki/ca/${ca.id}/sign-certificate`, { csr, ttl: '1d' });
    expect(signed.status).toBe(403);
    expect((await issues(call, 'WWW.example.com')).status).toBe(200);
  });

  it('is no common name with a dot at its end, whoever asks for it', async () => {
    for (const call of [test.admin, await allBut({ commonName: 'admin.example.com' })])
      expect([400, 403]).toContain((await issues(call, 'admin.example.com.')).status);
  });

  it('is no address as a common name', async () => {
    const call = await allBut({ altNames: '10.0.0.1' });
    for (const [name, altNames] of [
      ['10.0.0.1', ''],
      ['service', '10.0.0.1'],
      ['service', '::ffff:10.0.0.1'],
    ] as const)
      expect([name, (await issues(call, name, altNames)).status]).toEqual([name, 403]);
    expect((await issues(call, '10.0.0.2')).status).toBe(200);
  });

  it('is no equivalent URI, nor the same e-mail address in capitals', async () => {
    const call = await allBut({ altNames: { $in: ['spiffe://prod/admin', 'admin@example.com'] } });
    for (const name of [
      'spiffe://prod/admin',
      'SPIFFE://prod/admin',
      'spiffe://PROD/admin',
      'spiffe://prod:/admin',
      'spiffe://@prod/admin',
      'spiffe://prod/%61dmin',
      'spiffe://prod/x/../admin',
      'spiffe://prod/./%2e%2E/admin',
      'admin@example.com',
      'Admin@Example.com',
    ])
      expect([name, (await issues(call, 'service', name)).status]).toEqual([name, 403]);
    expect((await issues(call, 'service', 'spiffe://prod/Admin')).status).toBe(200);
  });

  it('is not read, where reading is forbidden', async () => {
    const { certificateId } = ok(await issues(test.admin, 'HIDDEN.example.com'));
    const read = { subject: 'certificates', action: 'read' };
    const call = await member([read, { ...read, inverted: true, conditions: { altNames: 'hidden.example.com' } }]);
    expect((await call('GET', `${NEWER}/${certificateId}`)).status).toBe(403);
    const { certificates } = ok(await call('GET', `${NEWER}?projectId=${projectId}&limit=100`));
    expect(certificates.map(({ id }: { id: string }) => id)).not.toContain(certificateId);
  });

  it.each([
    [{ commonName: { $ne: 'admin.example.com' } }, ['admin.example.com', 'ADMIN.example.com', '*.example.com']],
    [{ altNames: { $ne: 'admin.example.com' } }, ['admin.example.com', 'ADMIN.example.com', '*.example.com']],
    [{ altNames: { $glob: '*.example.com', $ne: 'admin.example.com' } }, ['ADMIN.example.com', '*.EXAMPLE.com']],
    [{ altNames: { $ne: 'vault' } }, ['vault', 'VAULT']],
  ])('is no name that the only rule, which allows all others, leaves out: %j', async (conditions, names) => {
    const call = await member([{ ...create, conditions }]);
    const isOfCommonNames = 'commonName' in conditions;
    for (const name of names) {
      expect([name, (await issues(call, name)).status]).toEqual([name, 403]);
      const [commonName, altNames] = isOfCommonNames ? [name, ''] : ['ann', name];
      expect([name, (await issues(call, commonName, altNames)).status]).toEqual([name, 403]);
    }
    for (const name of ['WWW.example.com', '*.www.example.com'])
      expect([name, (await issues(call, name, name)).status]).toEqual([name, 200]);
    // Whom another rule allows that name, it is issued in any form.
    const both = await member([
      { ...create, conditions },
      { ...create, conditions: { altNames: { $in: ['admin.example.com', 'vault', '*.example.com'] } } },
      { ...create, conditions: { commonName: { $in: [...names, 'admin.example.com', 'vault'] } } },
    ]);
    for (const name of names)
      expect([name, (await issues(both, name, isOfCommonNames ? '' : name)).status]).toEqual([name, 200]);
  });

  it('is no name that an imported certificate has besides those that rules compare', async () => {
    const { id } = await test.project();
    const may = { subject: 'certificates', action: 'import' };
    const as = async (...rules: NonNullable<Rules>[number][]) =>
      (await test.identity({ projectId: id, rules: [may, ...rules] })).call;
    const forbidden = await as({ ...may, inverted: true, conditions: { commonName: { $glob: '*.example.com' } } });
    const all = await as({ ...may, inverted: true, conditions: { friendlyName: 'prod' } });
    const mailbox = 'subjectAltName=otherName:1.3.6.1.5.5.7.8.9;UTF8:admin@example.com';
    for (const [subject, extensions] of [
      ['/CN=ann/CN=admin.example.com', []],
      ['/CN=ann/emailAddress=admin@example.com', []],
      ['/CN=ann/O=Example/O=system:masters', []],
      ['/CN=ann', [mailbox]],
      ['/CN=ann', ['subjectAltName=DNS:adm*.example.com']],
      ['/CN=adm*.example.org', []],
    ] as const) {
      const certificatePem = selfSigned(subject, extensions);
      const imports = async (call: Caller) =>
        (await call('POST', `${NEWER}/import-certificate`, { projectId: id, certificatePem })).status;
      expect([subject, await imports(forbidden), await imports(all)]).toEqual([subject, 403, 200]);
    }
    const certificatePem = selfSigned('/CN=ann', []);
    ok(await forbidden('POST', `${NEWER}/import-certificate`, { projectId: id, certificatePem }));
  });

  it('is denied by a policy, too', async () => {
    const url = '/api/v1/cert-manager';
    const sans = [
      { type: 'dns_name', denied: ['admin.example.com'] },
      { type: 'uri', denied: ['spiffe://prod/admin'] },
    ];
    const policy = { projectId, name: 'spelled', sans };
    const { certificatePolicy } = ok(await test.admin('POST', `${url}/certificate-policies`, policy));
    const profile = { projectId, caId: ca.id, certificatePolicyId: certificatePolicy.id, slug: 'spelled' };
    const made = await test.admin('POST', `${url}/certificate-profiles`, { ...profile, enrollmentType: 'api' });
    const profileId = ok(made).certificateProfile.id;
    const order = async (commonName: string, ...uris: string[]) => {
      const altNames = uris.map((value) => ({ type: 'uri', value }));
      return (await test.admin('POST', NEWER, { profileId, attributes: { commonName, altNames, ttl: '1d' } })).status;
    };
    for (const name of ['admin.example.com', 'ADMIN.example.com', 'admin.example.com.'])
      expect([name, await order(name)]).toEqual([name, 400]);
    for (const uri of ['spiffe://prod/%61dmin', 'spiffe://@prod/admin', 'spiffe://prod/x/../admin'])
      expect([uri, await order('service', uri)]).toEqual([uri, 400]);
    expect(await order('www.example.com', 'spiffe://prod/other')).toBe(200);
  });
});

describe('attack: a host that no rule allows, as the common name', () => {
  const allowed = ['a.dev.example.com', '10.9.9.9', 'ann@x.dev.example.com'];
  const only = (conditions: Record<string, unknown>) => member([{ ...create, conditions }]);

  it.each([
    ['prod.example.com', 'ann@x.dev.example.com'],
    ['*.example.com', 'ann@x.dev.example.com'],
    ['PROD.example.com', '10.9.9.9'],
    ['10.1.1.1', 'ann@x.dev.example.com'],
  ])('is issued or imported as %s beside the allowed name %s', async (commonName, altNames) => {
    const call = await only({ altNames: { $in: allowed } });
    expect((await issues(call, commonName, altNames)).status).toBe(403);
    // What decides is the name: others are issued, and so are these by who may name the host, in either way.
    expect((await issues(call, 'ann', altNames)).status).toBe(200);
    const names = [...allowed, commonName.toLowerCase()];
    expect((await issues(await only({ altNames: { $in: names } }), commonName, altNames)).status).toBe(200);
    const both = await only({ altNames: { $in: allowed }, commonName });
    const { certificate } = ok(await issues(both, commonName, altNames));
    const { id } = await test.project();
    const imports = async (rules: Record<string, unknown>) => {
      const may = { subject: 'certificates', action: 'import', conditions: rules };
      const { call: as } = await test.identity({ projectId: id, rules: [may] });
      const body = { projectId: id, certificatePem: certificate, chainPem: ca.certificate };
      return (await as('POST', '/api/v1/pki/certificates/import-certificate', body)).status;
    };
    expect(await imports({ altNames: { $in: allowed } })).toBe(403);
    expect(await imports({ altNames: { $in: names } })).toBe(200);
  });

  it.each(['?.example.com', '[!a]*.example.com', '{?,??}.example.com', '[!a~].example.com', '[ -}].example.com'])(
    'is not covered by a wildcard that the pattern %s of a rule matches as any character',
    async ($glob) => {
      const call = await only({ altNames: { $glob } });
      expect((await issues(call, 'ann', '*.example.com')).status).toBe(403);
      expect((await issues(call, 'ann', 'b.example.com')).status).toBe(200);
      expect((await issues(await only({ commonName: { $glob } }), '*.example.com')).status).toBe(403);
      for (const named of [String.raw`\*.example.com`, '?*.example.com', '*.example.com'])
        expect((await issues(await only({ altNames: { $glob: named } }), 'ann', '*.example.com')).status).toBe(200);
      const both = await member([
        { ...create, conditions: { altNames: { $glob } } },
        { ...create, conditions: { altNames: '*.example.com' } },
      ]);
      expect((await issues(both, 'ann', '*.example.com')).status).toBe(200);
    },
  );

  it.each([
    [String.raw`.\.example\.com`, 400],
    [String.raw`[!-z]{1,3}\.example\.com`, 400],
    [String.raw`[^.]{1,8}\.example\.com`, 400],
    [String.raw`[^a]+\.example\.com`, 400],
    [String.raw`[^.]+\.example\.com`, 200],
    [String.raw`.*\.example\.com`, 200],
    [String.raw`[a-z*]+\.example\.com`, 200],
    [String.raw`\*\.example\.com|[a-z]\.example\.com`, 200],
  ])(
    'is covered by a wildcard that the pattern %s of a template matches only if it means all: %s',
    async (pattern, status) => {
      const template = { caId: ca.id, name: nameOf('pattern'), commonName: pattern, subjectAlternativeName: pattern };
      const { id } = ok(await test.admin('POST', '/api/v1/pki/certificate-templates', { ...template, ttl: '1d' }));
      const issue = async (commonName: string, altNames: string) => {
        const body = { certificateTemplateId: id, commonName, altNames };
        return (await test.admin('POST', '/api/v1/pki/certificates/issue-certificate', body)).status;
      };
      expect(await issue('*.example.com', '')).toBe(status);
      expect(await issue('b.example.com', '*.example.com')).toBe(status);
    },
  );

  it('is covered by a wildcard that a template of all lengths that names may have matches', async () => {
    const long = `*.${`${'a'.repeat(49)}.`.repeat(4)}example.com`;
    const template = {
      caId: ca.id,
      name: nameOf('lengths'),
      commonName: '.{1,64}',
      subjectAlternativeName: '.{1,253}',
    };
    const { id } = ok(await test.admin('POST', '/api/v1/pki/certificate-templates', { ...template, ttl: '1d' }));
    for (const [commonName, altNames] of [
      ['*.example.com', ''],
      ['*.example.com', `*.example.com,${long}`],
    ] as const) {
      const body = { certificateTemplateId: id, commonName, altNames };
      const { status } = await test.admin('POST', '/api/v1/pki/certificates/issue-certificate', body);
      expect([altNames, status]).toEqual([altNames, 200]);
    }
  });

  it('does not count beside an allowed DNS name, where clients do not read it', async () => {
    const call = await only({ altNames: { $in: allowed } });
    expect((await issues(call, 'prod.example.com', 'a.dev.example.com')).status).toBe(200);
  });
});

describe('attack: a collection of certificates', () => {
  const TEMPLATES = '/api/v1/pki/certificate-templates';

  it('is filled by a template, by somebody who may not add to it', async () => {
    const { id } = await makeIssuer(test, projectId);
    const collection = ok(await test.admin('POST', '/api/v1/pki/collections', { projectId, name: 'watched' }));
    const template = (name: string, pkiCollectionId?: string) => ({
      ...{ caId: id, name, commonName: '.*', subjectAlternativeName: '.*', ttl: '1d', pkiCollectionId },
    });
    const action = ['create', 'read', 'edit', 'issue-cert'];
    const reading = { subject: 'certificate-authorities', action: 'read' };
    const call = await member([{ subject: 'certificate-templates', action }, reading]);
    expect((await call('POST', TEMPLATES, template('with', collection.id))).status).toBe(403);
    const plain = ok(await call('POST', TEMPLATES, template('plain')));
    expect((await call('PATCH', `${TEMPLATES}/${plain.id}`, { pkiCollectionId: collection.id })).status).toBe(403);
    const adding = await member([
      { subject: 'certificate-templates', action },
      { subject: 'pki-collections', action: 'create' },
    ]);
    ok(await adding('PATCH', `${TEMPLATES}/${plain.id}`, { pkiCollectionId: collection.id }));
    ok(await call('PATCH', `${TEMPLATES}/${plain.id}`, { pkiCollectionId: collection.id, ttl: '2d' }));
    const other = await test.coffer.pool.connect();
    try {
      await other.query('begin');
      await other.query('update certificate_templates set pki_collection_id = null where id = $1', [plain.id]);
      const changed = call('PATCH', `${TEMPLATES}/${plain.id}`, { pkiCollectionId: collection.id });
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await expect.poll(async () => (await test.coffer.pool.query(waiting)).rowCount).toBe(1);
      await other.query('commit');
      expect((await changed).status).toBe(403);
    } finally {
      other.release();
    }
  });
});
