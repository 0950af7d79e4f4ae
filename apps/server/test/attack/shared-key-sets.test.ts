import { badRequest } from '@coffer/domain';
import { IdentityProvider, makeIdentity, signedBy, StandIns } from '@coffer/domain/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../harness/groups.ts';
import { testServer, type Caller, type TestServer } from '../harness/test-server.ts';

const standIns = new StandIns();
let test: TestServer;
let provider: IdentityProvider;
/** The organization whose turns at the provider do not come in time. */
let flooding: string;
let turns: string[] = [];
beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
  test = await testServer({
    fetch: async (url, request) => {
      turns.push(String(request?.whose ?? ''));
      if (request?.whose !== flooding) return standIns.fetch(url, request);
      await new Promise((over) => setTimeout(over, 1_000));
      throw badRequest('outbound.timeout', 'It did not answer in time');
    },
  });
});
afterAll(async () => {
  await test.close();
  await standIns.close();
});

/** A machine identity that logs in at the provider. */
async function machineOf(call: Caller, id: string) {
  const method = {
    oidcDiscoveryUrl: provider.issuer,
    boundIssuer: provider.issuer,
    boundClaims: { groups: 'deployers' },
  };
  await ok(call('POST', `/api/v1/auth/oidc-auth/identities/${id}`, method));
  return (jwt: string) => test.as()('POST', '/api/v1/auth/oidc-auth/login', { identityId: id, jwt });
}

describe('attack: key sets that another organization fetches as well', () => {
  it('fail for it, and not for others, where its own turns at the provider do not come', async () => {
    const other = await test.foreign();
    const { id } = await makeIdentity(test.coffer, { organizationId: other.organizationId });
    const [flood, logIn] = [await machineOf(other.call, id), await machineOf(test.admin, (await test.identity()).id)];
    const jwt = signedBy(provider);
    flooding = other.organizationId;
    turns = [];
    const first = flood(jwt);
    await expect.poll(() => turns).toEqual([flooding]);
    expect((await logIn(jwt)).status).toBe(200);
    expect(turns.filter((whose) => whose !== flooding)).toEqual([test.organizationId, test.organizationId]);
    await first;
  });
});
