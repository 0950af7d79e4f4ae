import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderKeySets } from '../../proof/index.ts';
import { rejectedCredentials, signedBy } from '../../testing/rejected-credentials.ts';
import { AUDIENCE, IdentityProvider } from '../../testing/identity-provider.ts';
import { attempt } from '../../testing/attempt.ts';
import { StandIns } from '../../testing/stand-ins.ts';
import { oidcAuth } from './oidc-auth.ts';

const standIns = new StandIns();
let provider: IdentityProvider;
let other: IdentityProvider;
let keySets: ProviderKeySets;
let now: () => Date = () => new Date();

beforeAll(async () => {
  provider = await IdentityProvider.start(standIns);
  other = await IdentityProvider.start(standIns, 'other.test');
  keySets = new ProviderKeySets(standIns.fetch, () => now());
});
afterAll(() => standIns.close());

async function prove(jwt: string, given: object = {}) {
  const config = oidcAuth.config.parse({
    oidcDiscoveryUrl: provider.issuer,
    boundIssuer: provider.issuer,
    boundAudiences: AUDIENCE,
    boundSubject: 'deploy-job',
    ...given,
  });
  return oidcAuth.verify!(config, { jwt }, attempt({ keySets, now: now() }));
}

describe('a true proof', () => {
  it('is a token that the provider issued', async () => {
    expect(await prove(await provider.token())).toEqual({ oidc: { claims: {} } });
    expect(
      await prove(await other.token(), { oidcDiscoveryUrl: other.issuer, boundIssuer: other.issuer }),
    ).toBeDefined();
  });

  it('is one that the test signs as the provider does', async () => {
    expect(await prove(signedBy(provider))).toBeDefined();
    expect(await prove(signedBy(provider, { aud: ['other', AUDIENCE] }))).toBeDefined();
    expect(await prove(signedBy(provider, {}, { kid: undefined }))).toBeDefined();
  });
});

describe('rejected credentials', () => {
  it.each(rejectedCredentials)('$name is refused', async ({ about, code, forge }) => {
    const kind = about === 'subject' ? 'forbidden' : 'unauthenticated';
    await expect(prove(forge(provider))).rejects.toMatchObject({ kind, code });
  });

  it('of another provider is refused, also with the true kid and the true issuer', async () => {
    await expect(prove(await other.token())).rejects.toMatchObject({ code: 'proof.unknown_key' });
    const { kid } = provider;
    await expect(prove(signedBy(other, { iss: provider.issuer }, { kid }))).rejects.toMatchObject({
      code: 'proof.signature',
    });
  });

  it('by a key that the provider has no longer is refused', async () => {
    const token = await provider.token();
    await provider.rotate();
    await expect(prove(signedBy(provider))).rejects.toMatchObject({ code: 'proof.unknown_key' });
    now = () => new Date(Date.now() + 11_000);
    await prove(await provider.token());
    await expect(prove(token)).rejects.toMatchObject({ code: 'proof.unknown_key' });
    now = () => new Date();
  });

  it('calls no address that it contains', () => {
    expect(standIns.called.filter((url) => url.includes('stranger'))).toEqual([]);
  });
});
