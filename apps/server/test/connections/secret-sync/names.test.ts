// @long: large values, many callers
import { syncSettings, syncTargets } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made), { settings: { apps: syncSettings } });

describe('names at a destination that has other ones, and ignores case', () => {
  const world = () => SyncWorld.make(test, standIns, 'azure-key-vault');

  it('belong to one secret each: another with the same name there is reported', async () => {
    const one = await world();
    await one.project.write({ DB_URL: 'first', 'db-url': 'second', OTHER: 'third' });
    const made = await one.create();
    const { syncStatus, lastSyncMessage } = await one.run(made);
    expect([syncStatus, lastSyncMessage]).toEqual(['failed', expect.stringMatching(/^1 of 3 secrets: .*as .* is$/)]);
    expect(Object.keys(one.target.held()).toSorted()).toEqual([expect.stringMatching(/^db-url$/i), 'OTHER']);
  });

  it('are known in another spelling: items are taken over, kept while they are wanted, and removed after', async () => {
    const one = await world();
    one.target.put('db-url', 'theirs');
    await one.project.write({ DB_URL: 'ours' });
    const made = await one.create();
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual({ 'db-url': 'ours' });
    // Renamed to another spelling of the same name.
    await one.project.write({ DB_URL: null, db_url: 'renamed' });
    await one.project.follow();
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual({ 'db-url': 'renamed' });
    const { plan } = await one.ask(made, 'plan');
    expect(plan).toEqual({ create: [], change: [], remove: [], import: [], rejected: [] });
    await one.project.write({ db_url: null });
    await one.project.follow();
    await one.run(made);
    expect(one.target.held()).toEqual({});
  });

  it('are imported into the secret that has this name there', async () => {
    const one = await world();
    one.target.put('db-url', 'theirs');
    one.target.put('new-one', 'theirs');
    await one.project.write({ DB_URL: 'ours' });
    const made = await one.create({ isAutoSyncEnabled: false });
    const ask = (behavior: string) => `${one.pathOf(made)}/import-secrets?importBehavior=${behavior}`;
    await ok(test.admin('POST', ask('prioritize-source')));
    await one.run(made);
    expect(await one.project.read()).toEqual({ DB_URL: 'ours', 'new-one': 'theirs' });
    await ok(test.admin('POST', ask('prioritize-destination')));
    await one.run(made);
    expect(await one.project.read()).toEqual({ DB_URL: 'theirs', 'new-one': 'theirs' });
  });
});

/** `__proto__` as a name like others. */
const ofOne = (name: string, value: string) => Object.fromEntries([[name, value]]);

describe('names that every object of JavaScript has', () => {
  it.each(Object.keys(syncTargets))('are those of items like others at %s', async (destination) => {
    const one = await SyncWorld.make(test, standIns, destination);
    const named = { constructor: 'ours', toString: 'ours', ['__proto__']: 'ours' };
    for (const [secretKey, value] of Object.entries(named)) await one.project.write(ofOne(secretKey, value));
    const made = await one.create();
    const { plan } = await one.ask(made, 'plan');
    await one.run(made);
    const held = Object.entries(one.target.held()).filter(([name]) => plan.create.includes(name));
    expect(held.map(([name]) => name).toSorted()).toEqual(plan.create.toSorted());
    expect(plan.create.length + plan.rejected.length).toBe(3);
    // They are found there again.
    const after = await one.ask(made, 'plan');
    expect(after.plan).toMatchObject({ create: [], change: [], remove: [] });
  });

  it('stay where others have put them', async () => {
    const one = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    one.target.put('__proto__', 'theirs');
    one.target.put('constructor', 'theirs');
    await one.project.write({ A: 'ours' });
    await one.run(await one.create());
    expect(new Map(Object.entries(one.target.held()))).toEqual(
      new Map([
        ['A', 'ours'],
        ['__proto__', 'theirs'],
        ['constructor', 'theirs'],
      ]),
    );
  });
});

describe('more than fits at a destination', () => {
  it('is not imported from there', async () => {
    const one = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    for (let i = 0; i < 5_000; i++) one.target.put(`K${i}`, 'theirs');
    await one.project.write({ OURS: 'ours' });
    const made = await one.create({ syncOptions: { initialSyncBehavior: 'import-prioritize-source' } });
    const reason = /5001 secrets are more than the 5000 that fit there/;
    expect(await one.run(made)).toMatchObject({ lastSyncMessage: expect.stringMatching(reason) });
    expect(await one.project.read()).toEqual({ OURS: 'ours' });
    await ok(test.admin('POST', `${one.pathOf(made)}/import-secrets?importBehavior=prioritize-source`));
    expect(await one.run(made)).toMatchObject({ lastImportMessage: expect.stringMatching(reason) });
    expect(await one.project.read()).toEqual({ OURS: 'ours' });
  });
});

describe('another name of a target', () => {
  it.each([
    ['vercel', { app: 'shop' }],
    ['github', { scope: 'repository-environment', owner: 'acme', repo: 'shop', env: '..' }],
    ['github', { scope: 'repository-environment', owner: 'acme', repo: 'shop', env: '.' }],
  ])('is no second target: %s %o', async (destination, change) => {
    const one = await SyncWorld.make(test, standIns, destination);
    const answer = await one.post({ destinationConfig: { ...one.target.config, ...change } });
    expect([400, 422]).toContain(answer.status);
  });
});
