import type { Rule } from '@coffer/domain';
import { syncSettings, syncTargets } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../harness/certificates.ts';
import { expectRefused, ok } from '../../harness/groups.ts';
import { SYNCS, SyncWorld } from '../../harness/secret-syncs.ts';
import { besideStandIns } from '../../harness/stand-in-server.ts';
import type { Caller, TestServer } from '../../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made), { settings: { apps: syncSettings } });

const world = (destination: string) => SyncWorld.make(test, standIns, destination);
const upper = (names: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(names).map(([name, value]) => [name.toUpperCase(), value]));

const PLACE = { environment: 'dev', secretPath: '/' };
const SYNCING = ['read', 'create', 'edit', 'delete', 'sync-secrets', 'import-secrets', 'remove-secrets'];
const syncing = (action: string[] = SYNCING, place: Record<string, unknown> = PLACE) => ({
  ...{ subject: 'secret-syncs', action, conditions: place },
});
const reading = { subject: 'secrets', action: ['describeSecret', 'readValue'] };
const writing = { subject: 'secrets', action: ['create', 'edit', 'delete'] };
const connecting = { subject: 'app-connections', action: ['connect'] };

/** A machine identity with these rights in the project of a world. */
const caller = async ({ project }: SyncWorld, ...rules: Rule[]): Promise<Caller> =>
  (await test.identity({ projectId: project.id, rules })).call;

const destinations = Object.keys(syncTargets);

