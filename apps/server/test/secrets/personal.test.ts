import { makeUser } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A project with the shared secret KEY and two of its developers. */
async function setUp() {
  const project = await test.project();
  const developer = async (name: string) => {
    const user = await makeUser(test.coffer, {
      email: `${name}-${project.slug}@example.com`,
      organizationId: test.organizationId,
    });
    await test.admin('POST', `/api/v2/workspace/${project.id}/memberships`, {
      emails: [`${name}-${project.slug}@example.com`],
      roleSlugs: ['member'],
    });
    return test.as(user.token);
  };
  const at = { projectId: project.id, environment: 'dev' };
  await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'shared' });
  return {
    project,
    at,
    ann: await developer('ann'),
    ben: await developer('ben'),
    url: `/api/v4/secrets/KEY?projectId=${project.id}&environment=dev`,
  };
}

describe('a personal secret', () => {
  it('overrides the shared one for its owner alone', async () => {
    const { at, ann, ben, url, project } = await setUp();
    expect(
      (await ann('POST', '/api/v4/secrets/KEY', { ...at, secretValue: "ann's", type: 'personal' })).body.secret,
    ).toMatchObject({ type: 'personal', secretValue: "ann's" });
    expect((await ann('GET', `${url}&type=personal`)).body.secret.secretValue).toBe("ann's");
    expect((await ann('GET', url)).body.secret.secretValue).toBe('shared');
    expect((await ben('GET', `${url}&type=personal`)).status).toBe(404);
    const list = `/api/v4/secrets?projectId=${project.id}&environment=dev&includePersonalOverrides=true`;
    const types = (answer: { body: { secrets: { type: string }[] } }) =>
      answer.body.secrets.map((secret) => secret.type);
    expect(types(await ann('GET', list))).toEqual(['shared', 'personal']);
    expect(types(await ben('GET', list))).toEqual(['shared']);
    expect(types(await test.admin('GET', list))).toEqual(['shared']);
  });

  it('needs a shared one to override, and a user', async () => {
    const { at, ann } = await setUp();
    expect((await ann('POST', '/api/v4/secrets/NONE', { ...at, secretValue: 'v', type: 'personal' })).status).toBe(404);
    expect(
      (await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'v', type: 'personal' })).status,
    ).toBe(403);
  });

  it('is updated and deleted without touching the shared one', async () => {
    const { at, ann, url } = await setUp();
    await ann('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'one', type: 'personal' });
    expect(
      (await ann('PATCH', '/api/v4/secrets/KEY', { ...at, secretValue: 'two', type: 'personal' })).body.secret,
    ).toMatchObject({ secretValue: 'two', version: 2 });
    expect((await ann('DELETE', '/api/v4/secrets/KEY', { ...at, type: 'personal' })).status).toBe(200);
    expect((await ann('GET', `${url}&type=personal`)).status).toBe(404);
    expect((await ann('GET', url)).body.secret).toMatchObject({ secretValue: 'shared', version: 1 });
  });

  it('follows the shared one when it is renamed or deleted', async () => {
    const { at, ann, project } = await setUp();
    await ann('POST', '/api/v4/secrets/KEY', { ...at, secretValue: "ann's", type: 'personal' });
    await test.admin('PATCH', '/api/v4/secrets/KEY', { ...at, newSecretName: 'NEW' });
    const url = `/api/v4/secrets/NEW?projectId=${project.id}&environment=dev&type=personal`;
    expect((await ann('GET', url)).body.secret.secretValue).toBe("ann's");
    await test.admin('DELETE', '/api/v4/secrets/NEW', at);
    expect((await ann('GET', url)).status).toBe(404);
  });
});
