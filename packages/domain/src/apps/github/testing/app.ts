import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { JsonService, type JsonCall, type JsonReply, type Route } from '../../../family/testing/json-service.ts';

const MINUTES_10 = 600;

/**
 * GitHub's API of a GitHub App with one installation, which verifies the signature and the claims of its tokens.
 * - https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 * - https://docs.github.com/en/rest/apps/apps
 */
export class GitHubApp extends JsonService {
  readonly appId = 4711;
  readonly installationId = 815;
  readonly privateKey: string;
  /** Tokens of the installation. */
  readonly tokens = new Set<string>();
  isSuspended = false;
  readonly #publicKey;

  constructor() {
    super();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    this.#publicKey = createPublicKey(privateKey);
  }

  protected refuse({ headers }: JsonCall): JsonReply | undefined {
    if (headers['x-github-api-version'] !== '2022-11-28' || headers.accept !== 'application/vnd.github+json')
      return { status: 415, body: { message: 'Name a version' } };
    const [, jwt = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (this.#isSigned(jwt)) return undefined;
    return { status: 401, body: { message: 'A JSON web token could not be decoded' } };
  }

  protected readonly routes: readonly Route[] = [
    ['GET', /^\/app\/installations\/(\d+)$/, (_, id) => this.#installation(id, () => this.#shown())],
    ['POST', /^\/app\/installations\/(\d+)\/access_tokens$/, (_, id) => this.#installation(id, () => this.#issue())],
  ];

  #isSigned(jwt: string): boolean {
    const [header = '', payload = '', signature = ''] = jwt.split('.');
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
    const { iss, iat, exp } = read(payload);
    const isRight = read(header).alg === 'RS256' && String(iss) === String(this.appId) && exp - iat <= MINUTES_10;
    const signed = Buffer.from(`${header}.${payload}`);
    return isRight && verify('sha256', signed, this.#publicKey, Buffer.from(signature, 'base64url'));
  }

  #installation(id: string | undefined, reply: () => JsonReply): JsonReply {
    return id === String(this.installationId) ? reply() : { status: 404, body: { message: 'Not Found' } };
  }

  #shown(): JsonReply {
    const suspended_at = this.isSuspended ? '2026-01-02T03:04:05Z' : null;
    return { status: 200, body: { id: this.installationId, app_id: this.appId, suspended_at } };
  }

  #issue(): JsonReply {
    if (this.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } };
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    this.tokens.add(token);
    const body = {
      token,
      expires_at: '2031-02-03T04:05:06Z',
      permissions: { contents: 'read' },
      repository_selection: 'selected',
    };
    return { status: 201, body };
  }
}
