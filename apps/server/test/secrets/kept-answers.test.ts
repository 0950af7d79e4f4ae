import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { anotherProcess } from '../harness/another-process.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

let test: TestServer;
beforeAll(async () => {
  test = await testServer();
});
afterAll(() => test.close());

/** A project with a secret, and the path of the list that contains it. */
async function setUp() {
  const { id: projectId } = await test.project();
  const at = { projectId, environment: 'dev' };
  await test.admin('POST', '/api/v4/secrets/KEY', { ...at, secretValue: 'before' });
  return { projectId, at, url: `/api/v4/secrets?projectId=${projectId}&environment=dev` };
}
const secretIn = async (url: string, headers?: Record<string, string>) =>
  (await test.admin('GET', url, undefined, headers)).body.secrets[0];
const readOften = async (url: string) => {
  for (let n = 0; n < 3; n++) await secretIn(url);
};

const eventsOf = async (projectId: string) =>
  (
    await test.coffer.pool.query<{ data: object; request_id: string }>(
      `select data, request_id from audit_events where project_id = $1 and published = 'get-secrets'`,
      [projectId],
    )
  ).rows;

describe('a list that is read again and again', () => {
  it('is the same response each time, with an event of its own for each request', async () => {
    const { projectId, url } = await setUp();
    const answers = [];
    for (let n = 0; n < 5; n++) answers.push(await test.admin('GET', url));
    for (const { status, body, headers } of answers) {
      expect({ status, body }).toEqual({ status: 200, body: answers[0]!.body });
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        etag: answers[0]!.headers['etag'],
      });
    }
    const events = await eventsOf(projectId);
    expect(events.map(({ data }) => data)).toEqual(events.map(() => events[0]!.data));
    expect(new Set(events.map((event) => event.request_id)).size).toBe(5);
  });

  it('does not read the secrets, unless the client asks for a new response', async () => {
    const { projectId, url } = await setUp();
    await readOften(url);
    // No operation does this: every change has a new revision.
    await test.coffer.pool.query(`update secrets set key = 'OTHER' where project_id = $1`, [projectId]);
    expect((await secretIn(url)).secretKey).toBe('KEY');
    expect((await secretIn(url, { 'cache-control': 'no-cache' })).secretKey).toBe('OTHER');
  });

  it('is only for its caller, with the rights of that time', async () => {
    const { projectId, url } = await setUp();
    const readers = [await test.identity({ projectId, projectRole: 'viewer' }), await test.identity({ projectId })];
    const statuses = () => Promise.all(readers.map(async ({ call }) => (await call('GET', url)).status));
    for (let n = 0; n < 3; n++) {
      await readOften(url);
      expect(await statuses()).toEqual([200, 200]);
      expect((await readers[1]!.call('GET', url)).body.secrets).toEqual([]);
    }
    const membership = `/api/v1/projects/${projectId}/memberships/identities/${readers[0]!.id}`;
    expect((await test.admin('DELETE', membership)).status).toBe(200);
    expect(await statuses()).toEqual([404, 200]);
  });

  it('is new at once after a change by another process', async () => {
    const { at, url } = await setUp();
    const other = await anotherProcess(test);
    onTestFinished(() => other.close());
    for (let round = 0; round < 5; round++) {
      await readOften(url);
      const changed = await other.app.inject({
        method: 'PATCH',
        url: '/api/v4/secrets/KEY',
        headers: { authorization: `Bearer ${test.adminIdentity.token}` },
        payload: { ...at, secretValue: `value ${round}` },
      });
      expect(changed.statusCode).toBe(200);
      expect((await secretIn(url)).secretValue).toBe(`value ${round}`);
    }
  });
});
