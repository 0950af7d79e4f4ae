// @long: large values, many callers
import type { Rule } from '@coffer/domain';
import { knownStatements } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeIssuer } from '../harness/certificates.ts';
import { turnsOf } from '../harness/turns.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const COUNT = 20_000;
let test: TestServer;
let projectId: string;
let call: Caller;

const glob = (n: number) => `/team-${n}*/**`;
const seen = (subject: string, ...action: string[]): Rule[] =>
  Array.from({ length: 10 }, (_, n) => ({ subject, action, conditions: { secretPath: { $glob: glob(n) } } }));

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  await test.coffer.pool.query(
    `insert into folders (id, organization_id, project_id, environment_id, parent_id, name, path, created_at, updated_at)
     select gen_random_uuid(), f.organization_id, f.project_id, f.environment_id, f.id, 'team-' || n, '/team-' || n, now(), now()
     from folders f join environments e on e.id = f.environment_id, generate_series(1, $2::int) as n
     where f.project_id = $1 and f.parent_id is null and e.slug = 'dev'`,
    [projectId, COUNT],
  );
  const rules = [...seen('secret-folders', 'read'), ...seen('secrets', 'describeSecret')];
  ({ call } = await test.identity({ projectId, rules: [...rules, { subject: 'commits', action: 'read' }] }));
});
afterAll(() => test.close());

describe('attack: unlimited numbers of folders', () => {
  it.each<[string, () => string]>([
    ['a list', () => `/api/v2/folders?projectId=${projectId}&environment=dev`],
    ['the list of all below', () => `/api/v2/folders?projectId=${projectId}&environment=dev&recursive=true`],
    ['the tree', () => `/api/v1/workspace/${projectId}/environment-folder-tree`],
  ])('do not block others while they are in %s', async (_, url) => {
    await call('GET', url());
    let body = '';
    await turnsOf(1, async () => {
      body = JSON.stringify((await call('GET', url())).body);
    });
    expect(body.split('"team-').length - 1).toBeGreaterThan(COUNT / 2);
  });
});

describe('attack: renaming a tag of many secrets that many rules use', () => {
  it('does not block others', async () => {
    const tag = await test.admin('POST', `/api/v1/projects/${projectId}/tags`, { slug: 't', color: '#fff' });
    const tagId = (tag.body.tag ?? tag.body.workspaceTag).id as string;
    const name = 'A'.repeat(200);
    for (let batch = 0; batch < 4; batch++)
      await test.admin('POST', '/api/v4/secrets/batch', {
        ...{ projectId, environment: 'staging', secretPath: '/' },
        secrets: Array.from({ length: 250 }, (__, n) => ({
          secretKey: `${name}${batch}_${n}`,
          secretValue: 'x',
          tagIds: [tagId],
        })),
      });
    const rules = (holder: number): Rule[] =>
      Array.from({ length: 290 }, (__, n) => ({
        subject: 'secrets',
        action: 'readValue',
        conditions: { secretTags: { $in: ['open'] }, secretName: { $glob: `${'*A'.repeat(100)}B${holder}${n}*` } },
      }));
    for (let holder = 0; holder < 3; holder++) await test.identity({ projectId, rules: rules(holder) });
    const editor = await test.identity({ projectId, rules: [{ subject: 'tags', action: ['read', 'edit'] }] });
    let status = 0;
    await turnsOf(5, async () => {
      ({ status } = await editor.call('PATCH', `/api/v1/projects/${projectId}/tags/${tagId}`, { slug: 'open' }));
    });
    expect([200, 403]).toContain(status);
  });
});

describe('attack: a filter by metadata over many imports of the same secrets', () => {
  it('looks at each secret once, and does not block others', async () => {
    const { id } = await test.project();
    const admin = { projectId: id, environment: 'dev' };
    const secrets = Array.from({ length: 40 }, (_, n) => ({ secretKey: `K${n}`, secretValue: 'x' }));
    await test.admin('POST', '/api/v2/folders', { ...admin, name: 'outer' });
    const batch = { ...admin, secretPath: '/', secrets };
    expect((await test.admin('POST', '/api/v4/secrets/batch', batch)).status).toBe(200);
    // As an earlier release accepted them.
    const pairs = Array.from({ length: 10_000 }, (_, n) => ({ key: `k${n}`, value: 'v' }));
    const stored = JSON.stringify(pairs);
    await test.coffer.pool.query('update secrets set metadata = $2 where project_id = $1', [id, stored]);
    for (let n = 0; n < 20; n++) {
      await test.admin('POST', '/api/v2/folders', { ...admin, name: `h${n}` });
      for (const [path, from] of [
        [`/h${n}`, '/'],
        ['/outer', `/h${n}`],
      ]) {
        const given = { ...admin, path, import: { environment: 'dev', path: from } };
        expect((await test.admin('POST', '/api/v2/secret-imports', given)).status).toBe(200);
      }
    }
    const filter = `${'key=k9999,value=v|'.repeat(9)}key=none`;
    const url = `/api/v4/secrets?projectId=${id}&environment=dev&secretPath=/outer&includeImports=true&viewSecretValue=false&metadataFilter=${encodeURIComponent(filter)}`;
    await turnsOf(1, async () => {
      const { status, body } = await test.admin('GET', url);
      expect([status, body.imports.flatMap((one: { secrets: object[] }) => one.secrets)]).toEqual([200, []]);
    });
  });

  it('a secret has at most a hundred pairs', async () => {
    const secretMetadata = Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, value: 'v' }));
    const body = { projectId, environment: 'dev', secretPath: '/', secretValue: 'x', secretMetadata };
    expect((await test.admin('POST', '/api/v4/secrets/MANY', body)).status).toBe(422);
  });
});

