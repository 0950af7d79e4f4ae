import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/certificates.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const DAY = 86_400_000;
const MANAGE = { subject: 'environments', action: ['read', 'create', 'edit', 'delete'] };
const CONTENTS = ['secrets', 'secret-folders', 'secret-imports', 'dynamic-secrets'].map((subject) => ({
  subject,
  action: subject === 'dynamic-secrets' ? ['create-root-credential'] : ['create'],
}));

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A project, and two callers who manage its environments. */
async function setUp() {
  const { id: projectId } = await test.project();
  const path = `/api/v1/projects/${projectId}/environments`;
  const { environments } = ok(await test.admin('GET', `/api/v1/projects/${projectId}`)).project;
  const idOf = (slug: string): string => environments.find((one: { slug: string }) => one.slug === slug).id;
  const manager = async () => (await test.identity({ projectId, rules: [MANAGE, ...CONTENTS] })).call;
  return {
    mallory: await manager(),
    other: await manager(),
    staging: `${path}/${idOf('staging')}`,
    dev: `${path}/${idOf('dev')}`,
    create: (call: Caller, slug = 'staging') => call('POST', path, { name: slug, slug }),
  };
}

const RESERVED = { status: 400, body: { message: expect.stringMatching(/reserved until \d{4}-.*choose another/) } };
const GIVEN_UP: [string, (call: Caller, url: string) => ReturnType<Caller>][] = [
  ['renamed', (call, url) => call('PATCH', url, { slug: 'stage' })],
  ['deleted', (call, url) => call('DELETE', url)],
];

describe('attack: the former slug of an environment', () => {
  it.each(GIVEN_UP)('is not given to another environment for thirty days after it was %s', async (_, giveUp) => {
    const { mallory, staging, dev, create } = await setUp();
    ok(await giveUp(test.admin, staging));
    expect(await create(mallory)).toMatchObject(RESERVED);
    expect(await mallory('PATCH', dev, { slug: 'staging' })).toMatchObject(RESERVED);
    ok(await create(mallory, 'another'));
    test.advance(30 * DAY);
    ok(await create(mallory));
  });

  it.each(GIVEN_UP)('is free for whoever %s it, and for administrators of the project', async (_, giveUp) => {
    const { mallory, other, staging, create } = await setUp();
    ok(await giveUp(mallory, staging));
    expect(await create(other)).toMatchObject(RESERVED);
    const { environment } = ok(await create(mallory));
    ok(await mallory('DELETE', staging.replace(/[^/]*$/, environment.id)));
    ok(await create(test.admin));
  });

  it('is given back to the environment that had it', async () => {
    const { other, staging } = await setUp();
    ok(await test.admin('PATCH', staging, { slug: 'stage' }));
    ok(await other('PATCH', staging, { slug: 'staging' }));
    ok(await test.admin('DELETE', staging));
    expect(ok(await other('POST', `${staging}/restore`)).environment.slug).toBe('staging');
  });

  it('is not given back to an environment after which another one had it', async () => {
    const { other, staging, create } = await setUp();
    ok(await test.admin('DELETE', staging));
    const { environment } = ok(await create(test.admin));
    ok(await test.admin('PATCH', staging.replace(/[^/]*$/, environment.id), { slug: 'next' }));
    expect(await other('POST', `${staging}/restore`)).toMatchObject(RESERVED);
    ok(await test.admin('POST', `${staging}/restore`));
  });

  it('is reserved where it is given up and taken at the same time', async () => {
    const { mallory, staging, create } = await setUp();
    const [, taken] = await Promise.all([test.admin('PATCH', staging, { slug: 'stage' }), create(mallory)]);
    expect(taken.status).toBe(400);
    expect(await create(mallory)).toMatchObject(RESERVED);
  });
});
