import { randomUUID } from 'node:crypto';
import { createOutbound, orphanedWebhooks, collectJob, jobs, startWorker, webhookJob } from '@coffer/domain';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { makeLog } from '../../../src/log.ts';
import { signatureOf, type Receiver } from '../../harness/receiver.ts';
import { testServer } from '../../harness/test-server.ts';
import { fails, KEY, MINUTE, VALUE, webhooks } from '../../harness/webhooks.ts';

const all = await webhooks();
const { outbound, paths, platform, setUp, test } = all;
afterAll(() => all.close());

let receiver: Receiver;
beforeEach(async () => {
  receiver = await all.renewed();
});

describe('a call', () => {
  it('contains the location and author of changes, signed, and never the contents', async () => {
    const { tell, write, project, look } = await setUp();
    await write('TOKEN');
    await tell();
    expect(receiver.received).toHaveLength(1);
    const [call] = receiver.received;
    expect(call).toMatchObject({ method: 'POST', url: '/hook' });
    const { rows } = await test.coffer.pool.query<{ name: string }>('select name from projects where id = $1', [
      project.id,
    ]);
    expect(call!.body).toEqual({
      event: 'secrets.modified',
      id: call!.headers['idempotency-key'],
      project: {
        workspaceId: project.id,
        projectId: project.id,
        projectName: rows[0]!.name,
        environment: 'dev',
        secretPath: '/',
        changedBy: expect.any(String),
        changedByActorType: 'identity',
      },
      timestamp: expect.any(Number),
    });
    expect(call!.headers['x-infisical-signature']).toBe(signatureOf(KEY, call!));
    expect(call!.headers['x-coffer-signature']).toBe(signatureOf(KEY, call!));
    expect(JSON.stringify(call)).not.toContain(VALUE);
    expect(await look()).toMatchObject({ lastStatus: 'success', lastRunErrorMessage: null });
  });

  it('names the folder that contains all, where a commit changes more than a hundred', async () => {
    const { tell, folder, project } = await setUp({ secretPath: '/**' });
    await folder('top');
    const names = Array.from({ length: 101 }, (_, n) => `f${n}`);
    for (const name of names) await folder(name, '/top');
    const secrets = names.map((name) => ({ secretKey: 'K', secretValue: VALUE, secretPath: `/top/${name}` }));
    const write = (some: typeof secrets) =>
      test.admin('PATCH', '/api/v4/secrets/batch', {
        ...{ projectId: project.id, environment: 'dev', secretPath: '/', mode: 'upsert', secrets: some },
      });
    expect((await write(secrets.slice(0, 2))).status).toBe(200);
    await tell();
    expect(paths().toSorted()).toEqual(['/top/f0', '/top/f1']);
    expect((await write(secrets)).status).toBe(200);
    await tell();
    expect(paths().slice(2)).toEqual(['/top']);
  });

  it('is not signed without a key', async () => {
    const { tell, write } = await setUp({ webhookSecretKey: '' });
    await write('A');
    await tell();
    const { headers } = receiver.received[0]!;
    expect([headers['x-coffer-signature'], headers['x-infisical-signature']]).toEqual([undefined, undefined]);
  });

  it('to Slack is a message of its form', async () => {
    const { tell, write } = await setUp({ type: 'slack' });
    await write('A');
    await tell();
    const { body } = receiver.received[0]!;
    expect(body).toMatchObject({
      text: expect.stringContaining('changed'),
      attachments: [{ fields: expect.any(Array) }],
    });
    const fields: { title: string; value: string }[] = body.attachments[0].fields;
    expect(Object.fromEntries(fields.map(({ title, value }) => [title, value]))).toMatchObject({
      Environment: 'dev',
      Folder: '/',
    });
  });

  it('is sent only for changes in its environment and folders', async () => {
    const { tell, write, folder } = await setUp({ secretPath: '/app/**' });
    await folder('app');
    await folder('db', '/app');
    await folder('application');
    await tell();
    expect(paths()).toEqual([]);
    await write('A');
    await write('A', '/application');
    await write('A', '/', 'prod');
    await tell();
    expect(paths()).toEqual([]);
    await write('A', '/app');
    await write('A', '/app/db');
    await tell();
    expect(paths()).toEqual(['/app', '/app/db']);
  });

  it('is sent for every kind of change, on both sides of a move', async () => {
    const { tell, write, folder, project } = await setUp({ secretPath: '/**' });
    const at = { projectId: project.id, environment: 'dev' };
    const a = await folder('a');
    await folder('b');
    await write('ONE', '/a');
    await tell();
    const since = async (work: () => Promise<unknown>) => {
      const before = receiver.received.length;
      await work();
      await tell();
      return paths().slice(before);
    };
    const { body } = await test.admin('GET', `/api/v4/secrets?projectId=${project.id}&environment=dev&secretPath=/a`);
    const move = {
      projectId: project.id,
      sourceEnvironment: 'dev',
      sourceSecretPath: '/a',
      destinationEnvironment: 'dev',
      destinationSecretPath: '/b',
      secretIds: [body.secrets[0].id],
    };
    const moved = async () => expect((await test.admin('POST', '/api/v4/secrets/move', move)).status).toBe(200);
    expect(await since(moved)).toEqual(['/a', '/b']);
    await write('TWO', '/a');
    await tell();
    expect(await since(() => test.admin('PATCH', `/api/v2/folders/${a}`, { ...at, path: '/', name: 'c' }))).toEqual([
      '/a',
      '/c',
    ]);
    expect(await since(() => test.admin('DELETE', '/api/v4/secrets/TWO', { ...at, secretPath: '/c' }))).toEqual(['/c']);
    expect(await since(() => test.admin('DELETE', '/api/v2/folders/b', { ...at, path: '/' }))).toEqual(['/b']);
    // What no secret changes by is no change of secrets.
    expect(await since(() => folder('d'))).toEqual([]);
    expect(
      await since(() => test.admin('POST', `/api/v1/projects/${project.id}/tags`, { slug: 'x', color: '' })),
    ).toEqual([]);
  });

  it('combines several waiting changes into one notification', async () => {
    const { tell, write, folder } = await setUp({ secretPath: '/**' });
    await folder('a');
    await write('A');
    await write('B', '/a');
    await write('C');
    await tell();
    expect(paths()).toEqual(['/a', '/']);
    await tell();
    expect(paths()).toEqual(['/a', '/']);
  });
});

