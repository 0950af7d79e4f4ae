import type { Rule } from '@coffer/domain';
import { StandIns, Vault } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { SyncWorld } from '../harness/secret-syncs.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
beforeAll(async () => {
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

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
