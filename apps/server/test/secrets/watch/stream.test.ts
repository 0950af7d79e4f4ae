import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { anotherProcess } from '../../harness/another-process.ts';
import { testServer } from '../../harness/test-server.ts';
import { listen, place, watching } from '../../harness/watching.ts';

const all = await watching();
const { setUp, subscribe, subscribeByTrpc, test } = all;
afterEach(() => all.hangUp());
afterAll(() => all.close());

describe('a subscription over tRPC', () => {
  it('sends the same, and continues where it was interrupted', async () => {
    const { projectId, write, remove } = await setUp();
    const [near, rest] = [await subscribeByTrpc(projectId), await subscribe(projectId)];
    expect([near.status, near.frames]).toEqual([
      200,
      [
        { event: 'connected', data: expect.any(Object) },
        { id: rest.lastId(), data: null },
      ],
    ]);
    await write(['A', 'B']);
    await remove('B');
    await expect.poll(() => [near.told().length, rest.told().length]).toEqual([2, 2]);
    expect(near.told()).toEqual(rest.told());
    near.close();
    await write(['C']);
    const again = await subscribeByTrpc(projectId, { lastEventId: near.lastId() });
    await expect.poll(() => again.told()).toEqual([['secret:create', [place('C')]]]);
    again.close();
    rest.close();
    await expect.poll(() => test.coffer.watches.size).toBe(0);
  });

  it('is rejected like any call, and ends with the permission, and with the server', async () => {
    const on = await testServer();
    try {
      const at = await listen(on.app);
      const { projectId, ok } = await setUp(on);
      const refused = async (token: string) => {
        const { frames } = await subscribeByTrpc(projectId, { token, at });
        return frames.at(-1);
      };
      const failure = (httpStatus: number) => ({ event: 'serialized-error', data: { data: { httpStatus } } });
      expect(await refused('none')).toMatchObject(failure(401));
      expect(await refused((await on.foreign()).identity.token)).toMatchObject(failure(404));
      const { id, token } = await on.identity({ projectId, projectRole: 'admin' });
      const reader = await subscribeByTrpc(projectId, { token, at });
      const last = await subscribeByTrpc(projectId, { token: on.adminIdentity.token, at });
      await ok('PATCH', `/api/v1/projects/${projectId}/memberships/identities/${id}`, {
        roles: [{ role: 'no-access', isTemporary: false }],
      });
      await expect.poll(() => reader.isOver).toBe(true);
      expect(reader.frames.at(-1)).toMatchObject(failure(403));
      expect(last.isOver).toBe(false);
      await on.close();
      await expect.poll(() => last.isOver).toBe(true);
      expect(last.frames.at(-1)).toMatchObject(failure(503));
    } finally {
      await on.close();
    }
  });
});

