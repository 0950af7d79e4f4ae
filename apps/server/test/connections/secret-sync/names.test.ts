import { describe, expect, it } from 'vitest';
import { ok } from '../../harness/groups.ts';
import { SyncWorld } from '../../harness/secret-syncs.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

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
