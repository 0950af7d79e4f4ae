import type { ServerResponse } from 'node:http';
import { jobs, startWorker } from '@coffer/domain';
import { StandIns, Vault } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { testServer, type TestServer } from '../../harness/test-server.ts';

// What syncs by one connection share: how many call its app at a time, and how long it wants to be left alone.

const standIns = new StandIns();
afterAll(() => standIns.close());

const VAULT = 'slow.example.com';
const connectTo = (one: SyncWorld, vault: Vault) => {
  const credentials = { method: 'access-token', instanceUrl: `https://${VAULT}`, accessToken: vault.token };
  return one.connect('hashicorp-vault', one.project.id, credentials);
};
const at = (path: string) => ({ destinationConfig: { mount: 'secret', path } });

describe('a destination that never answers', () => {
  let test: TestServer;
  beforeAll(async () => {
    test = await testServer({ fetch: standIns.fetch });
  });
  afterAll(() => test.close());

  it('delays no other, however many syncs write there', async () => {
    const SLOW = 30;
    const waiting = new Set<ServerResponse>();
    let [called, most] = [0, 0];
    await standIns.serve(VAULT, (_request, response) => {
      called++;
      waiting.add(response);
      response.on('close', () => waiting.delete(response));
      most = Math.max(most, waiting.size);
    });
    const slow = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    await slow.project.write({ KEY: 'value' });
    const connectionId = await connectTo(slow, new Vault('hvs.slow'));
    for (let n = 0; n < SLOW; n++) await slow.create({ connectionId, ...at(`app/${n}`) });
    const others = await Promise.all(
      ['aws-parameter-store', 'github', 'external-infisical'].map((name) => SyncWorld.make(test, standIns, name)),
    );
    for (const other of others) await other.create();
    const worker = await startWorker(test.coffer, jobs, { pollInterval: 50 });
    try {
      await expect.poll(() => waiting.size).toBeGreaterThan(0);
      for (const other of others) await other.project.write({ KEY: 'new' });
      for (const other of others) await expect.poll(() => other.target.held()).toEqual({ KEY: 'new' });
      // Most of what was due before has not even begun.
      expect([called < SLOW / 2, most]).toEqual([true, 2]);
    } finally {
      await test.coffer.pool.query(`update secret_syncs set is_active = false where connection_id = $1`, [
        connectionId,
      ]);
      for (const response of waiting) response.destroy();
      await worker.stop();
    }
  });
});

describe('a connection that its app throttles', () => {
  let test: TestServer;
  let one: SyncWorld;
  const vault = new Vault('hvs.throttled');
  beforeAll(async () => {
    test = await testServer({ fetch: standIns.fetch, clock: 'standing' });
    vault.two.set('secret', new Map());
    await standIns.serve(VAULT, vault.listener);
    one = await SyncWorld.make(test, standIns, 'hashicorp-vault');
  });
  afterAll(() => test.close());

  const throttle = () =>
    (vault.fault = (_method, _path, response) => !!response.writeHead(429, { 'retry-after': '120' }).end('{}'));
  const held = (path: string) => vault.two.get('secret')!.get(path)?.data ?? {};

  it('is called by none of its syncs before the time that the app asks for, which all of them show', async () => {
    await one.project.write({ KEY: 'value' });
    const connectionId = await connectTo(one, vault);
    const [first, second] = [
      await one.create({ connectionId, ...at('first') }),
      await one.create({ connectionId, ...at('second') }),
    ];
    const elsewhere = await one.create({ connectionId: await connectTo(one, vault), ...at('elsewhere') });
    throttle();
    expect(await one.run(first)).toMatchObject({
      syncStatus: 'failed',
      lastSyncMessage: expect.stringContaining('throttling'),
    });
    vault.fault = () => false;
    const { length } = vault.calls;
    const until = new Date(test.coffer.now().getTime() + 120_000).toISOString();
    const waiting = { syncStatus: 'pending', lastSyncMessage: expect.stringContaining(`Waits until ${until}`) };
    expect(await one.run(second)).toMatchObject(waiting);
    // Also one that somebody asks for, and one that is made now.
    await one.ask(second, 'sync-secrets');
    expect(await one.run(second)).toMatchObject(waiting);
    const third = await one.create({ connectionId, ...at('third') });
    expect(await one.run(third)).toMatchObject(waiting);
    expect(vault.calls.length).toBe(length);
    // Others have their own budget.
    expect(await one.run(elsewhere)).toMatchObject({ syncStatus: 'succeeded' });
    test.advance(119_000);
    await one.run(second);
    expect(held('second')).toEqual({});
    test.advance(1_000);
    for (const sync of [first, second, third]) {
      test.advance(15_000);
      expect(await one.run(sync)).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null });
    }
    expect([held('first'), held('second')]).toEqual([{ KEY: 'value' }, { KEY: 'value' }]);
  });

  it('is not called by the sync that comes after an import or a removal, either', async () => {
    const connectionId = await connectTo(one, vault);
    const made = await one.create({ connectionId, ...at('imported') });
    await one.run(made);
    throttle();
    await one.ask(made, 'import-secrets?importBehavior=prioritize-source');
    await one.ask(made, 'sync-secrets');
    const { length } = vault.calls;
    expect(await one.run(made)).toMatchObject({
      ...{ importStatus: 'failed', lastImportMessage: expect.stringContaining('throttling') },
      ...{ syncStatus: 'pending', lastSyncMessage: expect.stringContaining('Waits until') },
    });
    expect(vault.calls.length).toBe(length + 1);
    vault.fault = () => false;
    await one.ask(made, 'remove-secrets');
    expect(await one.run(made)).toMatchObject({
      ...{ removeStatus: 'pending', lastRemoveMessage: expect.stringContaining('Waits until') },
    });
    test.advance(120_000);
    expect(await one.run(made)).toMatchObject({ removeStatus: 'succeeded' });
    expect(held('imported')).toEqual({});
  });
});
