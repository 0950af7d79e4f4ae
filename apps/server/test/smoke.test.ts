import { afterAll, beforeAll, expect, it } from 'vitest';
import { testServer, type TestServer } from './harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

it('bootstraps an instance once', async () => {
  const payload = { email: 'Admin@Example.com', password: 'correct horse', organization: 'Acme' };
  const first = await test.as()('POST', '/api/v1/admin/bootstrap', payload);
  expect(first.body).toMatchObject({ organization: { name: 'Acme' }, user: { email: 'admin@example.com' } });
  const second = await test.as()('POST', '/api/v1/admin/bootstrap', payload);
  expect(second.status).toBe(400);
});

it('creates projects and identities for tests', async () => {
  const project = await test.project();
  const { call } = await test.identity({ projectId: project.id, projectRole: 'viewer' });
  expect((await call('GET', '/api/v1/nowhere')).status).toBe(404);
});
