import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AzureCloud, Graph } from '../../apps/azure/testing/index.ts';
import { StandIns } from '../../identities/auth-method/testing/stand-ins.ts';
import { makeOrganization, testCoffer, type TestCoffer } from '../../testing/index.ts';
import { createAppConnection, updateAppConnection } from '../app-connection/index.ts';
import { azureClientSecrets } from '../apps/azure-client-secrets/index.ts';
import { AppConnectionEntity } from './connection.entity.ts';
import { beginWork } from './remote.ts';
import { connect } from './stored.ts';

const app = 'azure-client-secrets';
const GRAPH = 'https://graph.microsoft.com/.default';
const HOUR = 3_600_000;
const standIns = new StandIns();
const azure = new AzureCloud();
const graph = new Graph();

let test: TestCoffer;
let admin: Awaited<ReturnType<typeof makeOrganization>>['admin'];
let connectionId: string;
beforeAll(async () => {
  azure.redirectUri = 'https://coffer.example/organization/app-connections/azure/oauth/callback';
  await azure.serve(standIns);
  await azure.serveApi(standIns, graph);
  const apps = { oauth: { azure: azure.operator }, serviceUrls: [] };
  const settings = { siteUrl: 'https://coffer.example', apps };
  test = await testCoffer({ fetch: standIns.fetch, clock: 'standing', settings });
  ({ admin } = await makeOrganization(test.coffer));
});
let number = 0;
beforeEach(async () => {
  const credentials = { code: azure.authorize(GRAPH) };
  const given = { name: `one-${++number}`, method: 'oauth', credentials };
  ({ id: connectionId } = await createAppConnection(test.coffer.contextFor(admin.actor), app, given));
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** Connects as a process that has just read the connection, and lists applications. */
async function use(): Promise<unknown> {
  const ctx = test.coffer.contextFor(admin.actor);
  const { id, organizationId, credentials } = await ctx.em.findOneOrFail(AppConnectionEntity, { id: connectionId });
  using session = beginWork(ctx);
  const client = await connect(ctx, { id, organizationId, credentials }, azureClientSecrets, session);
  return await client.ask('https://graph.microsoft.com/v1.0/applications');
}
const refreshes = () => azure.asked.filter(({ grant_type: type }) => type === 'refresh_token').length;
const claims = async () => {
  const { rows } = await test.owner.query('select token_claim_id from app_connections where id = $1', [connectionId]);
  return rows[0].token_claim_id;
};

describe('the tokens of a connection', () => {
  it('are used while they are valid, and then refreshed by one of concurrent processes', async () => {
    const before = refreshes();
    await use();
    expect(refreshes()).toBe(before);
    test.advance(HOUR);
    // The server accepts a refresh token once: the second refresh would be refused.
    await Promise.all([use(), use(), use()]);
    expect(refreshes()).toBe(before + 1);
    test.advance(HOUR);
    await use();
    expect([refreshes(), await claims()]).toEqual([before + 2, null]);
  });

  it('are refreshed by another process where one died with the claim', async () => {
    test.advance(HOUR);
    await test.owner.query(
      'update app_connections set token_claim_id = gen_random_uuid(), token_claimed_until = $2 where id = $1',
      [connectionId, new Date(test.coffer.now().getTime() - 1)],
    );
    await use();
    expect(await claims()).toBeNull();
  });

  it('end with the authorization, and the error says what to do', async () => {
    test.advance(HOUR);
    azure.revokeAuthorizations();
    await expect(use()).rejects.toMatchObject({
      ...{ code: 'remote.rejected', message: expect.stringContaining('authorize Coffer again') },
    });
    expect(await claims()).toBeNull();
    const credentials = { code: azure.authorize(GRAPH) };
    await updateAppConnection(test.coffer.contextFor(admin.actor), app, { connectionId, credentials });
    await use();
  });
});