describe('a call that fails', () => {
  it('is retried later, with the same ID, and later ones wait', async () => {
    const { tell, write, folder, look } = await setUp({ secretPath: '/**' });
    await folder('a');
    receiver.answer(fails);
    await write('A', '/a');
    await tell();
    await write('B', '/');
    await tell();
    expect(paths()).toEqual(['/a']);
    expect(await look()).toMatchObject({
      lastStatus: 'failed',
      lastRunErrorMessage: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 500$/),
    });
    test.advance(MINUTE);
    await tell();
    await tell();
    expect(paths()).toEqual(['/a', '/a']);
    receiver.answer();
    test.advance(MINUTE);
    await tell();
    expect(paths()).toEqual(['/a', '/a', '/a', '/']);
    const [first, second, third, other] = receiver.received;
    expect([second!.body.id, third!.body.id]).toEqual([first!.body.id, first!.body.id]);
    expect(other!.body.id).not.toBe(first!.body.id);
    for (const call of receiver.received) expect(call.headers['x-coffer-signature']).toBe(signatureOf(KEY, call));
    expect(third!.body.timestamp).toBeGreaterThanOrEqual(first!.body.timestamp + 2 * MINUTE);
    expect(await look()).toMatchObject({ lastStatus: 'success', lastRunErrorMessage: null });
  });

  it('is finally abandoned, and the next one has its turn', async () => {
    const { tell, write, folder } = await setUp({ secretPath: '/**' });
    await folder('a');
    receiver.answer(fails);
    await write('A', '/a');
    await tell();
    await write('B');
    for (let count = 1; count < 32; count++) {
      test.advance(2 * 60 * MINUTE);
      await tell();
    }
    expect(paths().filter((path) => path === '/a')).toHaveLength(30);
    // Once: it has failed for long enough already.
    expect(paths().slice(30)).toEqual(['/']);
    test.advance(2 * 60 * MINUTE);
    receiver.answer();
    await write('C', '/a');
    await tell();
    expect(paths().slice(31)).toEqual(['/a']);
  });

  const failures: readonly [string, Parameters<Receiver['answer']>[0], RegExp][] = [
    ['an error', (_req, res) => res.writeHead(404).end('t0ken-in-answer'), /answered 404$/],
    ['a redirect', (_req, res) => res.writeHead(307, { location: `${receiver.url}/elsewhere` }).end(), /redirects/],
    ['nothing', (req) => req.socket.destroy(), /closed the connection/],
    ['no HTTP', (req) => req.socket.end('nonsense\r\n\r\n'), /does not speak HTTP/],
    [
      'more than anybody reads',
      (_req, res) => {
        res.writeHead(200);
        const more = () => void (res.write('x'.repeat(65_536)) ? setImmediate(more) : res.once('drain', more));
        more();
      },
      /than accepted/,
    ],
  ];
  it.each(failures)('to a receiver that returns %s is reported, and nothing more', async (_, how, message) => {
    const { tell, write, look } = await setUp({ webhookUrl: `${receiver.url}/s3cret-path?t0ken=1` });
    receiver.answer(how);
    await write('A');
    await tell();
    const { lastStatus, lastRunErrorMessage } = await look();
    expect([lastStatus, lastRunErrorMessage]).toEqual(['failed', expect.stringMatching(message)]);
    expect(lastRunErrorMessage).not.toMatch(/s3cret|t0ken/);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/s3cret-path?t0ken=1']);
  });

  it('after an internal error is retried, like any other', async () => {
    const lines: object[] = [];
    const log = { debug: () => 0, info: () => 0, warn: () => 0, error: (details: object) => lines.push(details) };
    let calls = 0;
    const on = await testServer({
      log,
      fetch: () => {
        calls++;
        throw new TypeError('nonsense');
      },
    });
    try {
      const { tell, write, look, id } = await setUp({}, on);
      await write('A');
      await tell();
      await tell();
      expect(calls).toBe(1);
      expect(await look()).toMatchObject({
        lastStatus: 'failed',
        lastRunErrorMessage: expect.stringMatching(/Internal error/),
      });
      expect(lines).toEqual([{ err: expect.any(TypeError), webhookId: id }]);
      on.advance(MINUTE);
      await tell();
      expect(calls).toBe(2);
    } finally {
      await on.close();
    }
  });

  it('to a private address is not sent', async () => {
    const closed = createOutbound({ allow: [] });
    const on = await testServer({ fetch: closed.fetch });
    try {
      const { tell, write, look } = await setUp({}, on);
      await write('A');
      await tell();
      expect(await look()).toMatchObject({
        lastStatus: 'failed',
        lastRunErrorMessage: expect.stringContaining('COFFER_OUTBOUND_ALLOW'),
      });
      expect(receiver.received).toEqual([]);
    } finally {
      await on.close();
      await closed.close();
    }
  });
});