describe('streams', () => {
  it('are few for each caller, for each organization, and in all', async () => {
    const on = await testServer({ watchLimits: { perCaller: 2, perOrganization: 3, perProcess: 8 } });
    try {
      const at = await listen(on.app);
      const { projectId } = await setUp(on);
      const [one, two] = [on.adminIdentity.token, (await on.identity({ projectId, projectRole: 'admin' })).token];
      const first = await subscribe(projectId, { token: one, at });
      await subscribe(projectId, { token: one, at });
      const refused = await subscribe(projectId, { token: one, at });
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
      expect((await subscribe(projectId, { token: two, at })).status).toBe(200);
      expect((await subscribe(projectId, { token: two, at })).status).toBe(429);
      // Another organization has its own limit.
      const foreign = await on.foreign();
      const made = await foreign.call('POST', '/api/v1/projects', { projectName: 'foreign' });
      const other = { token: foreign.identity.token, at };
      expect((await subscribe(made.body.project.id, other)).status).toBe(200);
      first.close();
      await expect.poll(() => on.coffer.watches.size).toBe(3);
      expect((await subscribe(projectId, { token: two, at })).status).toBe(200);
    } finally {
      await on.close();
    }
  });

  it('are never all of one organization, nor all that another one leaves', async () => {
    const on = await testServer({ watchLimits: { perProcess: 8 } });
    try {
      const at = await listen(on.app);
      const opened: number[] = [];
      for (let organization = 0; organization < 3; organization++) {
        const { call, identity } = await on.foreign();
        const { project } = (await call('POST', '/api/v1/projects', { projectName: 'streams' })).body;
        let count = 0;
        while ((await subscribe(project.id, { token: identity.token, at })).status === 200) count++;
        opened.push(count);
      }
      expect(opened).toEqual([4, 2, 1]);
    } finally {
      await on.close();
    }
  });

  it.each([['REST'], ['tRPC']])('over %s gives its place back if the client leaves before it begins', async (by) => {
    const on = await testServer({ watchLimits: { perCaller: 2 } });
    try {
      const { hostname, port } = new URL(await listen(on.app));
      const { projectId } = await setUp(on);
      const input = JSON.stringify({ projectId, register: [{ event: 'secret:create' }] });
      const headers = [`host: ${hostname}:${port}`, `authorization: Bearer ${on.adminIdentity.token}`];
      const request =
        by === 'REST'
          ? ['POST /api/v1/events/subscribe/project-events HTTP/1.1', ...headers, 'content-type: application/json']
          : [`GET /api/trpc/secretEvents.watch?input=${encodeURIComponent(input)} HTTP/1.1`, ...headers];
      const body = by === 'REST' ? input : '';
      const text = `${request.join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
      for (const after of [0, 0, 0, 1, 1, 2, 2, 3, 5, 8]) {
        const socket = connect(Number(port), hostname);
        await once(socket, 'connect');
        socket.write(text);
        await sleep(after);
        socket.destroy();
      }
      // Checked again after a time in which an abandoned one could still begin.
      await sleep(300);
      await expect.poll(() => on.coffer.watches.size).toBe(0);
    } finally {
      await on.close();
    }
  });

  it('sends heartbeats while nothing happens', async () => {
    const on = await testServer({}, { streams: { heartbeatMs: 30 } });
    try {
      const { projectId } = await setUp(on);
      const reader = await subscribe(projectId, { token: on.adminIdentity.token, at: await listen(on.app) });
      await expect.poll(() => reader.beats).toBeGreaterThan(3);
      expect(reader.frames).toHaveLength(1);
    } finally {
      await on.close();
    }
  });

  it('ends when the server stops, which does not wait for it', async () => {
    const on = await testServer();
    const { projectId } = await setUp(on);
    const reader = await subscribe(projectId, { token: on.adminIdentity.token, at: await listen(on.app) });
    await on.close();
    await expect.poll(() => reader.isOver).toBe(true);
    expect(reader.frames.at(-1)).toMatchObject({ event: 'error', data: { statusCode: 503 } });
  });

  it('of another process sends the same, also while it receives no notifications of changes', async () => {
    const { projectId, write } = await setUp();
    const other = await anotherProcess(test);
    const { app, coffer } = other;
    try {
      const at = await listen(app);
      const [near, far] = [await subscribe(projectId), await subscribe(projectId, { at })];
      await write(['A']);
      await expect.poll(() => [near.told().length, far.told().length]).toEqual([1, 1]);
      expect(far.told()).toEqual(near.told());
      // It may not know yet what another process has sent.
      coffer.revisions.invalidate([`revision:${projectId}`]);
      await coffer.revisions.load(projectId, 0, async () => ({ value: near.frames[0]!.id!, tags: [] }));
      expect((await subscribe(projectId, { at, lastEventId: near.lastId() })).status).toBe(200);
      coffer.revisions.clear();
      const back = await subscribe(projectId, { at, lastEventId: near.frames[0]!.id });
      await expect.poll(() => back.told()).toEqual(near.told());
      // Its connection for that is taken away again and again.
      const cut = () =>
        test.coffer.pool.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coffer-cache' and datname = current_database()`,
        );
      await cut();
      const cutting = setInterval(() => void cut(), 100);
      try {
        for (const key of ['B', 'C', 'D']) await write([key]);
        await expect.poll(() => [near.told().length, far.told().length]).toEqual([4, 4]);
        expect(far.told()).toEqual(near.told());
      } finally {
        clearInterval(cutting);
      }
    } finally {
      await other.close();
    }
  });
});