describe('a secret sync', () => {
  it.each(destinations)(
    'to %s returns all published fields when it is created, read, found by name and listed',
    async (destination) => {
      const one = await world(destination);
      await one.project.write({ KEY: 'value' });
      const made = await one.create({ description: 'of the shop', syncOptions: { keySchema: 'A{{secretKey}}' } });
      const none = { status: null, jobId: null, message: null, at: null };
      expect(made).toEqual({
        ...{
          id: expect.any(String),
          name: made.name,
          description: 'of the shop',
          version: 1,
          projectId: one.project.id,
        },
        ...{ folderId: made.folder.id, connectionId: made.connection.id, isAutoSyncEnabled: true },
        ...{ syncStatus: 'pending', lastSyncJobId: none.jobId, lastSyncMessage: null, lastSyncedAt: null },
        ...{ importStatus: null, lastImportJobId: null, lastImportMessage: null, lastImportedAt: null },
        ...{ removeStatus: null, lastRemoveJobId: null, lastRemoveMessage: null, lastRemovedAt: null },
        environment: { id: expect.any(String), name: expect.any(String), slug: 'dev' },
        folder: { id: expect.any(String), path: '/' },
        connection: { id: expect.any(String), app: await one.app(), name: expect.any(String) },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String), destination },
        destinationConfig: expect.objectContaining(one.target.config),
        syncOptions: {
          ...{
            initialSyncBehavior: 'overwrite-destination',
            disableSecretDeletion: false,
            keySchema: 'A{{secretKey}}',
          },
        },
      });
      expect(await one.get(made)).toEqual(made);
      const query = `projectId=${one.project.id}`;
      const named = await ok(test.admin('GET', `${SYNCS}/${destination}/sync-name/${made.name}?${query}`));
      expect(named.secretSync).toEqual(made);
      for (const path of [SYNCS, `${SYNCS}/${destination}`])
        expect((await ok(test.admin('GET', `${path}?${query}`))).secretSyncs).toEqual([made]);
      const done = await one.run(made);
      expect(done).toMatchObject({ syncStatus: 'succeeded', lastSyncMessage: null, lastSyncedAt: expect.any(String) });
      expect(upper(one.target.held())).toEqual({ AKEY: 'value' });
    },
  );

  it.each(destinations)('to %s writes changes, removes what it has written, and nothing else', async (destination) => {
    const one = await world(destination);
    one.target.put('THEIRS', 'theirs');
    await one.project.write({ KEPT: 'a', GONE: 'b' });
    const made = await one.create();
    await one.run(made);
    await one.project.write({ KEPT: 'c', GONE: null, NEW: 'd' });
    await one.project.follow();
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual({ THEIRS: 'theirs', KEPT: 'c', NEW: 'd' });
    const asked = await one.ask(made, 'remove-secrets');
    expect(asked.secretSync).toMatchObject({ removeStatus: 'pending' });
    expect(await one.run(made)).toMatchObject({ removeStatus: 'succeeded', lastRemovedAt: expect.any(String) });
    expect(one.target.held()).toEqual({ THEIRS: 'theirs' });
    await one.ask(made, 'sync-secrets');
    await one.run(made);
    expect(one.target.held()).toEqual({ THEIRS: 'theirs', KEPT: 'c', NEW: 'd' });
    await ok(test.admin('DELETE', `${one.pathOf(made)}?removeSecrets=true`));
    expect(one.target.held()).toEqual({ THEIRS: 'theirs' });
    expect((await test.admin('GET', one.pathOf(made))).status).toBe(404);
  });

  it.each(destinations)('to %s is planned before the first run, which does just that', async (destination) => {
    const one = await world(destination);
    one.target.put('ABOTH', 'theirs');
    one.target.put('AEXTRA', 'theirs');
    one.target.put('OTHER', 'theirs');
    await one.project.write({ BOTH: 'ours', NEW: 'ours' });
    const syncOptions = { keySchema: 'A{{secretKey}}' };
    const made = await one.create({ syncOptions, isAutoSyncEnabled: false });
    expect(made.syncStatus).toBeNull();
    const { plan } = await one.ask(made, 'plan');
    expect(plan).toEqual({ create: ['ANEW'], change: ['ABOTH'], remove: ['AEXTRA'], import: [], rejected: [] });
    expect(await eventsOf(test, { syncId: made.id, action: 'plan' })).toEqual(['secret_sync.requested']);
    expect(one.target.held()).toEqual({ ABOTH: 'theirs', AEXTRA: 'theirs', OTHER: 'theirs' });
    await one.ask(made, 'sync-secrets');
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual({ ABOTH: 'ours', ANEW: 'ours', OTHER: 'theirs' });
    const after = (await one.ask(made, 'plan')).plan;
    expect(after).toEqual({ create: [], change: [], remove: [], import: [], rejected: [] });
  });

  it.each(destinations)('to %s imports from there, or says that it cannot', async (destination) => {
    const one = await world(destination);
    one.target.put('BOTH', 'theirs');
    one.target.put('THEIRS', 'theirs');
    await one.project.write({ BOTH: 'ours', OURS: 'ours' });
    const made = await one.create({ isAutoSyncEnabled: false });
    const { secretSyncOptions } = await ok(test.admin('GET', `${SYNCS}/options`));
    const { canImportSecrets } = secretSyncOptions.find((option: typeof made) => option.destination === destination);
    const ask = (behavior: string) => `${one.pathOf(made)}/import-secrets?importBehavior=${behavior}`;
    if (!canImportSecrets)
      return expectRefused(test.admin('POST', ask('prioritize-source')), 400, 'nothing is imported');
    await ok(test.admin('POST', ask('prioritize-source')));
    expect(await one.run(made)).toMatchObject({ importStatus: 'succeeded', syncStatus: null });
    expect(await one.project.read()).toEqual({ BOTH: 'ours', OURS: 'ours', THEIRS: 'theirs' });
    await ok(test.admin('POST', ask('prioritize-destination')));
    await one.run(made);
    expect(await one.project.read()).toEqual({ BOTH: 'theirs', OURS: 'ours', THEIRS: 'theirs' });
    expect(one.target.held()).toEqual({ BOTH: 'theirs', THEIRS: 'theirs' });
  });
});

