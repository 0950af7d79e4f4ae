import { rejectedCredentials, sampleOf, signedBy, StandIns } from '@coffer/domain/testing';
import { AzureTenant } from '@coffer/domain/testing/clouds';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeLoginMethod, loginMethodWorld } from '../harness/login-method.ts';
import { describeProvider, type ProviderCase } from '../harness/login-provider.ts';
import { testServer, type TestServer } from '../harness/test-server.ts';

const ID = '018f0000-0000-7000-8000-000000000001';
const DAY = 86_400;
const standIns = new StandIns();
let test: TestServer;
let tenant: AzureTenant;
beforeAll(async () => {
  [tenant] = (await AzureTenant.start(standIns, 1)) as [AzureTenant];
  test = await testServer({ fetch: standIns.fetch });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

const exp = () => Math.floor(Date.now() / 1000) + DAY;
const least = () => ({ tenantId: tenant.tenantId, resource: 'https://management.azure.com/' });
const azure: ProviderCase = {
  kind: 'azure-auth',
  key: 'identityAzureAuth',
  standIns,
  host: 'login.microsoftonline.com',
  least,
  answered: () => ({ ...least(), allowedServicePrincipalIds: '' }),
  changes: () => ({ tenantId: ID, resource: 'api://app', allowedServicePrincipalIds: `${ID}, x` }),
  sealed: [],
  refused: () => [
    [{ tenantId: 'common' }, 422],
    [{ tenantId: '../x' }, 422],
    [{ resource: ' ' }, 422],
    [{ resource: 'a\u0000b' }, 422],
    [{ allowedServicePrincipalIds: [ID] }, 422],
    [{ allowedServicePrincipalIds: null }, 422],
  ],
  notAttached: { GET: 400, PATCH: 400, DELETE: 400 },
  proof: async () => ({ jwt: signedBy(tenant, { exp: exp() }) }),
  claims: () => {
    const { tenantId, servicePrincipalId, applicationId } = tenant;
    return { azure: { tenantId, servicePrincipalId, applicationId } };
  },
  rejectedCredentials: async () => ({ jwt: signedBy(tenant, { exp: exp(), aud: 'https://vault.azure.net' }) }),
};

describe('Azure auth', () => {
  describeLoginMethod(() => test, azure);
});

describe('logging in by a token of a tenant', () => {
  const { attached } = loginMethodWorld(() => test, azure);

  it('refuses all rejected credentials, and continues to accept valid ones', async () => {
    const { logIn } = await attached();
    for (const { name, forge } of sampleOf(rejectedCredentials, 2)) {
      const { status, body } = await logIn({ jwt: forge(tenant) });
      expect([name, [401, 422], body.accessToken]).toEqual([name, expect.arrayContaining([status]), undefined]);
    }
    expect((await logIn()).status).toBe(200);
  });

  it('applies changed lists from the next login on', async () => {
    const { url, logIn } = await attached();
    for (const [change, status] of [
      [{ allowedServicePrincipalIds: ID }, 401],
      [{ allowedServicePrincipalIds: `${ID}, ${tenant.servicePrincipalId}` }, 200],
      [{ resource: 'https://vault.azure.net' }, 401],
      [{ resource: 'https://management.azure.com' }, 200],
    ] as const) {
      expect((await test.admin('PATCH', url, change)).status).toBe(200);
      expect([change, (await logIn()).status]).toEqual([change, status]);
    }
  });

  describeProvider(() => test, azure);
});
