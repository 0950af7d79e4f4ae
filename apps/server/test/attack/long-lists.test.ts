import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
