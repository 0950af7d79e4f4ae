// @long: kills processes
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openReceiver } from './harness/receiver.ts';
import { isAlive, launchWorkers, startWorkers, type Connection, type WorkersUnderTest } from './harness/workers.ts';

const METRICS = 'a-token-of-sixteen-letters-or-more';
/** Refused logins in a minute. */
const LOGINS = 5;

let home: string;
let server: WorkersUnderTest;
let token: string;
let organizationId: string;
let projectId: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coffer-workers-'));
  server = await startWorkers({
    COFFER_DATA_DIR: home,
    COFFER_METRICS_TOKEN: METRICS,
    COFFER_LOGIN_RATE_LIMIT: String(LOGINS),
    COFFER_OUTBOUND_ALLOW: '127.0.0.0/8',
    // Others are asked meanwhile.
    COFFER_STOP_DELAY: '3',
  });
  const ask = server.connect();
  const { body } = await ask('POST', '/api/v1/admin/bootstrap', {
    email: 'admin@example.com',
    password: 'correct horse battery',
    organization: 'Acme',
  });
  ask.close();
  token = body.identity.credentials.token;
  organizationId = body.organization.id;
  const admin = server.connect(token);
  projectId = (await admin('POST', '/api/v1/projects', { projectName: 'Workers' })).body.project.id;
  admin.close();
});
afterAll(async () => {
  for (const pid of server.processes()) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

const PLACE = '?environment=dev&secretPath=/';
const write = (ask: Connection, key: string, secretValue = 'value') =>
  ask('POST', `/api/v4/secrets/${key}`, { projectId, environment: 'dev', secretPath: '/', secretValue });
const readOne = (ask: Connection, key: string) => ask('GET', `/api/v4/secrets/${key}${PLACE}&projectId=${projectId}`);

/** Writes and reads over some connections until `work` is done. What fails without an answer is ambiguous. */
async function underLoad(work: () => Promise<void>) {
  const acknowledged: string[] = [];
  const statuses = new Map<number | undefined, number>();
  const broken: unknown[] = [];
  /** Of each client, how many connections the server has closed with an answer. */
  const ended: number[] = [];
  let isOver = false;
  let count = 0;
  const client = async (_: unknown, index: number) => {
    ended[index] = 0;
    const ask = server.connect(token);
    while (!isOver) {
      const key = `LOAD_${Date.now()}_${count++}`;
      const isWrite = count % 4 === 0;
      try {
        const { status, isLast } = await (isWrite ? write(ask, key) : readOne(ask, 'SHARED'));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (isWrite && status === 200) acknowledged.push(key);
        if (isLast) ended[index]++;
      } catch (error) {
        broken.push(error);
      }
      await sleep(60);
    }
    ask.close();
  };
  const clients = Array.from({ length: 4 }, client);
  await work().finally(() => (isOver = true));
  await Promise.all(clients);
  return { acknowledged, statuses: Object.fromEntries(statuses), broken, ended };
}

const saysAfter = (from: number, text: string) =>
  expect.poll(() => server.output().slice(from), { timeout: 200_000 }).toContain(text);

describe('two workers', () => {
  it('serve one port and agree: what one writes, the other reads; what one revokes, the other refuses', async () => {
    const [first, second] = (await server.connectToEach(2, token)) as [Connection, Connection];
    expect((await write(first, 'SHARED', 'from the first')).status).toBe(200);
    expect((await readOne(second, 'SHARED')).body.secret.secretValue).toBe('from the first');
    expect((await second('GET', '/api/status')).body.message).toBe('Ok');

    const { body } = await first('POST', '/api/v1/identities', { name: 'revoked', organizationId, role: 'member' });
    const auth = `/api/v1/auth/token-auth/identities/${body.identity.id}`;
    await first('POST', auth, {});
    const issued = (await first('POST', `${auth}/tokens`, {})).body;
    const [one, other] = (await server.connectToEach(2, issued.accessToken)) as [Connection, Connection];
    const useOf = async (ask: Connection) => (await ask('GET', `/api/v1/identities/${body.identity.id}`)).status;
    for (const ask of [one, other]) expect(await useOf(ask)).toBe(200);
    await second('POST', `/api/v1/auth/token-auth/tokens/${issued.tokenData.id}/revoke`, {});
    for (const ask of [one, other]) await expect.poll(() => useOf(ask)).toBe(401);
    for (const ask of [first, second, one, other]) ask.close();
  });

  it('do background work once, for changes over either of them', async () => {
    const receiver = await openReceiver();
    const connections = (await server.connectToEach(2, token)) as [Connection, Connection];
    const webhook = { workspaceId: projectId, environment: 'dev', webhookUrl: receiver.url };
    const { body } = await connections[0]('POST', '/api/v1/webhooks', webhook);
    for (const [i, ask] of connections.entries()) {
      await write(ask, `HOOK_${i}`);
      await expect.poll(() => receiver.received.length).toBe(i + 1);
    }
    await sleep(500);
    expect(receiver.received).toHaveLength(2);
    expect((await connections[1]('DELETE', `/api/v1/webhooks/${body.webhook.id}`)).status).toBe(200);
    await receiver.close();
    for (const ask of connections) ask.close();
  });

  it('count refused logins together: guesses over connections to both have one limit', async () => {
    const connections = (await server.connectToEach(2)) as [Connection, Connection];
    const guess = (ask: Connection) =>
      ask('POST', '/api/v1/auth/universal-auth/login', { clientId: 'nobody', clientSecret: 'a guess' });
    const refused: (number | undefined)[] = [];
    for (let i = 0; i < LOGINS; i++) {
      refused.push((await guess(connections[i % 2]!)).status);
      // It is sent to the other milliseconds later, and before what this worker asks it for after that.
      await sleep(100);
      for (let n = 0; n < 2; n++) await countOf(connections[i % 2]!);
    }
    expect(new Set(refused)).toEqual(new Set([401]));
    for (const ask of connections) expect((await guess(ask)).status).toBe(429);
    for (const ask of connections) ask.close();
  });

  it('report the sums of both in /metrics', async () => {
    const connections = await server.connectToEach(2);
    const before = await countOf(connections[0]!);
    for (const ask of connections) for (let i = 0; i < 3; i++) await ask('GET', '/api/status');
    for (const ask of connections) expect(await countOf(ask)).toBe(before + 6);
    const { body } = await connections[1]!('GET', '/metrics', undefined, { authorization: `Bearer ${METRICS}` });
    expect(body).toContain('coffer_processes{of="all"} 2\n');
    for (const ask of connections) ask.close();
  });
});

/** How often the status was asked for, according to `/metrics`. */
async function countOf(ask: Connection): Promise<number> {
  const { body } = await ask('GET', '/metrics', undefined, { authorization: `Bearer ${METRICS}` });
  return Number(/_count\{method="GET",route="\/api\/status",status="200"\} (\d+)/.exec(body)?.[1] ?? 0);
}

describe('a worker that is killed under load', () => {
  it('is replaced, and no acknowledged write is lost', async () => {
    const from = server.output().length;
    const [first, second] = server.workers() as [number, number];
    const { acknowledged, statuses } = await underLoad(async () => {
      await sleep(300);
      process.kill(second, 'SIGKILL');
      await saysAfter(from, 'Worker 2 has ended unexpectedly (signal SIGKILL)');
      await saysAfter(from, 'Worker 2 was replaced');
      await sleep(200);
    });
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(acknowledged.length).toBeGreaterThan(5);
    const ask = server.connect(token);
    const { body } = await ask('GET', `/api/v4/secrets${PLACE}&projectId=${projectId}`);
    const kept = new Set(body.secrets.map((secret: { secretKey: string }) => secret.secretKey));
    expect(acknowledged.filter((key) => !kept.has(key))).toEqual([]);
    expect(server.workers()).toContain(first);
    // What the killed one has counted is still in the sums.
    expect(await countOf(ask)).toBeGreaterThan(0);
    ask.close();
  });

  it('takes the connections with it that it was handed and had not taken', async () => {
    const from = server.output().length;
    const [, second] = server.workers() as [number, number];
    process.kill(second, 'SIGSTOP');
    const connections = Array.from({ length: 4 }, () => server.connect());
    const outcomes: string[] = [];
    const note = (outcome: string) => () => void outcomes.push(outcome);
    const asked = connections.map((ask) => ask('GET', '/api/status').then(note('answered'), note('broken')));
    // The first worker answers all but the one that waits for the second.
    await expect.poll(() => outcomes.length, { timeout: 30_000 }).toBe(asked.length - 1);
    process.kill(second, 'SIGKILL');
    await expect.poll(() => outcomes.length, { timeout: 30_000 }).toBe(asked.length);
    expect(outcomes).toEqual(['answered', 'answered', 'answered', 'broken']);
    await saysAfter(from, 'Worker 2 was replaced');
    for (const connection of connections) connection.close();
  });
});

describe('SIGHUP', () => {
  it('replaces one worker after another under load, and no request fails', async () => {
    const from = server.output().length;
    const before = server.workers();
    const { statuses, broken, ended, acknowledged } = await underLoad(async () => {
      await sleep(200);
      server.child.kill('SIGHUP');
      await saysAfter(from, 'All workers were replaced');
      await sleep(200);
    });
    expect(broken).toEqual([]);
    // No connection is closed before the client hears of it: a request that is on its way then would get no answer.
    expect(Math.min(...ended)).toBeGreaterThan(0);
    expect(Object.keys(statuses)).toEqual(['200']);
    expect(acknowledged.length).toBeGreaterThan(10);
    const after = server.workers();
    expect(after).toHaveLength(2);
    expect(after.filter((pid) => before.includes(pid))).toEqual([]);
  });

  it('keeps the workers that serve, if a new one cannot start; one that ends then is replaced later', async () => {
    const from = server.output().length;
    const path = join(home, 'root.key');
    const key = await readFile(path);
    await writeFile(path, 'nonsense');
    const before = server.workers();
    server.child.kill('SIGHUP');
    await saysAfter(from, 'The restart was given up');
    expect(server.output().slice(from)).toMatch(/"reason":"[^"]* holds no root key/);
    expect(server.workers()).toEqual(before);

    // For one that ends now, it is tried again after pauses.
    process.kill(before[1]!, 'SIGKILL');
    await saysAfter(from, 'Worker 2 ends again and again: it is replaced in 0.5 seconds');
    await writeFile(path, key);
    expect((await fetch(`${server.url}/api/status`)).status).toBe(200);
  });
});

describe('SIGTERM', () => {
  it('makes them not ready, while they still serve, and ends all processes with exit code 0', async () => {
    const processes = server.processes();
    // The primary, its database and at least one worker: the other is being replaced.
    expect(processes.length).toBeGreaterThanOrEqual(3);
    const statusOf = (path: string) => fetch(`${server.url}${path}`).then(({ status }) => status);
    expect(await statusOf('/readyz')).toBe(200);
    server.child.kill('SIGTERM');
    await expect.poll(() => statusOf('/readyz')).toBe(503);
    expect([await statusOf('/livez'), await statusOf('/api/status')]).toEqual([200, 200]);
    expect(await server.ended).toBe(0);
    expect(processes.filter(isAlive)).toEqual([]);
  });
});

describe('a server whose workers cannot start', () => {
  it('ends with the reason and the exit code that a single process has', async () => {
    const { ended, errors } = launchWorkers({
      COFFER_DATA_DIR: join(home, 'none'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      COFFER_DATABASE_WAIT: '0',
      COFFER_ROOT_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    expect(await ended).toBe(69);
    expect(await errors).toMatch(/^Coffer did not start: the database at 127\.0\.0\.1:1\/none .*ECONNREFUSED.*\n$/);
  });
});
