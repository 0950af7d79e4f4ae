import type { Rule } from '@coffer/domain';
import { Vault } from '@coffer/domain/testing';
import { describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import { besideStandIns } from '../harness/stand-in-server.ts';
import type { TestServer } from '../harness/test-server.ts';

let test: TestServer;
const standIns = besideStandIns((made) => void (test = made));

const world = () => SyncWorld.make(test, standIns, 'hashicorp-vault');

describe('attack: the connection of a sync', () => {
  it('is led to another tenant of the same host, by somebody who may edit connections and knows nothing of the sync', async () => {
    const one = await world();
    await one.project.write({ KEY: 'for the genuine one' });
    const connectionId = await one.connect('hashicorp-vault', '');
    const made = await one.create({ connectionId });
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    const thief = new Vault('hvs.thief');
    thief.two.set('secret', new Map());
    await standIns.serve('vault.example.com', (request, response) => {
      request.url = request.url!.replace('/tenant', '');
      thief.listener(request, response);
    });
    const rules: Rule[] = [{ subject: 'app-connections', action: ['read', 'edit'] }];
    const { call } = await test.identity({ organizationRules: rules });
    for (const instanceUrl of ['https://vault.example.com/tenant', 'https://vault.example.com/tenant/']) {
      const credentials = { instanceUrl, accessToken: 'hvs.thief' };
      const path = `/api/v1/app-connections/hashicorp-vault/${connectionId}`;
      await expectRefused(call('PATCH', path, { credentials }), 400, 'another system');
    }
    await one.project.write({ KEY: 'another value' });
    await one.run(made);
    expect([...thief.two.get('secret')!]).toEqual([]);
    await one.target.serve(standIns);
    await ok(test.admin('POST', `${one.pathOf(made)}/sync-secrets`));
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(JSON.stringify(one.target.held())).toContain('another value');
  });
});

describe('attack: the place of a sync', () => {
  it.each(['folder', 'environment'])(
    'is led by another name of its %s to where its maker may not make one',
    async (what) => {
      const one = await world();
      const projectId = one.project.id;
      const dev = { projectId, environment: 'dev', path: '/' };
      const { id: folderId } = (await ok(test.admin('POST', '/api/v2/folders', { ...dev, name: 'mine' }))).folder;
      const { environments } = (await ok(test.admin('GET', `/api/v1/workspace/${projectId}`))).workspace;
      const { id: environmentId } = environments.find(({ slug }: { slug: string }) => slug === 'dev');
      const all = ['read', 'create', 'edit', 'delete'];
      const conditions = { environment: 'dev', secretPath: { $glob: '/mine' } };
      const rules: Rule[] = [
        { subject: 'secret-folders', action: all },
        { subject: 'environments', action: all },
        { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
        { subject: 'app-connections', action: ['connect'] },
      ];
      const mine: Rule = { subject: 'secret-syncs', action: all, conditions };
      const { call } = await test.identity({ projectId, rules: [...rules, mine] });
      const rename = (as: typeof call, name: string) =>
        what === 'folder'
          ? as('PATCH', `/api/v2/folders/${folderId}`, { ...dev, name })
          : as('PATCH', `/api/v1/projects/${projectId}/environments/${environmentId}`, { slug: name });
      await expectRefused(one.post({ secretPath: '/' }, call), 403);
      await ok(one.post({ secretPath: '/mine', isAutoSyncEnabled: false }, call));
      await expectRefused(rename(call, 'deploy'), 403);
      const free = await test.identity({ projectId, rules: [...rules, { subject: 'secret-syncs', action: all }] });
      await ok(rename(free.call, 'deploy'));
    },
  );
});

describe('attack: an import that the sync of an administrator carries out', () => {
  const MAY_IMPORT: Rule[] = [
    { subject: 'secret-syncs', action: ['read', 'import-secrets', 'remove-secrets'] },
    { subject: 'secrets', action: ['create', 'edit', 'delete', 'describeSecret'] },
  ];
  const member = (one: SyncWorld, ...rules: Rule[]) => test.identity({ projectId: one.project.id, rules });
  const REFUSED = { importStatus: 'failed', lastImportMessage: expect.stringMatching('who requested this may not') };

  /** A folder with OPEN and HIDDEN, and a target where somebody has written both. */
  async function forged() {
    const one = await world();
    await one.project.write({ HIDDEN: 'genuine', OPEN: 'genuine' });
    const made = await one.create({ isAutoSyncEnabled: false });
    for (const name of ['HIDDEN', 'OPEN']) one.target.put(name, 'forged');
    const path = `${one.pathOf(made)}/import-secrets?importBehavior=prioritize-destination`;
    return { one, made, path };
  }

  it('writes a secret that the requester may not edit, by name or by tag', async () => {
    const { one, made, path } = await forged();
    const place = { projectId: one.project.id, environment: 'dev', secretPath: '/' };
    const tags = `/api/v1/projects/${one.project.id}/tags`;
    const { tag } = await ok(test.admin('POST', tags, { slug: 'locked', color: '#ffffff' }));
    await ok(test.admin('PATCH', '/api/v4/secrets/HIDDEN', { ...place, tagIds: [tag.id] }));
    for (const conditions of [{ secretName: 'HIDDEN' }, { secretTags: { $in: ['locked'] } }]) {
      const denial: Rule = { subject: 'secrets', action: ['edit'], inverted: true, conditions };
      const { call } = await member(one, ...MAY_IMPORT, denial);
      await expectRefused(call('PATCH', '/api/v4/secrets/HIDDEN', { ...place, secretValue: 'forged' }));
      await ok(call('POST', path));
      expect(await one.run(made)).toMatchObject(REFUSED);
      expect(await one.project.read()).toEqual({ HIDDEN: 'genuine', OPEN: 'genuine' });
    }
    const { call } = await member(one, ...MAY_IMPORT);
    await ok(call('POST', path));
    expect(await one.run(made)).toMatchObject({ importStatus: 'succeeded' });
    expect(await one.project.read()).toEqual({ HIDDEN: 'forged', OPEN: 'forged' });
  });

  it('is stored with its requester, as everything that can be requested of a sync', async () => {
    const { rows } = await test.owner.query<{ name: string }>(
      `select column_name as name from information_schema.columns where table_name = 'secret_syncs'`,
    );
    const names = rows.map(({ name }) => name);
    const requests = names.filter((name) => name.endsWith('_requested'));
    expect(requests.toSorted()).toEqual(['import_requested', 'remove_requested']);
    for (const name of requests) expect(names).toContain(name.replace(/_requested$/, '_requester'));
  });

  it('is carried out after the requester has lost the rights, and a removal likewise', async () => {
    const { one, made, path } = await forged();
    await ok(test.admin('POST', `${one.pathOf(made)}/sync-secrets`));
    await one.run(made);
    for (const name of ['HIDDEN', 'OPEN']) one.target.put(name, 'forged');
    const eve = await member(one, ...MAY_IMPORT);
    await ok(eve.call('POST', path));
    await ok(eve.call('POST', `${one.pathOf(made)}/remove-secrets`));
    await ok(test.admin('DELETE', `/api/v1/projects/${one.project.id}/memberships/identities/${eve.id}`));
    const after = await one.run(made);
    expect(after).toMatchObject({ ...REFUSED, removeStatus: 'failed', lastRemoveMessage: REFUSED.lastImportMessage });
    expect(await one.project.read()).toEqual({ HIDDEN: 'genuine', OPEN: 'genuine' });
    expect(Object.keys(one.target.held())).toEqual(['HIDDEN', 'OPEN']);
  });
});

describe('attack: the environment of a sync gets another slug', () => {
  it('so that its names are those of items of others, which it overwrites and deletes', async () => {
    const one = await world();
    await one.project.write({ KEY: 'v' });
    const syncOptions = { keySchema: '{{environment}}-{{secretKey}}' };
    const made = await one.create({ syncOptions });
    await one.run(made);
    for (const name of ['prod-live-KEY', 'prod-live-OTHER']) one.target.put(name, 'of others');
    const held = { 'dev-KEY': 'v', 'prod-live-KEY': 'of others', 'prod-live-OTHER': 'of others' };
    const { environments } = (await ok(test.admin('GET', `/api/v1/projects/${one.project.id}`))).project;
    const { id } = environments.find(({ slug }: { slug: string }) => slug === 'dev');
    const rename = { slug: 'prod-live' };
    await ok(test.admin('PATCH', `/api/v1/projects/${one.project.id}/environments/${id}`, rename));
    const editor = await test.identity({
      projectId: one.project.id,
      rules: [
        { subject: 'secret-syncs', action: ['read', 'edit', 'sync-secrets'] },
        { subject: 'secrets', action: ['describeSecret', 'readValue', 'create', 'edit', 'delete'] },
      ],
    });
    for (const body of [{ description: 'x' }, { isAutoSyncEnabled: true }])
      await ok(editor.call('PATCH', one.pathOf(made), body));
    for (const body of [{ environment: 'prod-live' }, { syncOptions }])
      await expectRefused(editor.call('PATCH', one.pathOf(made), body));
    await one.ask(made, 'sync-secrets');
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual(held);
    // Whoever may use the connection says so.
    await one.patch(made, { syncOptions });
    expect(await one.run(made)).toMatchObject({ syncStatus: 'succeeded' });
    expect(one.target.held()).toEqual({ 'prod-live-KEY': 'v' });
  });
});