describe('creating a secret sync', () => {
  it('is rejected without the right to the folder, to what it holds, or to the connection', async () => {
    const one = await world('github');
    await one.project.write({ KEY: 'value' });
    const connectionId = await one.connect('github');
    for (const rules of [
      [reading, connecting],
      [syncing(SYNCING, { environment: 'prod' }), reading, connecting],
      [syncing(), connecting],
      [syncing(), { ...reading, conditions: { secretName: 'OTHER' } }, connecting],
      [syncing(), reading],
    ])
      await expectRefused(one.post({ connectionId }, await caller(one, ...rules)));
    const made = await ok(one.post({ connectionId }, await caller(one, syncing(), reading, connecting)));
    expect(await one.run(made.secretSync)).toMatchObject({ syncStatus: 'succeeded' });
  });

  it('is rejected with a connection to another app, or of another project', async () => {
    const one = await world('github');
    const vault = { method: 'access-token', instanceUrl: 'https://vault.example.com', accessToken: 'hvs.x' };
    const connectionId = await one.connect('hashicorp-vault', one.project.id, vault);
    await expectRefused(one.post({ connectionId }), 400, 'GitHub');
    const other = await world('github');
    await expectRefused(one.post({ connectionId: await other.connect('github') }), 400, 'another project');
    const member = await caller(one, syncing(), reading, connecting);
    await expectRefused(one.post({ connectionId: await other.connect('github') }, member), 404);
  });

  it('takes a connection of the organization, of which the right is in the organization', async () => {
    const one = await world('hashicorp-vault');
    await one.project.write({ KEY: 'value' });
    const connectionId = await one.connect('hashicorp-vault', '');
    await expectRefused(one.post({ connectionId }, await caller(one, syncing(), reading, connecting)));
    const { call } = await test.identity({
      ...{ projectId: one.project.id, rules: [syncing(), reading], organizationRules: [connecting] },
    });
    const { secretSync } = await ok(one.post({ connectionId }, call));
    await one.run(secretSync);
    expect(one.target.held()).toEqual({ KEY: 'value' });
  });

  it('imports nothing at first for whom a rule forbids to import', async () => {
    const one = await world('hashicorp-vault');
    const connectionId = await one.connect('hashicorp-vault');
    const denial = { subject: 'secret-syncs', action: ['import-secrets'], inverted: true };
    const call = await caller(one, syncing(), reading, writing, connecting, denial);
    const syncOptions = { initialSyncBehavior: 'import-prioritize-source' };
    await expectRefused(one.post({ connectionId, syncOptions }, call));
    const { secretSync } = await ok(one.post({ connectionId }, call));
    await expectRefused(call('PATCH', one.pathOf(secretSync), { syncOptions }));
    await ok(call('PATCH', one.pathOf(secretSync), { syncOptions: { disableSecretDeletion: true } }));
    const allowed = await caller(one, syncing(['create', 'edit']), reading, writing, connecting);
    await ok(allowed('PATCH', one.pathOf(secretSync), { syncOptions }));
  });

  it('is rejected with an invalid key schema, an import that cannot be, or a name that is taken', async () => {
    const one = await world('github');
    for (const keySchema of ['NO_KEY', '{{secretKey}}{{secretKey}}', 'a b {{secretKey}}'])
      expect((await one.post({ syncOptions: { keySchema } })).status).toBe(422);
    const syncOptions = { initialSyncBehavior: 'import-prioritize-source' };
    await expectRefused(one.post({ syncOptions }), 400, 'cannot be read back');
    const { name } = await one.create();
    await expectRefused(one.post({ name }), 400, 'already exists');
  });
});

describe('updating a secret sync', () => {
  it('changes the given fields, and counts the changes', async () => {
    const one = await world('hashicorp-vault');
    await one.project.write({ KEY: 'value' });
    const made = await one.create({ syncOptions: { keySchema: '{{environment}}-{{secretKey}}' } });
    await one.run(made);
    expect(one.target.held()).toEqual({ 'dev-KEY': 'value' });
    const renamed = await one.patch(made, { name: `${made.name}-2`, description: null });
    expect(renamed).toEqual({ ...(await one.get(made)), name: `${made.name}-2`, version: 2 });
    const moved = await one.patch(made, { syncOptions: { keySchema: 'X_{{secretKey}}' } });
    expect(moved).toMatchObject({ version: 3, syncOptions: { keySchema: 'X_{{secretKey}}' }, syncStatus: 'pending' });
    await one.run(made);
    expect(one.target.held()).toEqual({ X_KEY: 'value' });
    await one.patch(made, { syncOptions: { keySchema: null, disableSecretDeletion: true } });
    await one.run(made);
    expect(one.target.held()).toEqual({ X_KEY: 'value', KEY: 'value' });
    const off = await one.patch(made, { isAutoSyncEnabled: false });
    await one.project.write({ KEY: 'other' });
    await one.project.follow();
    expect(await one.run(made)).toMatchObject({ isAutoSyncEnabled: false, syncStatus: off.syncStatus });
    expect(one.target.held()).toMatchObject({ KEY: 'value' });
  });

  it('takes the right to the connection where it is used in another way', async () => {
    const one = await world('hashicorp-vault');
    const { id } = await one.create();
    const member = await caller(one, syncing(), reading, writing);
    await ok(member('PATCH', one.pathOf({ id }), { description: 'x', destinationConfig: one.target.config }));
    const destinationConfig = { ...one.target.config, path: 'app/other' };
    await expectRefused(member('PATCH', one.pathOf({ id }), { destinationConfig }));
    await expectRefused(member('PATCH', one.pathOf({ id }), { connectionId: await one.connect('hashicorp-vault') }));
    await expectRefused(member('PATCH', one.pathOf({ id }), { environment: 'prod' }));
    const able = await caller(one, syncing(), reading, writing, connecting);
    const moved = await ok(able('PATCH', one.pathOf({ id }), { destinationConfig }));
    expect(moved.secretSync.destinationConfig).toEqual(destinationConfig);
  });
});

