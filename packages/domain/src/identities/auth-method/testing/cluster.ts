import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener } from 'node:http';
import { generateKeyPair, jwtVerify, SignJWT, type CryptoKey, type JWTPayload } from 'jose';

const API_SERVER = 'https://kubernetes.default.svc';
const ISSUER = 'https://kubernetes.default.svc.cluster.local';

interface Pod {
  readonly audience?: string | string[];
  /** Seconds; the past where negative. */
  readonly livesFor?: number;
  /** The full user name, instead of the one from namespace and name. */
  readonly username?: string;
}

/**
 * The API server of a cluster with token reviews: it signs tokens of service accounts, verifies them, and accepts only
 * the configured reviewers.
 */
export class Cluster {
  /** User names that may create token reviews, as `system:auth-delegator` lets them. */
  readonly reviewers = new Set<string>();
  /** The bodies of all received reviews. */
  readonly reviews: { spec: { token: string; audiences?: string[] } }[] = [];
  /** Older API servers know nothing of audiences. */
  knowsAudiences = true;
  readonly #keys: { privateKey: CryptoKey; publicKey: CryptoKey };
  readonly #gone = new Set<string>();

  private constructor(keys: { privateKey: CryptoKey; publicKey: CryptoKey }) {
    this.#keys = keys;
  }

  static async start(): Promise<Cluster> {
    return new Cluster(await generateKeyPair('RS256'));
  }

  /** The token of a service account. */
  token(namespace: string, name: string, { audience = API_SERVER, livesFor = 3600, username }: Pod = {}) {
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({ 'kubernetes.io': { namespace, serviceaccount: { name, uid: randomUUID() } } })
      .setProtectedHeader({ alg: 'RS256', kid: 'cluster' })
      .setIssuer(ISSUER)
      .setSubject(username ?? `system:serviceaccount:${namespace}:${name}`)
      .setAudience(audience)
      .setIssuedAt(now + Math.min(0, livesFor) - 1)
      .setExpirationTime(now + livesFor)
      .sign(this.#keys.privateKey);
  }

  /** A token that may review others. */
  reviewer(name = 'reviewer'): Promise<string> {
    this.reviewers.add(`system:serviceaccount:kube-system:${name}`);
    return this.token('kube-system', name);
  }

  /** Deletes the account of a token. */
  revoke(token: string): void {
    this.#gone.add(token);
  }

  readonly listener: RequestListener = (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    this.#answer(request).then(
      ({ status, body }) => answer(status, body),
      () => answer(500, { kind: 'Status', code: 500 }),
    );
  };

  async #answer(request: IncomingMessage): Promise<{ status: number; body: object }> {
    const failure = (code: number) => ({ status: code, body: { kind: 'Status', status: 'Failure', code } });
    const { method, url, headers } = request;
    if (url !== '/apis/authentication.k8s.io/v1/tokenreviews') return failure(404);
    if (method !== 'POST') return failure(405);
    if (headers['content-type'] !== 'application/json') return failure(415);
    const caller = await this.#whose(headers.authorization?.replace(/^Bearer /, '') ?? '', [API_SERVER]);
    if (!caller) return failure(401);
    if (!this.reviewers.has(caller.sub ?? '')) return failure(403);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Cluster['reviews'][number];
    this.reviews.push(review);
    const { token, audiences } = review.spec;
    const payload = await this.#whose(token, this.knowsAudiences ? (audiences ?? [API_SERVER]) : []);
    if (!payload) return { status: 201, body: { ...review, status: { error: 'invalid bearer token' } } };
    const compatible = [payload.aud ?? []].flat().filter((one) => audiences?.includes(one));
    const user = { username: payload.sub, uid: randomUUID(), groups: ['system:serviceaccounts'] };
    const known = this.knowsAudiences && audiences ? { audiences: compatible } : {};
    return { status: 201, body: { ...review, status: { authenticated: true, user, ...known } } };
  }

  async #whose(token: string, audience: string[]): Promise<JWTPayload | undefined> {
    if (this.#gone.has(token)) return undefined;
    try {
      const options = { issuer: ISSUER, ...(audience.length > 0 && { audience }) };
      return (await jwtVerify(token, this.#keys.publicKey, options)).payload;
    } catch {
      return undefined;
    }
  }
}