describe('the jobs', () => {
  it('are sent for a change automatically, and again after a failure', async () => {
    // With the real clock: the queue uses the database's.
    const logged: string[] = [];
    const log = makeLog('trace', { write: (line: string) => void logged.push(line) });
    const on = await testServer({ fetch: outbound.fetch, log }, { logger: log });
    const worker = await startWorker(on.coffer, jobs, { pollInterval: 100 });
    try {
      const { write, folder } = await setUp({ secretPath: '/**', webhookUrl: `${receiver.url}/s3cret-path` }, on);
      await folder('a');
      receiver.answer((_req, res) => {
        receiver.answer();
        res.writeHead(503).end();
      });
      await write('A');
      await expect.poll(() => paths()).toEqual(['/']);
      await write('B', '/a');
      await expect.poll(() => paths(), { timeout: 30_000, interval: 100 }).toEqual(['/', '/', '/a']);
      const [first, again, other] = receiver.received.map(({ headers }) => headers['idempotency-key']);
      expect([again === first, other === first]).toEqual([true, false]);
      expect(logged.length).toBeGreaterThan(0);
      for (const secret of ['s3cret-path', KEY, VALUE]) expect(logged.join('')).not.toContain(secret);
    } finally {
      await worker.stop();
      await on.close();
    }
  });

  it('are sent in sequence, for any number of webhooks', async () => {
    const { write, folder, collect, id } = await setUp({ secretPath: '/**' });
    for (const name of ['a', 'b', 'c']) {
      await folder(name);
      await write('A', `/${name}`);
    }
    await collect();
    let inside = 0;
    let most = 0;
    receiver.answer((_req, res) => {
      most = Math.max(most, ++inside);
      setTimeout(() => {
        inside--;
        res.end();
      }, 20);
    });
    const job = { organizationId: test.organizationId, webhookId: id };
    await Promise.all(Array.from({ length: 5 }, () => webhookJob.run(platform(), job, {} as never)));
    expect([paths(), most]).toEqual([['/a', '/b', '/c'], 1]);
  });

  it('do not delay others if a receiver is slow', async () => {
    const { write, folder, collect, id } = await setUp({ secretPath: '/**' });
    await folder('a');
    await write('A');
    await write('B', '/a');
    await collect();
    receiver.answer((_req, res) => {
      test.advance(9_000);
      res.end();
    });
    const { pool } = test.coffer;
    const key = `webhook:${id}`;
    await pool.query('delete from graphile_worker._private_jobs where key = $1', [key]);
    const run = () => webhookJob.run(platform(), { organizationId: test.organizationId, webhookId: id }, {} as never);
    await run();
    expect(paths()).toEqual(['/']);
    const { rowCount } = await pool.query('select from graphile_worker.jobs where key = $1', [key]);
    expect(rowCount).toBe(1);
    await run();
    expect(paths()).toEqual(['/', '/a']);
  });

  it('are taken over from a dead process', async () => {
    const { write, collect, id, scope, tell } = await setUp();
    await write('A');
    await collect();
    const { pool } = test.coffer;
    await pool.query('update webhooks set claim_id = gen_random_uuid(), claimed_until = $2 where id = $1', [
      id,
      new Date(test.coffer.now().getTime() + MINUTE),
    ]);
    await tell();
    expect(receiver.received).toEqual([]);
    test.advance(2 * MINUTE);
    await pool.query('delete from graphile_worker._private_jobs');
    // A change without a job.
    const other = await setUp({ webhookUrl: `${receiver.url}/other` });
    await other.write('A');
    await pool.query('delete from graphile_worker._private_jobs');
    await orphanedWebhooks.run(platform(), {}, {} as never);
    const { rows } = await pool.query<{ key: string }>('select key from graphile_worker.jobs order by key');
    expect(rows.map(({ key }) => key)).toEqual(
      expect.arrayContaining([`webhook:${id}`, `webhooks:${other.scope.projectId}`]),
    );
    expect(rows.map(({ key }) => key)).not.toContain(`webhooks:${scope.projectId}`);
    await collectJob.run(platform(), other.scope, {} as never);
    await tell();
    await other.tell();
    expect(receiver.received.map(({ url }) => url).toSorted()).toEqual(['/hook', '/other']);
  });

  it('are queued again, however many of others are behind', async () => {
    const others = randomUUID();
    const behind = `select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid, $1::uuid`;
    const client = await test.owner.connect();
    try {
      await client.query('begin');
      await client.query('set local session_replication_role = replica');
      await client.query(
        `insert into webhook_cursors (project_id, organization_id, revision) ${behind}, 1 from generate_series(1, 1500) n`,
        [others],
      );
      await client.query(
        `insert into project_revisions (project_id, organization_id, revision, changed_at)
         ${behind}, 2, now() from generate_series(1, 1500) n`,
        [others],
      );
      await client.query('commit');
    } finally {
      client.release();
    }
    const { write, scope } = await setUp();
    await write('A');
    const { pool } = test.coffer;
    await pool.query('delete from graphile_worker._private_jobs');
    await orphanedWebhooks.run(platform(), {}, {} as never);
    const { rowCount } = await pool.query('select from graphile_worker.jobs where key = $1', [
      `webhooks:${scope.projectId}`,
    ]);
    expect(rowCount).toBe(1);
    await pool.query('delete from graphile_worker._private_jobs');
    for (const table of ['webhook_cursors', 'project_revisions'])
      await test.owner.query(`delete from ${table} where organization_id = $1`, [others]);
  });

  it('accept notifications of changes in any order, and repeated', async () => {
    const { write, folder, scope, collect, tell } = await setUp({ secretPath: '/**' });
    for (const name of ['a', 'b']) await folder(name);
    await write('A', '/b');
    await write('A', '/a');
    await Promise.all(Array.from({ length: 4 }, collect));
    await tell();
    await tell();
    expect(paths()).toEqual(['/b', '/a']);
    const { rows } = await test.coffer.pool.query(
      'select 1 from webhook_deliveries d join webhooks w on w.id = d.webhook_id where project_id = $1',
      [scope.projectId],
    );
    expect(rows).toEqual([]);
  });
});
