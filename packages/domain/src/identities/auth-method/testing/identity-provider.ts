import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Adapter, Configuration } from 'oidc-provider';
import type { TestClaims, TestIssuer } from './rejected-credentials.ts';
import type { StandIns } from './stand-ins.ts';

export const AUDIENCE = 'https://coffer.example.com';
const CLIENT = { id: 'deploy-job', secret: 'a secret of the test alone' };

interface PublishedKey extends JsonWebKey {
  kid: string;
  alg: string;
  use: 'sig';
}

/**
 * An OpenID provider (the package oidc-provider) at a host that the test stands in for. Machines get tokens with client
 * credentials, signed by the newest key.
 */
export class IdentityProvider implements TestIssuer {
  readonly issuer: string;
  /** The received requests, by path. */
  readonly asked: string[] = [];
  readonly #standIns: StandIns;
  #keys: PublishedKey[] = [];
  #answer: (...exchange: Parameters<RequestListener>) => Promise<void> = async () => undefined;

  private constructor(standIns: StandIns, host: string) {
    this.#standIns = standIns;
    this.issuer = `https://${host}`;
  }

  static async start(standIns: StandIns, host = 'idp.test'): Promise<IdentityProvider> {
    const provider = new IdentityProvider(standIns, host);
    await provider.rotate();
    await standIns.serve(host, provider.listener);
    return provider;
  }

  readonly listener: RequestListener = (request, response) => {
    this.asked.push(request.url ?? '');
    // Under the name that it has on the internet, and not with the port that it has on this machine.
    request.headers.host = new URL(this.issuer).host;
    this.#answer(request, response).catch(() => response.destroy());
  };

  get kid(): string {
    return this.#newest.kid;
  }
  get privateKey(): KeyObject {
    return createPrivateKey({ key: this.#newest, format: 'jwk' });
  }
  get publicKey(): KeyObject {
    return createPublicKey(this.privateKey);
  }

  /** Signs with a new key from now on, and publishes the others no longer. */
  async rotate(): Promise<void> {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const kid = `key-${Math.random().toString(36).slice(2)}`;
    this.#keys = [{ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' }];
    const { Provider } = await import('oidc-provider');
    this.#answer = new Provider(this.issuer, this.#configuration()).callback();
  }

  /** A token of the client `deploy-job` for an audience, by the protocol. */
  async token(audience = AUDIENCE): Promise<string> {
    const form = { grant_type: 'client_credentials', client_id: CLIENT.id, client_secret: CLIENT.secret };
    const answer = await this.#standIns.fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...form, resource: audience }).toString(),
    });
    if (answer.status !== 200) throw new Error(`The provider answered ${answer.text()}`);
    return (answer.json() as { access_token: string }).access_token;
  }

  claims(): TestClaims {
    const now = Math.floor(Date.now() / 1000);
    return { iss: this.issuer, sub: CLIENT.id, aud: AUDIENCE, iat: now, exp: now + 600, ...EXTRA_CLAIMS };
  }

  get #newest(): PublishedKey {
    return this.#keys[0]!;
  }

  #configuration(): Configuration {
    return {
      adapter: Nowhere,
      jwks: { keys: this.#keys },
      ttl: { ClientCredentials: 600 },
      cookies: { keys: ['a key of the test alone'] },
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['client_credentials'],
          redirect_uris: [],
          response_types: [],
        },
      ],
      extraTokenClaims: () => EXTRA_CLAIMS,
      features: {
        devInteractions: { enabled: false },
        clientCredentials: { enabled: true },
        resourceIndicators: {
          enabled: true,
          getResourceServerInfo: (_ctx, audience) => ({
            audience,
            scope: '',
            accessTokenFormat: 'jwt',
            accessTokenTTL: 600,
            jwt: { sign: { alg: 'RS256' } },
          }),
        },
      },
    };
  }
}

/** Its tokens are JWTs: nothing is stored. */
class Nowhere implements Adapter {
  upsert = async () => undefined;
  find = async () => undefined;
  findByUserCode = async () => undefined;
  findByUid = async () => undefined;
  consume = async () => undefined;
  destroy = async () => undefined;
  revokeByGrantId = async () => undefined;
}

/** Further properties of the provider's client. */
const EXTRA_CLAIMS = {
  groups: ['deployers', 'readers'],
  repository: { owner: 'acme', name: 'acme/website', id: 4711, isFork: false },
};