describe('attack: things without end whose lists have no pages', () => {
  it('tags of a project are at most as many as a list can hold', async () => {
    const { id } = await test.project();
    const tag = (slug: string) => test.admin('POST', `/api/v1/projects/${id}/tags`, { slug, color: '#fff' });
    const made = await tag('first');
    await test.coffer.pool.query(
      `insert into tags select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'slug', 'n-' || n))).*
       from tags t, generate_series(1, 1999) n where t.id = $1`,
      [(made.body.tag ?? made.body.workspaceTag).id],
    );
    const refused = { status: 400, body: { message: expect.stringContaining('at most 2000 tags') as string } };
    expect(await tag('last')).toMatchObject(refused);
  });

  it('groups of an organization are at most as many as a list can hold', async () => {
    const group = (name: string) => test.admin('POST', '/api/v1/groups', { name, slug: name, role: 'no-access' });
    const made = await group('first-group');
    await test.coffer.pool.query(
      `insert into groups
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'name', 'n-' || n, 'slug', 'n-' || n))).*
       from groups t, generate_series(1, 4999) n where t.id = $1`,
      [made.body.id],
    );
    const refused = { status: 400, body: { message: expect.stringContaining('at most 5000 groups') as string } };
    expect(await group('last-group')).toMatchObject(refused);
    await turnsOf(1, () => test.admin('GET', '/api/v1/groups'));
    expect((await test.admin('GET', '/api/v1/groups')).body).toHaveLength(5000);
  });

  it('projects of an organization are at most as many as a list can hold', async () => {
    const { organizationId, call: owner } = await test.foreign();
    const create = (projectName: string) => owner('POST', '/api/v1/projects', { projectName });
    const { body } = await create('first');
    await test.coffer.pool.query(
      `insert into projects select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'slug', 'n-' || n))).*
       from projects t, generate_series(1, 5000 - (select count(*)::int from projects where organization_id = $2)) n where t.id = $1`,
      [body.project.id, organizationId],
    );
    const refused = { status: 400, body: { message: expect.stringContaining('at most 5000 projects') as string } };
    expect(await create('last')).toMatchObject(refused);
  });

  it('client secrets of a machine identity are at most as many as a list can hold, without those that are revoked or over', async () => {
    const { id } = await test.identity({ organizationRole: 'member' });
    const method = `/api/v1/auth/universal-auth/identities/${id}`;
    expect((await test.admin('POST', method, {})).status).toBe(200);
    const create = () => test.admin('POST', `${method}/client-secrets`, {});
    const { body } = await create();
    const secretId = body.clientSecretData.id as string;
    await test.coffer.pool.query(
      `insert into client_secrets
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'hash', '\\x' || md5(n::text) || md5(n::text)))).*
       from client_secrets t, generate_series(1, 999) n where t.id = $1`,
      [secretId],
    );
    const refused = {
      status: 400,
      body: { message: expect.stringContaining('at most 1000 client secrets') as string },
    };
    expect(await create()).toMatchObject(refused);
    expect((await test.admin('POST', `${method}/client-secrets/${secretId}/revoke`)).status).toBe(200);
    expect((await create()).status).toBe(200);
    expect(await create()).toMatchObject(refused);
    await test.coffer.pool.query(
      `update client_secrets set ttl = 1, created_at = created_at - interval '1 minute' where identity_id = $1`,
      [id],
    );
    expect((await create()).status).toBe(200);
    expect((await test.admin('GET', `${method}/client-secrets`)).body.clientSecretData).toHaveLength(1);
  });

  it('environments of a project are at most as many as a list can hold, also by restoring, and deleted ones are listed up to a thousand', async () => {
    const { id } = await test.project();
    const path = `/api/v1/projects/${id}/environments`;
    const create = (slug: string) => test.admin('POST', path, { slug, name: slug });
    const deleted = await create('deleted');
    const { id: deletedId } = deleted.body.environment;
    expect((await test.admin('DELETE', `${path}/${deletedId}`)).status).toBe(200);
    await test.coffer.pool.query(
      `insert into deleted_environments
       select (jsonb_populate_record(t, jsonb_build_object('environment_id', gen_random_uuid(), 'root_folder_id', gen_random_uuid()))).*
       from deleted_environments t, generate_series(1, 1000) n where t.project_id = $1`,
      [id],
    );
    expect((await test.admin('GET', `${path}/deleted`)).body.environments).toHaveLength(1000);
    await test.coffer.pool.query(
      `insert into environments
       select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'slug', 'n-' || n, 'position', 9 + n))).*
       from environments t, generate_series(1, 997) n where t.project_id = $1 and t.slug = 'dev'`,
      [id],
    );
    const refused = { status: 400, body: { message: expect.stringContaining('at most 1000 environments') as string } };
    expect(await create('last')).toMatchObject(refused);
    expect(await test.admin('POST', `${path}/${deletedId}/restore`)).toMatchObject(refused);
    expect((await test.admin('DELETE', `${path}/n-1`)).status).toBe(404);
    const [{ id: other }] = (
      await test.coffer.pool.query(`select id from environments where project_id = $1 and slug = 'n-1'`, [id])
    ).rows;
    expect((await test.admin('DELETE', `${path}/${other}`)).status).toBe(200);
    expect((await test.admin('POST', `${path}/${deletedId}/restore`)).status).toBe(200);
  });

  it('dynamic secrets of a folder are listed without reading their credentials, and are at most as many as a list can hold', async () => {
    const { id, slug } = await test.project();
    const make = (name: string) =>
      test.admin('POST', '/api/v1/dynamic-secrets', {
        ...{ projectSlug: slug, environmentSlug: 'dev', path: '/', name, defaultTTL: '1h' },
        provider: { type: 'totp', inputs: { configType: 'manual', secret: 'JBSWY3DPEHPK3PXP' } },
      });
    expect((await make('first')).status).toBe(200);
    await test.coffer.pool.query(
      `insert into dynamic_secrets select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'name', 'n-' || n))).*
       from dynamic_secrets t, generate_series(1, 399) n where t.project_id = $1`,
      [id],
    );
    const { status, body } = await make('last');
    expect([status, body.message]).toEqual([400, expect.stringContaining('at most 400 dynamic secrets')]);
    const [list] = knownStatements().filter(({ name }) => name === 'dynamic_secret.list');
    expect(list!.text).not.toContain('inputs');
  });

  it.each(['policies', 'profiles', 'templates', 'subscribers'] as const)(
    '%s of certificates are at most as many as a list can hold',
    async (kind) => {
      const { table, most, name, make } = (await certificateLists())[kind];
      expect((await make('first')).status).toBe(200);
      await test.coffer.pool.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), '${name}', 'n-' || n))).*
         from ${table} t, generate_series(1, ${most - 1}) n where t.${name} = 'first'`,
      );
      const { status, body } = await make('last');
      expect([status, body.message]).toEqual([400, expect.stringContaining(`at most ${most} `)]);
    },
  );
});

const MANAGER = '/api/v1/cert-manager';

async function certificateLists() {
  const { id: own } = await test.project();
  const { id: caId } = await makeIssuer(test, own);
  const policy = (name: string, more: object = {}) =>
    test.admin('POST', `${MANAGER}/certificate-policies`, { projectId: own, name, ...more });
  const { id: certificatePolicyId } = (await policy('of profiles')).body.certificatePolicy;
  const profile = (slug: string) =>
    test.admin('POST', `${MANAGER}/certificate-profiles`, {
      ...{ projectId: own, caId, certificatePolicyId, slug, enrollmentType: 'api' },
    });
  const patterns = { commonName: '.*', subjectAlternativeName: '.*', ttl: '30d' };
  const template = (name: string) =>
    test.admin('POST', `${MANAGER}/certificate-templates`, { caId, name, ...patterns });
  const subscriber = (name: string) =>
    test.admin('POST', '/api/v1/pki/subscribers', { projectId: own, caId, name, commonName: 'a.example.com' });
  return {
    own,
    certificatePolicyId,
    // That of the profiles is one of them.
    policies: { table: 'certificate_policies', most: 1_000, name: 'name', make: policy },
    profiles: { table: 'certificate_profiles', most: 1_000, name: 'slug', make: profile },
    templates: { table: 'certificate_templates', most: 1_000, name: 'name', make: template },
    subscribers: { table: 'pki_subscribers', most: 2_000, name: 'name', make: subscriber },
  };
}

describe('attack: certificate policies with megabytes of rules', () => {
  const allowed = Array.from({ length: 99 }, (_, n) => `${n}${'x'.repeat(1020)}`);
  const rules = { sans: ['dns_name', 'email', 'uri'].map((type) => ({ type, allowed })) };

  it('are refused, also part by part', async () => {
    const { policies } = await certificateLists();
    const refused = { status: 400, body: { message: expect.stringContaining('the maximum is 100000') as string } };
    expect(await policies.make('large', rules)).toMatchObject(refused);
    const made = await policies.make('half', { sans: [{ type: 'dns_name', allowed: allowed.slice(50) }] });
    const url = `${MANAGER}/certificate-policies/${made.body.certificatePolicy.id}`;
    const subject = [{ type: 'common_name', allowed: allowed.slice(45) }];
    expect(await test.admin('PATCH', url, { subject })).toMatchObject(refused);
    expect((await test.admin('PATCH', url, { name: 'other', sans: null, subject })).status).toBe(200);
  });

  it('are not read for a list of profiles, nor beyond the page of a list of policies', async () => {
    const { own, certificatePolicyId, profiles } = await certificateLists();
    await profiles.make('first');
    // As an earlier release accepted it, for 100 profiles and as 50 policies.
    const kinds = { sans: ['dns_name', 'email', 'uri'], subject: ['common_name', 'organization', 'locality'] };
    const ruled = (types: string[]) => types.map((type) => ({ type, allowed, required: allowed, denied: allowed }));
    const large = JSON.stringify({ sans: ruled(kinds.sans), subject: ruled(kinds.subject) });
    const { pool } = test.coffer;
    await pool.query('update certificate_policies set rules = $2 where id = $1', [certificatePolicyId, large]);
    for (const [table, name, count] of [
      ['certificate_profiles', 'slug', 100],
      ['certificate_policies', 'name', 50],
    ] as const)
      await pool.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), '${name}', 'n-' || n))).*
         from ${table} t, generate_series(1, ${count}) n where t.project_id = $1`,
        [own],
      );
    const lists = knownStatements().filter(({ name }) => /^certificate_(profiles|policies)\.of_project$/.test(name));
    expect(lists.filter(({ text }) => text.includes('rules'))).toEqual([]);
    await turnsOf(0, async () => {
      for (const list of ['certificate-profiles', 'certificate-policies']) {
        const { status, body } = await test.admin('GET', `${MANAGER}/${list}?projectId=${own}&limit=1`);
        expect([status, body.totalCount]).toEqual([200, list === 'certificate-profiles' ? 101 : 51]);
      }
    });
  });
});

