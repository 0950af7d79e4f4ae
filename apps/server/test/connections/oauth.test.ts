import { AzureCloud, Graph, StandIns, syncSettings } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectRefused, ok } from '../harness/groups.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const PATH = '/api/v1/app-connections';
const SITE = 'https://coffer.acme.example';
const GRAPH = 'https://graph.microsoft.com/.default';
const standIns = new StandIns();
const azure = new AzureCloud();
const graph = new Graph();

let test: TestServer;
let without: TestServer;
/** Whose operator has set everything. */
let complete: TestServer;
let projectId: string;
beforeAll(async () => {
  azure.redirectUri = `${SITE}/organization/app-connections/azure/oauth/callback`;
  await standIns.serve('azure-login.acme.example', (request, response) => {
    request.url = request.url?.replace('/login.microsoftonline.com', '');
    azure.login(request, response);
  });
  await azure.serveApi(standIns, graph);
  const serviceUrls = [{ host: 'login.microsoftonline.com', url: 'https://azure-login.acme.example/{host}' }];
  test = await testServer({
    fetch: standIns.fetch,
    settings: { siteUrl: SITE, apps: { oauth: { azure: azure.operator }, serviceUrls } },
  });
  without = await testServer({ fetch: standIns.fetch });
  complete = await testServer({ settings: { apps: syncSettings } });
  projectId = (await test.project()).id;
});
afterAll(async () => {
  await test.close();
  await without.close();
  await complete.close();
  await standIns.close();
});

let number = 0;
const nameIt = () => `oauth-${++number}`;
const create = (credentials: object, { admin } = test, more: object = { projectId }) =>
  admin('POST', `${PATH}/azure-client-secrets`, { name: nameIt(), method: 'oauth', credentials, ...more });

describe('a connection by OAuth', () => {
  it('exchanges the code once, at the redirected token endpoint, and returns no token', async () => {
    const code = azure.authorize(GRAPH);
    const { appConnection } = await ok(create({ code, tenantId: azure.tenantId }));
    expect(appConnection).toMatchObject({ method: 'oauth', credentials: { tenantId: azure.tenantId } });
    expect(azure.asked.at(-1)).toMatchObject({
      ...{ grant_type: 'authorization_code', code, redirect_uri: azure.redirectUri },
      ...{ client_id: azure.operator.clientId, client_secret: azure.operator.clientSecret },
      scope: `${GRAPH} openid offline_access`,
    });
    const url = `${PATH}/azure-client-secrets/${appConnection.id}`;
    const asked = azure.asked.length;
    expect((await ok(test.admin('GET', url))).appConnection).toEqual(appConnection);
    // The same code is no change.
    const again = await ok(test.admin('PATCH', url, { description: 'x', credentials: { code } }));
    expect([again.appConnection.version, azure.asked.length]).toEqual([1, asked]);
    const { rows } = await test.coffer.pool.query('select credentials from app_connections where id = $1', [
      appConnection.id,
    ]);
    for (const token of azure.tokens.keys()) expect(rows[0].credentials.includes(token)).toBe(false);
  });

  it('takes another code for another tenant, and counts it as a change', async () => {
    const { appConnection } = await ok(create({ code: azure.authorize(GRAPH) }));
    expect(appConnection.credentials).toEqual({});
    const url = `${PATH}/azure-client-secrets/${appConnection.id}`;
    await expectRefused(test.admin('PATCH', url, { credentials: { tenantId: azure.tenantId } }), 400, 'code again');
    const credentials = { tenantId: azure.tenantId, code: azure.authorize(GRAPH) };
    const changed = await ok(test.admin('PATCH', url, { credentials }));
    expect(changed.appConnection).toMatchObject({ version: 2, credentials: { tenantId: azure.tenantId } });
  });

  it('is rejected with a used or unknown code, without repeating it or the secret of the operator', async () => {
    const used = azure.authorize(GRAPH);
    await ok(create({ code: used }));
    for (const code of [used, '0.unknown-code']) {
      const answer = await create({ code });
      expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('AADSTS')]);
      for (const secret of [code, azure.operator.clientSecret])
        expect(JSON.stringify(answer.body)).not.toContain(secret);
    }
  });

  it('is offered where the operator has registered an application', async () => {
    const optionOf = async ({ admin }: TestServer) => {
      const { appConnectionOptions } = await ok(admin('GET', `${PATH}/options`));
      return appConnectionOptions.find(({ app }: { app: string }) => app === 'azure-client-secrets');
    };
    expect(await optionOf(test)).toMatchObject({
      ...{ methods: ['oauth', 'client-secret'], oauthClientId: azure.operator.clientId },
    });
    const option = await optionOf(without);
    expect([option.methods, 'oauthClientId' in option]).toEqual([['client-secret'], false]);
    const asked = azure.asked.length;
    await expectRefused(create({ code: azure.authorize(GRAPH) }, without, {}), 400, 'COFFER_AZURE_CLIENT_ID');
    expect(azure.asked.length).toBe(asked);
  });

  it('is listed as unavailable elsewhere, as is what needs it, with what the operator has to set', async () => {
    const { unavailableMethods } = await ok(without.admin('GET', `${PATH}/options`));
    expect(unavailableMethods).toContainEqual({
      ...{ name: 'Azure Client Secrets', app: 'azure-client-secrets', method: 'oauth' },
      missingSetting: 'COFFER_AZURE_CLIENT_ID',
    });
    const missing = async ({ admin }: TestServer) => {
      const { secretSyncOptions: syncs } = await ok(admin('GET', '/api/v1/secret-syncs/options'));
      const { dynamicSecretOptions: providers } = await ok(admin('GET', '/api/v1/dynamic-secrets/providers/options'));
      return [...syncs, ...providers].flatMap(({ destination, provider, missingSetting }) =>
        missingSetting ? [[destination ?? provider, missingSetting]] : [],
      );
    };
    expect(await missing(without)).toEqual([
      ['gcp-secret-manager', 'COFFER_GCP_SERVICE_ACCOUNT'],
      ['gcp-iam', 'COFFER_GCP_SERVICE_ACCOUNT'],
    ]);
    expect(await missing(complete)).toEqual([]);
  });
});
