import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderKeySets } from '../../proof/index.ts';
import { attempt } from '../../testing/attempt.ts';
import { AzureTenant } from '../../testing/azure.ts';
import { rejectedCredentials, signedBy } from '../../testing/rejected-credentials.ts';
import { faults, StandIns } from '../../testing/stand-ins.ts';
import { azureAuth } from './azure-auth.ts';

const standIns = new StandIns();
let tenant: AzureTenant;
let other: AzureTenant;
let keySets: ProviderKeySets;

const start = async () => {
  [tenant, other] = (await AzureTenant.start(standIns, 2)) as [AzureTenant, AzureTenant];
  keySets = new ProviderKeySets(standIns.fetch, () => new Date());
};
beforeAll(start);
afterAll(() => standIns.close());

/** The facts of a login with this configuration. */
async function prove(jwt: string, given: object = {}) {
  const { tenantId, resource, servicePrincipalId } = tenant;
  const config = azureAuth.config.parse({
    tenantId,
    resource,
    allowedServicePrincipalIds: servicePrincipalId,
    ...given,
  });
  return azureAuth.verify!(config, { jwt }, attempt({ keySets }));
}
const proved = () => {
  const { tenantId, servicePrincipalId, applicationId } = tenant;
  return { azure: { tenantId, servicePrincipalId, applicationId } };
};

describe('a true proof', () => {
  it('is a token of either generation', async () => {
    expect(await prove(signedBy(tenant))).toEqual(proved());
    expect(await prove(signedBy(tenant, tenant.secondGeneration))).toEqual(proved());
    expect(standIns.called).toEqual([`https://login.microsoftonline.com/${tenant.tenantId}/discovery/keys`]);
  });

  it.each([
    ['https://vault.azure.net', 'https://vault.azure.net/'],
    ['https://vault.azure.net/', 'https://vault.azure.net'],
    ['api://app', 'api://app'],
  ])('for %s fits the resource %s', async (aud, resource) => {
    expect(await prove(signedBy(tenant, { aud }), { resource })).toEqual(proved());
  });

  it('accepts any without a list, and IDs in any case', async () => {
    const another = randomUUID();
    const token = signedBy(tenant, { oid: another, sub: another });
    expect(await prove(token, { allowedServicePrincipalIds: '' })).toMatchObject({
      azure: { servicePrincipalId: another },
    });
    const upper = `${randomUUID()}, ${tenant.servicePrincipalId.toUpperCase()}`;
    expect(
      await prove(signedBy(tenant), { allowedServicePrincipalIds: upper, tenantId: tenant.tenantId.toUpperCase() }),
    ).toEqual(proved());
  });
});

describe('rejected credentials', () => {
  it.each(rejectedCredentials)('$name is refused', async ({ forge, code }) => {
    await expect(prove(forge(tenant))).rejects.toMatchObject({ kind: 'unauthenticated', code });
  });

  it.each([
    ['https://vault.azure.net//', 'https://vault.azure.net'],
    ['https://vault.azure.net', 'https://vault.azure.net//'],
    ['https://vault.azure.net/x', 'https://vault.azure.net'],
    ['https://vault.azure.net', 'https://*.azure.net'],
    ['https://vault.azure.net', 'https://vault.azure.net, https://other'],
    ['HTTPS://vault.azure.net', 'https://vault.azure.net'],
  ])('for %s is none for the resource %s', async (aud, resource) => {
    await expect(prove(signedBy(tenant, { aud }), { resource })).rejects.toMatchObject({ code: 'proof.audience' });
  });

  it('of another tenant is rejected, whatever it claims', async () => {
    await expect(prove(signedBy(other))).rejects.toMatchObject({ code: 'proof.unknown_key' });
    const claims = tenant.claims();
    await expect(prove(signedBy(other, claims))).rejects.toMatchObject({ code: 'proof.unknown_key' });
    await expect(prove(signedBy(other, claims, { kid: tenant.kid }))).rejects.toMatchObject({
      code: 'proof.signature',
    });
    for (const iss of [
      `https://sts.windows.net/${other.tenantId}/`,
      `https://sts.windows.net/${tenant.tenantId}`,
      `https://login.microsoftonline.com/${other.tenantId}/v2.0`,
      `https://login.microsoftonline.com/${tenant.tenantId}/v2.0/`,
      `https://login.microsoftonline.com/${tenant.tenantId}/`,
      `https://sts.windows.net/${tenant.tenantId}/v2.0`,
      'https://sts.windows.net/common/',
    ])
      await expect(prove(signedBy(tenant, { iss })), iss).rejects.toMatchObject({ code: 'proof.issuer' });
  });

  it.each([
    ['a person, for an application', { sub: 'a-pairwise-subject', scp: 'user_impersonation', idtyp: 'user' }],
    ['a person who signed in', { sub: 'a-pairwise-subject', name: 'Ann Lee', nonce: 'x' }],
    ['somebody without an id', { oid: undefined, sub: undefined }],
    ['somebody with an empty list for an id', { oid: [], sub: [] }],
  ])('that is a token of %s is refused', async (_, claims) => {
    const login = prove(signedBy(tenant, claims), { allowedServicePrincipalIds: '' });
    await expect(login).rejects.toMatchObject({ code: 'proof.subject' });
  });

  it('of another service principal is refused', async () => {
    const { servicePrincipalId, applicationId } = tenant;
    for (const allowedServicePrincipalIds of [randomUUID(), applicationId, servicePrincipalId.slice(0, -1), '*', '**'])
      await expect(prove(signedBy(tenant), { allowedServicePrincipalIds })).rejects.toMatchObject({
        kind: 'unauthenticated',
        code: 'azure_auth.principal',
      });
  });

  it('with a strong algorithm that Microsoft does not use is rejected', async () => {
    for (const alg of ['RS384', 'RS512', 'PS256', 'ES256'])
      await expect(prove(signedBy(tenant, {}, { alg }))).rejects.toMatchObject({ code: 'proof.algorithm' });
  });

  it('calls only Microsoft', () => {
    expect(new Set(standIns.called.map((url) => new URL(url).host))).toEqual(new Set(['login.microsoftonline.com']));
  });
});

describe('a configuration', () => {
  it.each(['common', 'organizations', '', '../x', `${randomUUID()}/..`, `${randomUUID()}#`, 'contoso.com'])(
    'has no tenant %j',
    (tenantId) => {
      expect(azureAuth.Attach.safeParse({ identityId: 'x', resource: 'x', tenantId }).success).toBe(false);
    },
  );
});

describe('where Microsoft', () => {
  it.each(Object.keys(faults))('%s, a login is refused, clearly', async (fault) => {
    standIns.patience = { 'login.microsoftonline.com': 300 };
    keySets = new ProviderKeySets(standIns.fetch, () => new Date());
    await standIns.serve('login.microsoftonline.com', faults[fault]!);
    await expect(prove(signedBy(tenant))).rejects.toMatchObject({
      kind: 'bad_request',
      code: expect.stringMatching(/^(outbound|provider)\./),
    });
    standIns.patience = {};
  });
});