describe('a secret sync', () => {
  it('takes the permission for each action on its folder', async () => {
    const one = await world('hashicorp-vault');
    const made = await one.create();
    const path = one.pathOf(made);
    const operations = [
      ['read', 'GET', path],
      ['read', 'GET', `${SYNCS}/${one.destination}/sync-name/${made.name}?projectId=${one.project.id}`],
      ['edit', 'PATCH', path, { description: 'x' }],
      ['sync-secrets', 'POST', `${path}/plan`],
      ['sync-secrets', 'POST', `${path}/sync-secrets`],
      ['import-secrets', 'POST', `${path}/import-secrets?importBehavior=prioritize-source`],
      ['remove-secrets', 'POST', `${path}/remove-secrets`],
      ['delete', 'DELETE', path],
    ] as const;
    for (const [action, method, url, body] of operations) {
      const others = SYNCING.filter((other) => other !== action);
      for (const rule of [syncing(others), syncing([action], { environment: 'prod' })]) {
        const call = await caller(one, rule, reading, writing);
        const refusal = url.includes('sync-name') && rule.action.includes(action) ? 404 : 403;
        await expectRefused(call(method, url, body), refusal);
      }
      await ok((await caller(one, syncing([action]), reading, writing))(method, url, body));
    }
  });

  it('is hidden from other projects, organizations and destinations, and so are integrations', async () => {
    const one = await world('github');
    const made = await one.create();
    const { call: foreign } = await test.foreign();
    const { call: outsider } = await test.identity({ organizationRole: 'no-access' });
    for (const call of [foreign, outsider])
      for (const [method, suffix] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/plan'],
        ['POST', '/sync-secrets'],
      ] as const)
        await expectRefused(call(method, one.pathOf(made) + suffix, {}), 404);
    await expectRefused(test.admin('GET', `${SYNCS}/hashicorp-vault/${made.id}`), 404);
    await expectRefused(test.admin('GET', `/api/v1/integration/${made.id}`), 404);
    const integration = await one.project.integrate(
      'github',
      { accessToken: 'ghp_x' },
      { owner: 'acme', app: 'other' },
    );
    await expectRefused(test.admin('GET', `${SYNCS}/github/${integration}`), 404);
    const listed = await ok(test.admin('GET', `${SYNCS}?projectId=${one.project.id}`));
    expect(listed.secretSyncs.map(({ id }: { id: string }) => id)).toEqual([made.id]);
  });

  it('shows the reason of a failure to those who may see its secrets', async () => {
    const one = await world('github');
    await one.project.write({ '1ST': 'value' });
    const made = await one.create();
    expect(await one.run(made)).toMatchObject({
      ...{ syncStatus: 'failed', lastSyncMessage: expect.stringContaining('1ST: the name has to be') },
    });
    const { plan } = await one.ask(made, 'plan');
    expect(plan.rejected).toEqual([{ name: '1ST', reason: expect.stringContaining('letters') }]);
    const blind = await caller(one, syncing());
    const { secretSync } = await ok(blind('GET', one.pathOf(made)));
    expect(secretSync.lastSyncMessage).not.toContain('1ST');
    await expectRefused(blind('POST', `${one.pathOf(made)}/plan`));
  });

  it('imports at first what it is told to, and only for those who may write that', async () => {
    const one = await world('hashicorp-vault');
    one.target.put('BOTH', 'theirs');
    one.target.put('THEIRS', 'theirs');
    await one.project.write({ BOTH: 'ours' });
    const syncOptions = { initialSyncBehavior: 'import-prioritize-destination' };
    const connectionId = await one.connect('hashicorp-vault');
    await expectRefused(one.post({ syncOptions, connectionId }, await caller(one, syncing(), reading, connecting)));
    const made = await one.create({ syncOptions, connectionId, isAutoSyncEnabled: false });
    const { plan } = await one.ask(made, 'plan');
    expect(plan).toMatchObject({ create: [], change: [], import: ['BOTH', 'THEIRS'] });
    await one.ask(made, 'sync-secrets');
    await one.run(made);
    expect(await one.project.read()).toEqual({ BOTH: 'theirs', THEIRS: 'theirs' });
    const importing = `${one.pathOf(made)}/import-secrets?importBehavior=prioritize-source`;
    await expectRefused((await caller(one, syncing(), reading))('POST', importing));
  });

  it('does not write beside, or remove, what another one at the same target has written', async () => {
    const one = await world('hashicorp-vault');
    await one.project.write({ SECRET: 'of prod' }, 'prod');
    const destinationConfig = { ...one.target.config, path: 'app/shared' };
    const common = { connectionId: await one.connect('hashicorp-vault', ''), destinationConfig };
    const first = await one.create({ ...common, environment: 'prod' });
    await one.run(first);
    const rules = [syncing(), reading, { ...writing, conditions: { environment: 'dev' } }];
    const { call } = await test.identity({ projectId: one.project.id, rules, organizationRules: [connecting] });
    await expectRefused(one.post(common, call));
    // By another connection of the organization, from any project.
    const other = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    const connectionId = await one.connect('hashicorp-vault', '', { ...one.credentials });
    const { call: elsewhere } = await test.identity({
      ...{ projectId: other.project.id, rules: [syncing(), reading, writing], organizationRules: [connecting] },
    });
    await expectRefused(one.post({ ...common, connectionId, projectId: other.project.id }, elsewhere));
    const second = await one.create({ ...common, syncOptions: { keySchema: '{{secretKey}}' } });
    const { plan } = await one.ask(second, 'plan');
    expect(plan.remove).toEqual([]);
  });

  it('stops when its actor may no longer read its folder, or its folder is gone', async () => {
    const one = await world('github');
    await one.project.write({ KEY: 'value' }, 'dev', '/');
    const { call, id } = await test.identity({ projectId: one.project.id, rules: [syncing(), reading, connecting] });
    const connectionId = await one.connect('github');
    const { secretSync } = await ok(one.post({ connectionId }, call));
    await ok(test.admin('DELETE', `/api/v1/identities/${id}`));
    await one.ask(secretSync, 'sync-secrets');
    expect(await one.run(secretSync)).toMatchObject({
      syncStatus: 'failed',
      lastSyncMessage: expect.stringContaining('actor'),
    });
    expect(one.target.held()).toEqual({});
    expect(await one.patch(secretSync, { isAutoSyncEnabled: true })).toMatchObject({ syncStatus: 'pending' });
    await one.run(secretSync);
    expect(one.target.held()).toEqual({ KEY: 'value' });
  });
});

describe('a connection that secret syncs use', () => {
  it('is not deleted, leads to no other system, and has its syncs run with new credentials', async () => {
    const one = await world('hashicorp-vault');
    const made = await one.create();
    await one.run(made);
    const path = `/api/v1/app-connections/hashicorp-vault/${made.connectionId}`;
    await expectRefused(test.admin('DELETE', path), 400, 'is used');
    const other = await SyncWorld.make(test, standIns, 'hashicorp-vault');
    const elsewhere = { ...other.credentials, instanceUrl: 'https://vault.example.com:443', namespace: 'other' };
    await expectRefused(test.admin('PATCH', path, { credentials: elsewhere }), 400, '');
    const { accessToken } = one.credentials;
    await ok(test.admin('PATCH', path, { credentials: { accessToken } }));
    expect(await one.get(made)).toMatchObject({ syncStatus: 'pending' });
    const { projects } = await ok(test.admin('GET', `${path}/usage`));
    expect(projects[0].resources.secretSyncs).toEqual([{ id: made.id, destination: 'hashicorp-vault' }]);
    await ok(test.admin('DELETE', one.pathOf(made)));
    await ok(test.admin('DELETE', path));
  });
});
