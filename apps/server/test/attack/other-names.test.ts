import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok, userUrl } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

describe('attack: another name of what a rule is about', () => {
  it.each([
    ['a text', (id: string) => id],
    ['$eq', (id: string) => ({ $eq: id })],
    ['$in', (id: string) => ({ $in: [id] })],
    ['$glob', (id: string) => ({ $glob: `${id.slice(0, 13)}*` })],
  ])('a rule that forbids an ID in capitals, by %s, forbids the ID', async (_, conditionOf) => {
    const project = await test.project();
    const [forbidden, other] = [
      await test.identity({ projectId: project.id, projectRole: 'viewer' }),
      await test.identity({ projectId: project.id, projectRole: 'viewer' }),
    ];
    const read = { subject: 'identity', action: ['read'] };
    const identityId = conditionOf(forbidden.id.toUpperCase());
    const { call } = await test.identity({
      projectId: project.id,
      rules: [read, { ...read, conditions: { identityId }, inverted: true }],
    });
    const statusOf = async (id: string) =>
      (await call('GET', `/api/v1/projects/${project.id}/memberships/identities/${id}`)).status;
    expect([await statusOf(forbidden.id), await statusOf(forbidden.id.toUpperCase())]).toEqual([403, 403]);
    expect([await statusOf(other.id), await statusOf(other.id.toUpperCase())]).toEqual([200, 200]);
  });

  it.each(['project', 'workspace'])(
    'a rule that forbids to create projects by the subject %s forbids it by both',
    async (subject) => {
      const slug = `no-${subject}`;
      const permissions = [{ subject, action: ['create'], inverted: true }];
      await ok(test.admin('POST', '/api/v1/organization/roles', { slug, name: slug, permissions }));
      const group = await ok(test.admin('POST', '/api/v1/groups', { name: slug, role: slug }));
      const { email, token } = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
      const create = () => test.as(token)('POST', '/api/v1/projects', { projectName: `By ${subject}` });
      expect((await create()).status).toBe(200);
      await ok(test.admin('POST', userUrl(group, { username: email })));
      expect(await create()).toMatchObject({
        status: 403,
        body: { error: 'PermissionDenied', explanation: { reason: 'forbidden' } },
      });
    },
  );
});
