import type { Rule } from '@coffer/domain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
let projectId: string;
let call: Caller;
let base: string;
const revisions: number[] = [];

const folder = async (name: string, path = '/'): Promise<string> =>
  (await ok(test.admin('POST', '/api/v2/folders', { projectId, environment: 'dev', path, name, description: 'PLAN' })))
    .folder.id;
const change = (id: string, body: object) =>
  ok(test.admin('PATCH', `/api/v2/folders/${id}`, { projectId, environment: 'dev', path: '/', ...body }));
const revision = async (): Promise<number> =>
  (await ok(test.admin('GET', `${base}/history/tree?environment=dev`))).tree.revision;

beforeAll(async () => {
  test = await testServer();
  projectId = (await test.project()).id;
  base = `/api/v1/projects/${projectId}`;
  const open = await folder('formerly-open');
  const gone = await folder('formerly-gone');
  await folder('inside-gone', '/formerly-gone');
  await folder('plain');
  revisions.push(await revision());
  await change(open, { name: 'closed' });
  await change(gone, { name: 'closed-too' });
  revisions.push(await revision());
  const where = { projectId, environment: 'dev', path: '/' };
  await ok(test.admin('DELETE', `/api/v2/folders/${gone}`, where));
  revisions.push(await revision());
  const hidden = { secretPath: { $in: ['/closed', '/closed-too', '/closed-too/inside-gone'] } };
  const rules: Rule[] = [
    { subject: 'commits', action: 'read' },
    { subject: 'secret-rollback', action: 'read' },
    { subject: 'secret-folders', action: 'read' },
    { subject: 'secret-folders', action: 'read', inverted: true, conditions: hidden },
    { subject: 'secrets', action: 'describeSecret' },
    { subject: 'secrets', action: 'describeSecret', inverted: true, conditions: hidden },
  ];
  ({ call } = await test.identity({ projectId, rules }));
});
afterAll(() => test.close());

describe('attack: the former names of folders that are hidden', () => {
  const told = (body: unknown) => JSON.stringify(body);

  it('are not disclosed by trees, comparisons, commits and snapshots', async () => {
    const tree = await ok(call('GET', `${base}/history/tree?environment=dev&revision=${revisions[0]}`));
    expect(told(tree)).toContain('/plain');
    const compared = await ok(
      call('GET', `${base}/history/compare?environment=dev&fromRevision=0&toRevision=${revisions[0]}`),
    );
    expect(told(compared)).toContain('/plain');
    const { commits } = await ok(call('GET', `${base}/commits?environment=dev&secretPath=/&recursive=true`));
    const each = await Promise.all(commits.map((one: { id: string }) => ok(call('GET', `${base}/commits/${one.id}`))));
    const at = `environment=dev&path=/&offset=0&limit=100`;
    const { secretSnapshots } = await ok(call('GET', `/api/v1/workspace/${projectId}/secret-snapshots?${at}`));
    const snapshots = await Promise.all(
      secretSnapshots.map((one: { id: string }) => ok(call('GET', `/api/v1/secret-snapshot/${one.id}`))),
    );
    expect(told(snapshots)).toContain('plain');
    expect(told([tree, compared, each, snapshots])).not.toMatch(/formerly|closed|inside/);
  });

  it('do not list the commits to one that is deleted', async () => {
    const { status } = await call('GET', `${base}/commits?environment=dev&secretPath=/formerly-gone`);
    expect(status).toBe(404);
    expect((await test.admin('GET', `${base}/commits?environment=dev&secretPath=/formerly-gone`)).status).toBe(200);
  });
});
