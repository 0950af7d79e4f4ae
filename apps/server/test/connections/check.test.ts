import { checkConnection, connectionCheckMail } from '@coffer/domain';
import { GitHub, makeUser, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/app-connections/github';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const standIns = new StandIns();
const github = new GitHub('ghp_the_token');
const sent: { to: string; subject: string; text: string }[] = [];

let test: TestServer;
let admin: { email: string };
let editor: { email: string };
/** Somebody with these rights in the organization. */
async function userWith(slug: string, ...permissions: object[]): Promise<{ email: string }> {
  const { organizationId } = test;
  const named = { slug, name: 'Custom', permissions };
  await ok(test.admin('POST', '/api/v1/organization/roles', named));
  return makeUser(test.coffer, { organizationId, role: slug });
}
beforeAll(async () => {
  test = await testServer({
    fetch: standIns.fetch,
    clock: 'standing',
    sendMail: async ({ to, subject, text }) => void sent.push({ to, subject, text }),
  });
  await standIns.serve('api.github.com', github.listener);
  admin = await makeUser(test.coffer, { organizationId: test.organizationId, role: 'admin' });
  await makeUser(test.coffer, { organizationId: test.organizationId, role: 'member' });
  editor = await userWith('edits', { subject: 'app-connections', action: ['read', 'edit'] });
  await userWith('reads', { subject: 'app-connections', action: 'read' });
  await userWith(
    'forbidden',
    ...['edit', 'edit'].map((action, n) => ({ subject: 'app-connections', action, inverted: n === 1 })),
  );
});
beforeEach(() => {
  sent.length = 0;
  github.fault = () => false;
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

let number = 0;
const made = async (more: object = {}): Promise<{ id: string; name: string }> => {
  const credentials = { personalAccessToken: github.token };
  const { appConnection } = await ok(
    test.admin('POST', PATH, { name: `checked-${++number}`, method: 'pat', credentials, ...more }),
  );
  return appConnection;
};
const read = async (id: string) => (await ok(test.admin('GET', `${PATH}/${id}`))).appConnection;
const now = () => test.coffer.now();
const ctx = () => test.coffer.contextFor({ type: 'platform', organizationId: test.organizationId });
const check = (connectionId: string) =>
  checkConnection.run(ctx(), { organizationId: test.organizationId, connectionId }, {} as never);
const dueIn = async (id: string): Promise<number> => {
  const { rows } = await test.coffer.pool.query('select check_due_at from app_connections where id = $1', [id]);
  return new Date(rows[0].check_due_at).getTime() - now().getTime();
};
/** The notices that wait, sent to all of their readers. */
async function sendNotices(connectionId: string): Promise<void> {
  const { rows } = await test.coffer.pool.query<{ payload: { connectionId: string } }>(
    `select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'mail.app_connection_check'`,
  );
  for (const { payload } of rows.filter((one) => one.payload.connectionId === connectionId))
    await connectionCheckMail.run(ctx(), payload as never, {} as never);
}
const revoked = (
  _method: string,
  _path: string,
  response: { writeHead(status: number): { end(body: string): void } },
) => {
  response.writeHead(401).end(JSON.stringify({ message: `Bad credentials ${github.token}` }));
  return true;
};

describe('the scheduled check of a connection', () => {
  it('runs a day after it was saved, and shows when', async () => {
    const { id } = await made();
    expect([(await read(id)).lastCheckedAt, await dueIn(id)]).toEqual([now().toISOString(), DAY]);
    await check(id);
    expect((await read(id)).lastCheckedAt).toBe(now().toISOString());
    test.advance(DAY);
    await check(id);
    expect(await read(id)).toMatchObject({ lastCheckedAt: now().toISOString(), lastCheckMessage: null, version: 1 });
    expect(await dueIn(id)).toBe(DAY);
  });

  it('reports a failure without the credential, notifies whoever may edit it once, and is repeated sooner', async () => {
    const { id, name } = await made();
    github.fault = revoked;
    test.advance(DAY);
    await check(id);
    const failed = await read(id);
    expect(failed.lastCheckMessage).toContain('Bad credentials');
    expect(failed.lastCheckMessage).not.toContain(github.token);
    expect(Math.abs((await dueIn(id)) - HOUR)).toBeLessThanOrEqual(HOUR / 10);
    await sendNotices(id);
    await sendNotices(id);
    expect(sent.map(({ to }) => to).toSorted()).toEqual([admin.email, editor.email].toSorted());
    expect(sent[0]).toMatchObject({
      subject: `The connection ${name} to GitHub failed its check`,
      text: expect.stringContaining('Bad credentials'),
    });
    expect(sent[0]!.text).not.toContain(github.token);
    test.advance(2 * HOUR);
    await check(id);
    const { rows } = await test.coffer.pool.query(
      `select count(*)::int as events from audit_events where published = 'app-connection-check-failed' and data ->> 'connectionId' = $1`,
      [id],
    );
    expect(rows).toEqual([{ events: 1 }]);
    github.fault = () => false;
    test.advance(DAY);
    await check(id);
    expect((await read(id)).lastCheckMessage).toBeNull();
  });

  it('ends a failure when accepted credentials are saved, and waits where the app throttles', async () => {
    const { id } = await made();
    github.fault = ((_method: string, _path: string, response: never) => {
      (response as { writeHead(status: number, headers: object): { end(): void } })
        .writeHead(429, { 'retry-after': '3600' })
        .end();
      return true;
    }) as never;
    test.advance(DAY);
    await check(id);
    expect((await read(id)).lastCheckMessage).toContain('throttling');
    github.fault = () => false;
    const credentials = { personalAccessToken: github.token };
    const { appConnection } = await ok(test.admin('PATCH', `${PATH}/${id}`, { credentials }));
    expect([appConnection.lastCheckMessage, await dueIn(id)]).toEqual([null, DAY]);
  });
});

describe('a check on request', () => {
  const request = (id: string, call = test.admin) => call('POST', `${PATH}/${id}/check`, {});

  it('says whether the app accepts the credentials, and stores it', async () => {
    const { id } = await made();
    expect(await ok(request(id))).toEqual({ isAccepted: true, message: null });
    github.fault = revoked;
    const { isAccepted, message } = await ok(request(id));
    expect([isAccepted, message]).toEqual([false, expect.any(String)]);
    expect(message).not.toContain(github.token);
    expect(await read(id)).toMatchObject({ lastCheckMessage: message, lastCheckedAt: expect.any(String) });
    // Who asked knows it.
    await sendNotices(id);
    expect(sent).toEqual([]);
    github.fault = () => false;
    test.advance(HOUR);
    expect(await ok(request(id))).toEqual({ isAccepted: true, message: null });
    expect(await dueIn(id)).toBe(DAY);
    const { rows } = await test.coffer.pool.query(
      `select count(*)::int as count from audit_events where type = 'app_connection.checked' and data @> $1::jsonb`,
      [JSON.stringify({ connectionId: id })],
    );
    expect(rows).toEqual([{ count: 3 }]);
  });

  it('is for those who may use it, and hidden from others', async () => {
    const { id: projectId } = await test.project();
    const { id } = await made({ projectId });
    const who = async (action: string) =>
      (await test.identity({ projectId, rules: [{ subject: 'app-connections', action: [action] }] })).call;
    const reader = await who('read');
    expect((await request(id, reader)).status).toBe(403);
    const user = await who('connect');
    expect((await request(id, user)).status).toBe(200);
    const { call: foreign } = await test.foreign();
    expect((await request(id, foreign)).status).toBe(404);
    expect((await request(id, (await test.identity()).call)).status).toBe(404);
  });
});
