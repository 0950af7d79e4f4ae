import { generateKeyPairSync, hash, sign, X509Certificate, type JsonWebKey, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import type { AcmeWorld } from './acme.ts';
import { csrFor } from './csr.ts';
import type { Answer } from './test-server.ts';

export interface AccountKey {
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
  readonly alg: string;
}

export function accountKey(kind: 'EC' | 'RSA' | 'Ed25519' = 'EC'): AccountKey {
  const { privateKey, publicKey } =
    kind === 'EC'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : kind === 'RSA'
        ? generateKeyPairSync('rsa', { modulusLength: 2048 })
        : generateKeyPairSync('ed25519');
  const alg = { EC: 'ES256', RSA: 'RS256', Ed25519: 'EdDSA' }[kind];
  return { privateKey, jwk: publicKey.export({ format: 'jwk' }), alg };
}

export interface Sent {
  readonly key: AccountKey;
  /** Absent: the key itself is in the message. */
  readonly kid?: string | undefined;
  readonly nonce?: string;
  /** Replaces or adds members of the protected header; `undefined` removes one. */
  readonly header?: Record<string, unknown>;
  readonly type?: string;
}

/** A client that sends exactly what it is given, valid or not. */
export class AcmeClient {
  readonly world: AcmeWorld;
  readonly profileId: string;
  readonly base: string;
  key: AccountKey;
  kid = '';

  private constructor(world: AcmeWorld, profileId: string, key: AccountKey) {
    this.world = world;
    this.profileId = profileId;
    this.base = `${world.test.coffer.settings.siteUrl}/api/v1/cert-manager/acme/${profileId}`;
    this.key = key;
  }

  static of(world: AcmeWorld, profileId: string, kind?: 'EC' | 'RSA' | 'Ed25519'): AcmeClient {
    return new AcmeClient(world, profileId, accountKey(kind));
  }

  /** A client with an account. */
  static async withAccount(world: AcmeWorld, profileId: string): Promise<AcmeClient> {
    const client = AcmeClient.of(world, profileId);
    const answer = await client.byKey('new-account', { termsOfServiceAgreed: true });
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    client.kid = String(answer.headers['location']);
    return client;
  }

  get accountId(): string {
    return this.kid.split('/').at(-1)!;
  }

  urlOf(path: string): string {
    return path.startsWith('http') ? path : `${this.base}/${path}`;
  }

  async nonce(): Promise<string> {
    const { statusCode, headers } = await this.world.test.app.inject({ method: 'HEAD', url: this.pathOf('new-nonce') });
    if (statusCode !== 200) throw new Error(`No nonce: ${statusCode}`);
    return String(headers['replay-nonce']);
  }

  pathOf(path: string): string {
    return this.urlOf(path).slice(this.world.test.coffer.settings.siteUrl.length);
  }

  /** A signed message. */
  async sign(path: string, payload: object | '', { key, kid, nonce, header }: Sent): Promise<object> {
    const text = payload === '' ? '' : JSON.stringify(payload);
    const fields = {
      alg: key.alg,
      url: this.urlOf(path),
      nonce: nonce ?? (await this.nonce()),
      ...(kid === undefined ? { jwk: key.jwk } : { kid }),
      ...header,
    };
    return signJws(fields, text, key);
  }

  async send(path: string, body: unknown, type = 'application/jose+json'): Promise<Answer> {
    const answer = await this.world.test.app.inject({
      method: 'POST',
      url: this.pathOf(path),
      headers: { 'content-type': type },
      payload: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const isJson = /json/.test(String(answer.headers['content-type']));
    return {
      status: answer.statusCode,
      body: isJson ? JSON.parse(answer.body) : answer.body,
      headers: answer.headers,
    };
  }

  /** By the account. */
  async post(path: string, payload: object | '' = '', more: Partial<Sent> = {}): Promise<Answer> {
    return this.send(path, await this.sign(path, payload, { key: this.key, kid: this.kid, ...more }), more.type);
  }

  /** By the key alone. */
  async byKey(path: string, payload: object | '', more: Partial<Sent> = {}): Promise<Answer> {
    return this.send(path, await this.sign(path, payload, { key: this.key, ...more }), more.type);
  }

  get thumbprint(): string {
    const { kty, crv, x, y, e, n } = this.key.jwk;
    // RFC 7638: members sorted by name, without absent ones.
    return hash('sha256', JSON.stringify({ crv, e, kty, n, x, y }), 'base64url');
  }

  order(...names: string[]): Promise<Answer> {
    return this.post('new-order', { identifiers: names.map((value) => ({ type: 'dns', value })) });
  }

  /** Provides the response of one challenge, requests its validation, and waits for the result. */
  async prove(authorizationUrl: string, type = 'http-01'): Promise<Answer> {
    const { body } = await this.post(authorizationUrl);
    const challenge = body.challenges.find((one: { type: string }) => one.type === type);
    const content = `${challenge.token}.${this.thumbprint}`;
    const { challenges } = this.world;
    if (type === 'http-01') await challenges.tell('add-http01', { token: challenge.token, content });
    else if (type === 'tls-alpn-01') await challenges.tell('add-tlsalpn01', { host: body.identifier.value, content });
    else {
      const value = hash('sha256', content, 'base64url');
      await challenges.tell('set-txt', { host: `_acme-challenge.${body.identifier.value}.`, value });
    }
    await this.post(challenge.url, {});
    return this.decided(authorizationUrl);
  }

  /** An authorization when it is not pending any more. */
  async decided(authorizationUrl: string): Promise<Answer> {
    await this.world.work();
    for (;;) {
      const answer = await this.post(authorizationUrl);
      if (answer.body.status !== 'pending') return answer;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const base64url = (text: string) => Buffer.from(text).toString('base64url');

/** RFC 7515, section 7.2.2. */
export function signJws(header: object, text: string, { alg, privateKey }: AccountKey): object {
  const [head, payload] = [base64url(JSON.stringify(header)), base64url(text)];
  const algorithm = alg === 'EdDSA' ? null : 'sha256';
  const signature = sign(algorithm, Buffer.from(`${head}.${payload}`), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return { protected: head, payload, signature: signature.toString('base64url') };
}

/** An issued certificate. */
export async function obtain(client: AcmeClient, names: readonly string[], more: object = {}, csr?: string) {
  const identifiers = names.map((value) => ({ type: 'dns', value }));
  const order = await client.post('new-order', { identifiers, ...more });
  expect([order.status, order.body.status]).toEqual([201, 'ready']);
  const done = await client.post(order.body.finalize, { csr: csr ?? csrFor(...names) });
  expect(done.body).toMatchObject({ status: 'valid' });
  const { body: pem, headers } = await client.post(done.body.certificate);
  expect(headers['content-type']).toBe('application/pem-certificate-chain');
  return { pem, certificate: new X509Certificate(pem), order: done.body };
}
export const derOf = (certificate: X509Certificate) => certificate.raw.toString('base64url');
