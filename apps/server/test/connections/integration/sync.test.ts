import {
  createOutbound,
  defineJob,
  enqueue,
  inTransaction,
  jobs,
  orphanedSyncs,
  startWorker,
  type OutboundFetch,
} from '@coffer/domain';
import { StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IntegrationTargets } from '../../harness/integration-targets.ts';
import { synced, SyncedProject } from '../../harness/integrations.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

const SECRETS = { URL: 'postgres://secret-host/db', PASSWORD: 'correct horse battery staple' };

/** Replaces a call at which a process is to die. */
let calling: ((call: () => ReturnType<OutboundFetch>) => ReturnType<OutboundFetch>) | undefined;

/** Dies at the given call, before or after the remote has done it: nothing continues. */
function dyingAt(count: number, isDone: boolean, die: () => void): typeof calling {
  let left = count;
  return async (call) => {
    if (left-- > 0) return call();
    if (isDone) await call();
    die();
    return new Promise(() => undefined);
  };
}

let standIns: StandIns;
let test: TestServer;
let project: SyncedProject;
let targets: IntegrationTargets;
beforeAll(async () => {
  standIns = new StandIns();
  const call: OutboundFetch = (url, request) => standIns.fetch(url, request);
  const fetch: OutboundFetch = (...given) => (calling ? calling(() => call(...given)) : call(...given));
  test = await testServer({ fetch, clock: 'standing' });
});
beforeEach(async () => {
  project = await SyncedProject.make(test);
  await project.write(SECRETS);
  targets = new IntegrationTargets(test, standIns, project);
  await targets.serve();
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** Seconds, within ten per cent and a second: what fails together is not tried again together. */
const about = (seconds: number) => ({
  asymmetricMatch: (given: unknown) => typeof given === 'number' && Math.abs(given - seconds) <= seconds / 10 + 1,
});

describe('a sync', () => {
  it('waits as long as the remote asks, and then continues', async () => {
    const id = await project.integrate('github', { accessToken: targets.github.token }, targets.of.github.target);
    for (const [after, seconds] of [
      ['120', 120],
      [new Date(test.coffer.now().getTime() + 720_000).toUTCString(), 600],
      ['1000000', 3600],
    ] as const) {
      targets.github.fault = (method, _, response) => {
        if (method === 'PUT') response.writeHead(429, { 'retry-after': after }).end('{}');
        return method === 'PUT';
      };
      const { isSynced, syncMessage } = await project.sync(id);
      expect([isSynced, syncMessage]).toEqual([false, expect.stringContaining('is throttling requests')]);
      expect(Math.abs((await project.dueIn(id))! - seconds)).toBeLessThan(5);
      const { length } = targets.github.calls;
      await project.sync(id);
      expect(targets.github.calls.length).toBe(length);
      if (seconds < 3600) test.advance(seconds * 1000);
    }
    targets.github.fault = () => false;
    test.advance(1000_000);
    await project.run(id);
    expect(targets.github.values('/repos/acme/web/actions')).toEqual({});
    test.advance(2700_000);
    expect(await project.run(id)).toMatchObject({ isSynced: true });
    expect(targets.github.values('/repos/acme/web/actions')).toEqual(SECRETS);
  });

  it('respects the limits of GitHub and of AWS', async () => {
    const limited = await project.integrate('github', { accessToken: targets.github.token }, targets.of.github.target);
    const reset = Math.ceil(test.coffer.now().getTime() / 1000) + 900;
    targets.github.fault = (_method, _path, response) => {
      response.writeHead(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) }).end('{}');
      return true;
    };
    await project.run(limited);
    expect(Math.abs((await project.dueIn(limited))! - 900)).toBeLessThan(5);
    const throttled = await project.integrate(
      'aws-parameter-store',
      targets.of['aws-parameter-store'].auth(),
      targets.of['aws-parameter-store'].target,
    );
    targets.aws.fault = (action) => (action === 'PutParameter' ? { type: 'ThrottlingException' } : undefined);
    expect(await project.run(throttled)).toMatchObject({ syncMessage: expect.stringContaining('is throttling') });
    expect(targets.aws.calls.filter((call) => call.startsWith('PutParameter')).length).toBeLessThan(5);
  });

  it('writes what it can if half is rejected, reports the rest, and later writes only that', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`KEY_${n}`, `value ${n}`]));
    await project.write({ ...many, URL: null, PASSWORD: null });
    const id = await project.integrate(
      'aws-parameter-store',
      targets.of['aws-parameter-store'].auth(),
      targets.of['aws-parameter-store'].target,
    );
    targets.aws.fault = (action, { Name }) =>
      action === 'PutParameter' && Number(String(Name).split('_')[1]) % 2 === 1
        ? { type: 'AccessDeniedException', message: 'not this one' }
        : undefined;
    const { isSynced, syncMessage } = await project.run(id);
    expect(isSynced).toBe(false);
    expect(syncMessage).toMatch(/^10 of 20 secrets: KEY_\d+: .*AccessDeniedException: not this one/);
    expect(syncMessage.length).toBeLessThanOrEqual(255);
    expect(targets.aws.parameters.size).toBe(10);
    targets.aws.fault = () => undefined;
    targets.aws.calls.length = 0;
    await synced(project, id);
    expect(targets.aws.calls.filter((call) => call.startsWith('PutParameter')).length).toBe(10);
    expect(targets.aws.parameters.size).toBe(20);
  });

  it('stops early if everything is rejected', async () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`KEY_${n}`, `value ${n}`]));
    await project.write(many);
    const id = await project.integrate(
      'aws-parameter-store',
      targets.of['aws-parameter-store'].auth(),
      targets.of['aws-parameter-store'].target,
    );
    targets.aws.fault = (action) => (action === 'PutParameter' ? { type: 'AccessDeniedException' } : undefined);
    await project.run(id);
    expect(targets.aws.calls.length).toBeLessThan(20);
  });

  it('is retried with backoff, and finally waits for a change or a user', async () => {
    const id = await project.integrate('github', { accessToken: 'ghp_wrong_token' }, targets.of.github.target);
    const waits: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 21; attempt++) {
      await project.run(id);
      const wait = await project.dueIn(id);
      waits.push(wait);
      test.advance((wait ?? 0) * 1000 + 1000);
    }
    expect(waits.slice(0, 5)).toEqual([10, 20, 40, 80, 160].map(about));
    expect(waits.slice(-3)).toEqual([about(3600), about(3600), undefined]);
    const before = targets.github.calls.length;
    await project.run(id);
    expect(targets.github.calls.length).toBe(before);
    await project.sync(id);
    expect(targets.github.calls.length).toBe(before + 1);
    expect(await project.scheduled(id)).toMatchObject({ failures: 1 });
  });

  it('whose process died is taken over by another, and knows what may have been written', async () => {
    const id = await project.integrate(
      'aws-parameter-store',
      targets.of['aws-parameter-store'].auth(),
      targets.of['aws-parameter-store'].target,
    );
    await synced(project, id);
    // The state if a process died after the remote had stored a value, and before that was recorded.
    await test.coffer.pool.query('update secret_sync_entries set next_hash = hash, hash = null where sync_id = $1', [
      id,
    ]);
    await test.coffer.pool.query(
      'update secret_syncs set claim_id = gen_random_uuid(), claimed_until = $2, due_at = null where id = $1',
      [id, new Date(test.coffer.now().getTime() + 60_000)],
    );
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const before = targets.aws.calls.length;
    await project.write({ URL: null });
    await project.run(id);
    expect(targets.aws.calls.length).toBe(before);
    test.advance(120_000);
    await orphanedSyncs.run(test.coffer.contextFor({ type: 'platform', organizationId: undefined }), {}, {} as never);
    expect(await project.waiting(id)).toBe(1);
    await project.run(id);
    expect([...targets.aws.parameters.keys()]).toEqual(['/app/PASSWORD']);
  });

  it('never runs twice for one document: each waits for the other, and nothing is lost', async () => {
    await test.admin('POST', '/api/v2/folders', {
      projectId: project.id,
      environment: 'dev',
      name: 'other',
      path: '/',
    });
    await project.write({ OTHER: 'x' }, 'dev', '/other');
    const { auth, target } = targets.of['aws-secret-manager'];
    const ids = [
      await project.integrate('aws-secret-manager', auth(), target),
      await project.integrate('aws-secret-manager', auth(), { ...target, secretPath: '/other' }),
    ];
    const [first = '', second = ''] = ids;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    targets.aws.gate = promise;
    const running = project.run(first);
    await expect.poll(() => targets.aws.calls.length).toBe(1);
    expect(await project.run(second)).toMatchObject({ isSynced: null });
    open();
    expect(await running).toMatchObject({ isSynced: true });
    expect(await project.waiting(second)).toBe(1);
    expect(await project.run(second)).toMatchObject({ isSynced: true });
    expect(targets.of['aws-secret-manager'].held()).toEqual({ ...SECRETS, OTHER: 'x' });
  });

  it('that waits for a retry is run earlier by a change, unless the remote throttles', async () => {
    const id = await project.integrate('github', { accessToken: targets.github.token }, targets.of.github.target);
    targets.github.fault = (_method, _path, response) => !!response.writeHead(500).end('{}');
    for (let attempt = 0; attempt < 8; attempt++) {
      if (attempt > 0) test.advance((await project.dueIn(id))! * 1000 + 1000);
      await project.run(id);
    }
    expect(await project.dueIn(id)).toEqual(about(1280));
    await project.write({ URL: 'changed' });
    await project.follow();
    expect(await project.dueIn(id)).toBeLessThan(60);
    targets.github.fault = (_method, _path, response) => !!response.writeHead(429, { 'retry-after': '7200' }).end('{}');
    test.advance(11_000);
    await project.run(id);
    expect(await project.dueIn(id)).toBe(3600);
    await project.follow();
    expect(await project.dueIn(id)).toBe(3600);
    targets.github.fault = () => false;
    test.advance(3_601_000);
    expect(await project.run(id)).toMatchObject({ isSynced: true });
    expect(targets.github.values('/repos/acme/web/actions')).toEqual({ ...SECRETS, URL: 'changed' });
  });

  it('that cannot write a secret waits for a change, and is then not retried', async () => {
    await project.write({ PASSWORD: '' });
    const id = await project.integrate(
      'aws-parameter-store',
      targets.of['aws-parameter-store'].auth(),
      targets.of['aws-parameter-store'].target,
    );
    expect(await project.run(id)).toMatchObject({ isSynced: false });
    expect(await project.dueIn(id)).toBeUndefined();
    await project.write({ URL: 'changed' });
    await project.follow();
    expect(await project.dueIn(id)).toBeLessThan(60);
    await project.run(id);
    expect(targets.of['aws-parameter-store'].held()).toEqual({ URL: 'changed' });
  });

  it('reports the error of the remote', async () => {
    const { auth, target } = targets.of['hashicorp-vault'];
    const id = await project.integrate('hashicorp-vault', auth(), target);
    targets.vault.fault = (_method, _path, response) => !!response.writeHead(503).end('{"errors":["Vault is sealed"]}');
    expect((await project.run(id)).syncMessage).toBe('vault.acme.example answers 503: Vault is sealed');
    expect(await project.dueIn(id)).toEqual(about(10));
  });

  it('runs once for many requests, and misses no concurrent change', async () => {
    const { auth, target, held } = targets.of['aws-secret-manager'];
    const id = await project.integrate('aws-secret-manager', auth(), target);
    const runs = (count: number) => Promise.all(Array.from({ length: count }, () => project.run(id)));
    const { promise, resolve: open } = Promise.withResolvers<void>();
    targets.aws.gate = promise;
    const running = project.run(id);
    await expect.poll(() => targets.aws.calls.length).toBe(1);
    await runs(3);
    await project.write({ URL: 'changed', LATER: 'x' });
    await Promise.all([project.follow(), project.follow(), runs(3)]);
    open();
    await running;
    expect(targets.aws.calls).toEqual(['GetSecretValue app', 'CreateSecret app']);
    expect([held(), await project.waiting(id)]).toEqual([SECRETS, 1]);
    await runs(6);
    expect(held()).toEqual({ ...SECRETS, URL: 'changed', LATER: 'x' });
    expect([await project.dueIn(id), targets.aws.calls.length]).toEqual([undefined, 4]);
  });

  it('tolerates changes and deletion of itself, its target and its credentials while it runs', async () => {
    const { auth } = targets.of['aws-parameter-store'];
    const id = await project.integrate('aws-parameter-store', auth(), targets.of['aws-parameter-store'].target);
    const { integrationAuthId } = await project.status(id);
    const change = (path: string, body: object) => test.admin('PATCH', `/api/v1/${path}`, body);
    const deadlocks = async () =>
      (await test.coffer.pool.query('select deadlocks from pg_stat_database where datname = current_database()')).rows;
    const before = await deadlocks();
    for (let round = 0; round < 12; round++) {
      const answers = await Promise.all(
        [
          ...Array.from({ length: 4 }, (_, n) => change(`integration/${id}`, { path: `/app-${n}/` })),
          ...Array.from({ length: 4 }, (_, n) =>
            change(`integration-auth/${integrationAuthId}`, { ...auth(), namespace: `${round} ${n}` }),
          ),
          ...Array.from({ length: 2 }, () => test.admin('POST', `/api/v1/integration/${id}/sync`)),
        ].concat(Array.from({ length: 4 }, () => project.run(id))),
      );
      expect(answers.filter(({ status }) => ![200, 400, undefined].includes(status))).toEqual([]);
    }
    expect(await deadlocks()).toEqual(before);
    expect(await change(`integration/${id}`, { path: '/end/' })).toMatchObject({ status: 200 });
    await synced(project, id);
    expect([...targets.aws.parameters.keys()].filter((name) => name.startsWith('/end/'))).toHaveLength(2);
  });

  it('that is killed fifty times leaves nothing behind, and keeps items of others', async () => {
    targets.aws.parameters.set('/app/THEIRS', { value: 'x', type: 'String' });
    const { auth, held } = targets.of['aws-parameter-store'];
    const id = await project.integrate('aws-parameter-store', auth(), targets.of['aws-parameter-store'].target);
    for (let n = 0; n < 50; n++) {
      await project.write({ [`KEY_${n}`]: `value ${n}`, URL: `value ${n}`, ...(n > 0 && { [`KEY_${n - 1}`]: null }) });
      await test.admin('POST', `/api/v1/integration/${id}/sync`);
      const death = Promise.withResolvers<void>();
      calling = dyingAt(n % 6, n % 4 < 2, death.resolve);
      await Promise.race([project.run(id), death.promise]);
      calling = undefined;
      // Longer than the lifetime of a claim.
      test.advance(200_000);
    }
    await synced(project, id);
    expect(held()).toEqual({ THEIRS: 'x', KEY_49: 'value 49', URL: 'value 49', PASSWORD: SECRETS.PASSWORD });
  });

  it('does not block other work, however many targets of an organization never respond', async () => {
    let called = 0;
    const { promise, resolve: open } = Promise.withResolvers<void>();
    await standIns.serve('github.acme.example', (_request, response) => {
      called++;
      promise.then(
        () => response.writeHead(404).end(),
        () => undefined,
      );
    });
    await test.coffer.pool.query('delete from graphile_worker._private_jobs');
    const auth = { accessToken: targets.github.token, url: 'https://github.acme.example' };
    for (let n = 0; n < 8; n++) await project.integrate('github', auth, targets.of.github.target);
    let isDone = false;
    const last = defineJob({ name: 'test.last', payload: z.object({}), run: async () => void (isDone = true) });
    const platform = test.coffer.contextFor({ type: 'platform', organizationId: undefined });
    await inTransaction(platform, async (tx) => enqueue(tx, last, {}, { priority: 100 }));
    const worker = await startWorker(test.coffer, [...jobs, last], { pollInterval: 50 });
    try {
      // Nothing comes after it that could be done now.
      await expect.poll(() => isDone).toBe(true);
      await expect.poll(() => called).toBe(8);
    } finally {
      open();
      await worker.stop();
    }
  });

  it('calls no private address', async () => {
    const own = await testServer({ fetch: createOutbound({ allow: [] }).fetch });
    try {
      const inside = await SyncedProject.make(own);
      for (const host of [
        '127.0.0.1:8200',
        '[::1]',
        '169.254.169.254',
        'localhost',
        '2130706433',
        '[::ffff:10.0.0.1]',
      ]) {
        const id = await inside.integrate(
          'hashicorp-vault',
          { accessToken: 'hvs.token', url: `https://${host}` },
          { app: 'secret', path: 'app' },
        );
        const { isSynced, syncMessage } = await inside.run(id);
        expect([host, isSynced, syncMessage]).toEqual([host, false, expect.stringContaining('COFFER_OUTBOUND_ALLOW')]);
      }
    } finally {
      await own.close();
    }
  });

  it('with an internal error reports it, and releases the claim', async () => {
    const id = await project.integrate('github', { accessToken: targets.github.token }, targets.of.github.target);
    await test.coffer.pool.query(`update secret_syncs set hash_key = '\\x00' where id = $1`, [id]);
    await expect(project.run(id)).rejects.toThrow('not a sealed value');
    expect(await project.status(id)).toMatchObject({ isSynced: false, syncMessage: expect.stringContaining('log') });
    expect((await project.scheduled(id)).claimed_until).toBeNull();
  });
});