describe('attack: lists of machine identities and groups with large metadata and roles', () => {
  it('read no metadata and no rules of roles with each row', () => {
    const lists = knownStatements().filter(({ name }) =>
      /^(identities\.members_|project_owned_identities\.list|groups\.list$)/.test(name),
    );
    expect(lists.length).toBeGreaterThan(20);
    expect(lists.filter(({ text }) => /\bi\.metadata\b(?!\))|\bpermissions\b/.test(text))).toEqual([]);
  });

  it('do not block others, and end where they are too large for an answer', async () => {
    const { call: own, organizationId } = await test.foreign();
    const permissions = Array.from({ length: 1_000 }, () => ({ subject: 'member', action: ['read', 'edit'] }));
    const role = { slug: 'large', name: 'large', permissions };
    expect((await own('POST', '/api/v1/organization/roles', role)).status).toBe(200);
    const metadata = Array.from({ length: 100 }, (_, n) => ({ key: `k${n}`, value: 'v'.repeat(1_020) }));
    for (let n = 0; n < 10; n++) {
      const body = { name: `machine ${n}`, organizationId, role: 'large', metadata };
      expect((await own('POST', '/api/v1/identities', body)).status).toBe(200);
    }
    const url = `/api/v1/identities?orgId=${organizationId}`;
    await turnsOf(2, async () => {
      const { status, body } = await own('GET', url);
      const large = body.identities.filter((one: { metadata: object[] }) => one.metadata.length === 100);
      expect([status, large.length, large[0].customRole.permissions.length]).toEqual([200, 10, 1_000]);
    });
    // As an earlier release accepted them.
    const more = JSON.stringify(metadata.map(({ key }) => ({ key, value: 'v'.repeat(90_000) })));
    await test.coffer.pool.query(
      `update identities set metadata = $2 where organization_id = $1 and name like 'machine %'`,
      [organizationId, more],
    );
    const { status, body } = await own('GET', url);
    expect([status, body.message]).toEqual([400, expect.stringContaining('more than 64 MiB')]);
  });
});
