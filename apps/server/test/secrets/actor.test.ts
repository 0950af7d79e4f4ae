import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** The recorded writer, in every response. */
async function writersOf(call: Caller, projectId: string, name: string): Promise<unknown[]> {
  const at = { projectId, environment: 'dev', secretPath: '/' };
  const query = new URLSearchParams(at).toString();
  const made = await call('POST', `/api/v4/secrets/${name}`, { ...at, secretValue: 'v' });
  expect(made.status).toBe(200);
  await call('PATCH', `/api/v4/secrets/${name}`, { ...at, secretValue: 'w' });
  const base = `/api/v1/projects/${projectId}`;
  const versions = await test.admin('GET', `/api/v1/secret/${made.body.secret.id}/secret-versions?offset=0&limit=9`);
  const older = await test.admin('GET', `/api/v4/secrets/${name}?${query}&version=1`);
  const { commits } = (await test.admin('GET', `${base}/commits?environment=dev&secretPath=/`)).body;
  const tree = await test.admin('GET', `${base}/history/tree?environment=dev`);
  const found = tree.body.tree.environments[0].secrets.find((one: { secretKey: string }) => one.secretKey === name);
  return [
    made.body.secret.actor,
    (await test.admin('GET', `/api/v4/secrets/${name}?${query}`)).body.secret.actor,
    older.body.secret.actor,
    ...versions.body.secretVersions.map((one: { actor: unknown }) => one.actor),
    ...commits.slice(0, 2).map((one: { actor: unknown }) => one.actor),
    found.actor,
  ];
}

describe('who wrote a version', () => {
  it('is recorded with its membership in the project', async () => {
    const project = await test.project();
    const machine = await test.identity({ projectId: project.id, projectRole: 'member' });
    const base = `/api/v1/projects/${project.id}/memberships`;
    const { identityMembership } = (await test.admin('GET', `${base}/identities/${machine.id}`)).body;
    const writers = await writersOf(machine.call, project.id, 'BY_MEMBER');
    expect(writers).toHaveLength(8);
    for (const writer of writers)
      expect(writer).toMatchObject({ actorId: machine.id, membershipId: identityMembership.id, groupId: null });
  });

  it('is recorded with its group if it is in the project only by that', async () => {
    const project = await test.project();
    const machine = await test.identity();
    const group = await test.admin('POST', '/api/v1/groups', { name: 'Writers', slug: 'writers' });
    const { id: groupId } = group.body;
    await test.admin('POST', `/api/v1/groups/${groupId}/machine-identities/${machine.id}`);
    const base = `/api/v1/projects/${project.id}/memberships/groups/${groupId}`;
    const { groupMembership } = (await test.admin('POST', base, { role: 'member' })).body;
    const writers = await writersOf(machine.call, project.id, 'BY_GROUP');
    for (const writer of writers)
      expect(writer).toMatchObject({ actorId: machine.id, membershipId: groupMembership.id, groupId });
  });
});
