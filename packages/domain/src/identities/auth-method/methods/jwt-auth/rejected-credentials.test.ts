import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderKeySets } from '../../proof/index.ts';
import { attempt } from '../../testing/attempt.ts';
import { rejectedCredentials, signedBy, type TestIssuer } from '../../testing/rejected-credentials.ts';
import { StandIns } from '../../testing/stand-ins.ts';
import { jwtAuth } from './jwt-auth.ts';

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

class Issuer implements TestIssuer {
  readonly kid: string | undefined;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });

  constructor(kid?: string) {
    this.kid = kid;
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey;
  }
  get publicKey(): KeyObject {
    return this.#keys.publicKey;
  }

  claims() {
    const now = Math.floor(Date.now() / 1000);
    return { iss: 'https://ci.example.com', sub: 'job-1', aud: 'coffer', iat: now, exp: now + 300 };
  }
}

const standIns = new StandIns();
const keySets = new ProviderKeySets(standIns.fetch, () => new Date());
const published = new Issuer('first');
const second = new Issuer('second');
const unnamed = new Issuer();
const bound = { boundIssuer: 'https://ci.example.com', boundSubject: 'job-*', boundAudiences: 'vault, coffer' };
const jwks = { configurationType: 'jwks', jwksUrl: 'https://ci.test/jwks', ...bound };
const fixed = {
  configurationType: 'static',
  publicKeys: [new Issuer().publicKey, unnamed.publicKey].map(spki),
  ...bound,
};

beforeAll(() =>
  standIns.serve('ci.test', (_, response) => {
    const keys = [second, published].map(({ kid, publicKey }) => ({
      kid,
      ...publicKey.export({ format: 'jwk' }),
    }));
    response.end(JSON.stringify({ keys }));
  }),
);
afterAll(() => standIns.close());

const prove = (jwt: string, given: object) =>
  jwtAuth.verify!(jwtAuth.config.parse(given), { jwt }, attempt({ keySets }));

describe.each([
  ['of a published key', published, jwks],
  ['of a key in the configuration', unnamed, fixed],
] as const)('proofs %s', (_, issuer, given) => {
  it('are accepted if they are valid', async () => {
    expect(await prove(signedBy(issuer), given)).toEqual({});
    expect(await prove(signedBy(issuer, { sub: 'job-2', aud: ['coffer', 'other'] }), given)).toEqual({});
  });

  it.each(rejectedCredentials.filter(({ name }) => name !== 'of more than the subject'))(
    'are refused where they are false: $name',
    async ({ about, code, forge }) => {
      const kind = about === 'subject' || about === 'issuer' ? 'forbidden' : 'unauthenticated';
      await expect(prove(forge(issuer), given)).rejects.toMatchObject({ kind, code });
    },
  );

  it('are rejected if they were issued for the other configuration', async () => {
    const [other, otherGiven] = issuer === published ? [unnamed, fixed] : [published, jwks];
    expect(await prove(signedBy(other), otherGiven)).toEqual({});
    await expect(prove(signedBy(other), given)).rejects.toMatchObject({ kind: 'unauthenticated' });
    const keysOfBoth = { publicKeys: fixed.publicKeys, jwksUrl: jwks.jwksUrl };
    await expect(prove(signedBy(other), { ...given, ...keysOfBoth })).rejects.toMatchObject({
      kind: 'unauthenticated',
    });
  });

  it('are not bound to empty fields, but to their expiry and their signature', async () => {
    const unbound = { ...given, boundIssuer: '', boundSubject: '', boundAudiences: '', boundClaims: {} };
    const free = { iss: undefined, sub: undefined, aud: undefined };
    expect(await prove(signedBy(issuer, free), unbound)).toEqual({});
    for (const { forge, about } of rejectedCredentials.filter((one) =>
      ['time', 'signature', 'form'].includes(one.about),
    ))
      await expect(prove(forge(issuer), unbound), about).rejects.toMatchObject({ kind: 'unauthenticated' });
  });
});

it.each([
  ['RS512', 'rsa', { modulusLength: 2048 }],
  ['PS256', 'rsa', { modulusLength: 3072 }],
  ['ES256', 'ec', { namedCurve: 'P-256' }],
  ['ES384', 'ec', { namedCurve: 'P-384' }],
  ['ES512', 'ec', { namedCurve: 'P-521' }],
  ['EdDSA', 'ed25519', {}],
  ['Ed25519', 'ed25519', {}],
] as const)('takes signatures by %s, published and in the configuration', async (alg, type, options) => {
  const keys = generateKeyPairSync(type as 'ec', options as { namedCurve: string });
  const name = `${alg.toLowerCase()}.test`;
  await standIns.serve(name, (_, response) =>
    response.end(JSON.stringify({ keys: [{ kid: alg, ...keys.publicKey.export({ format: 'jwk' }) }] })),
  );
  const sign = (header: object, key = keys.privateKey) =>
    new SignJWT(published.claims()).setProtectedHeader({ alg, ...header }).sign(key);
  const here = { ...fixed, publicKeys: [...fixed.publicKeys, spki(keys.publicKey)] };
  const there = { ...jwks, jwksUrl: `https://${name}/` };
  for (const given of [here, there])
    for (const header of [{ kid: alg }, {}]) expect(await prove(await sign(header), given)).toEqual({});
  const { privateKey } = generateKeyPairSync(type as 'ec', options as { namedCurve: string });
  for (const given of [here, there])
    await expect(prove(await sign({ kid: alg }, privateKey), given)).rejects.toMatchObject({ code: 'proof.signature' });
});
