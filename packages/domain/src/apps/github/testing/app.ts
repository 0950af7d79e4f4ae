import { createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import {
  formWith,
  JsonService,
  pageOf,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const MINUTES_10 = 600;

interface Repository {
  readonly id: number;
  readonly name: string;
  readonly owner: { readonly id: number; readonly login: string; readonly type: string };
}

/** A user, and the repositories that they administer. */
export interface GitHubUser {
  readonly login: string;
  readonly administers: readonly number[];
  /** Whether they own the organization. */
  readonly isOwner?: boolean;
}

/** What a token of the installation may do. */
interface TokenScope {
  /** Default: all. */
  readonly repository_ids?: readonly number[];
  readonly permissions: Readonly<Record<string, string>>;
}

/**
 * GitHub's API of a GitHub App with one installation, and its login of users. It verifies the signature and the claims of
 * the app, and which tokens may do what.
 * - https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 * - https://docs.github.com/en/rest/apps/apps, https://docs.github.com/en/rest/apps/installations
 * - https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps
 */
export class GitHubApp extends JsonService {
  readonly appId = 4711;
  readonly installationId = 815;
  readonly privateKey: string;
  /** The credentials by which codes are exchanged: of the app, and of an OAuth application. */
  readonly clients = {
    app: { clientId: 'Iv1.0123456789abcdef', clientSecret: randomBytes(20).toString('hex') },
    oauth: { clientId: '0123456789abcdef0123', clientSecret: randomBytes(20).toString('hex') },
  };
  redirectUri = '';
  /** Tokens of the installation. */
  readonly tokens = new Map<string, TokenScope>();
  permissions: Record<string, string> = {
    ...{ metadata: 'read', contents: 'write', secrets: 'write', organization_secrets: 'write' },
  };
  readonly userTokens = new Map<string, GitHubUser>();
  readonly repositories: Repository[] = [1, 2].map((id) => ({
    ...{ id, name: `web-${id}` },
    owner: { id: 9, login: 'acme', type: 'Organization' },
  }));
  isSuspended = false;
  readonly #codes = new Map<string, GitHubUser>();
  readonly #publicKey;

  constructor() {
    super();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.privateKey = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
    this.#publicKey = createPublicKey(privateKey);
  }

  /** What a user brings back who has authorized one of the applications. */
  authorize(user: GitHubUser): string {
    const code = randomBytes(10).toString('hex');
    this.#codes.set(code, user);
    return code;
  }

  protected refuse({ path, headers }: JsonCall): JsonReply | undefined {
    if (path === '/login/oauth/access_token') return undefined;
    if (headers['x-github-api-version'] !== '2022-11-28' || headers.accept !== 'application/vnd.github+json')
      return { status: 415, body: { message: 'Name a version' } };
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    const [, kind = ''] = path.split('/');
    const isKnown = {
      app: this.#isSigned(token),
      installation: this.tokens.has(token),
      user: this.userTokens.has(token),
    };
    if (isKnown[kind as keyof typeof isKnown]) return undefined;
    const message = kind === 'app' ? 'A JSON web token could not be decoded' : 'Bad credentials';
    return { status: 401, body: { message } };
  }

  protected readonly routes: readonly Route[] = [
    ['POST', /^\/login\/oauth\/access_token$/, (call) => this.#exchange(call)],
    ['GET', /^\/app\/installations\/(\d+)$/, (_, id) => this.#installation(id, () => this.#shown())],
    [
      'POST',
      /^\/app\/installations\/(\d+)\/access_tokens$/,
      (call, id) => this.#installation(id, () => this.#issue(call)),
    ],
    ['GET', /^\/installation\/repositories$/, (call) => this.#page(call.query, this.#reached(call))],
    ['GET', /^\/user\/memberships\/orgs\/acme$/, (call) => this.#membership(this.#userOf(call))],
    ['GET', /^\/user$/, (call) => ({ status: 200, body: { login: this.#userOf(call).login } })],
    ['GET', /^\/user\/repos$/, () => ({ status: 200, body: this.repositories })],
    [
      'GET',
      /^\/user\/installations\/(\d+)\/repositories$/,
      (call, id) => this.#installation(id, () => this.#page(call.query, this.repositories, this.#userOf(call))),
    ],
  ];

  #userOf({ headers }: JsonCall): GitHubUser {
    return this.userTokens.get(headers.authorization!.slice('Bearer '.length))!;
  }

  #isSigned(jwt: string): boolean {
    const [header = '', payload = '', signature] = jwt.split('.');
    if (signature === undefined) return false;
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString() || '{}');
    const { iss, iat, exp } = read(payload);
    const isRight = read(header).alg === 'RS256' && String(iss) === String(this.appId) && exp - iat <= MINUTES_10;
    const signed = Buffer.from(`${header}.${payload}`);
    return isRight && verify('sha256', signed, this.#publicKey, Buffer.from(signature, 'base64url'));
  }

  /** Errors have the status 200. */
  #exchange(call: JsonCall): JsonReply {
    const code = new URLSearchParams(call.text).get('code') ?? '';
    const user = this.#codes.get(code);
    const fields = { grant_type: 'authorization_code', code, redirect_uri: this.redirectUri };
    const isRight = Object.values(this.clients).some(({ clientId, clientSecret }) => {
      const all = { ...fields, client_id: clientId, client_secret: clientSecret };
      return formWith(call, all) || formWith(call, { ...all, scope: 'repo admin:org' });
    });
    const error_description = 'The code passed is incorrect or expired.';
    if (!user || !isRight) return { status: 200, body: { error: 'bad_verification_code', error_description } };
    this.#codes.delete(code);
    const token = `ghu_${randomBytes(18).toString('hex')}`;
    this.userTokens.set(token, user);
    return { status: 200, body: { access_token: token, scope: '', token_type: 'bearer' } };
  }

  #installation(id: string | undefined, reply: () => JsonReply): JsonReply {
    return id === String(this.installationId) ? reply() : { status: 404, body: { message: 'Not Found' } };
  }

  #shown(): JsonReply {
    const suspended_at = this.isSuspended ? '2026-01-02T03:04:05Z' : null;
    const account = { login: 'acme', type: 'Organization' };
    const { installationId: id, appId: app_id, permissions } = this;
    return { status: 200, body: { id, app_id, suspended_at, account, permissions } };
  }

  #issue({ text }: JsonCall): JsonReply {
    if (this.isSuspended) return { status: 403, body: { message: 'This installation has been suspended' } };
    const { repository_ids, permissions = this.permissions } = JSON.parse(text || '{}') as Partial<TokenScope>;
    const isKnown = (id: number) => this.repositories.some((one) => one.id === id);
    if (repository_ids?.every(isKnown) === false || (repository_ids?.length ?? 0) > 500)
      return { status: 422, body: { message: 'There is at least one repository that does not exist' } };
    if (Object.entries(permissions).some(([name, level]) => ![level, 'write'].includes(this.permissions[name] ?? '')))
      return { status: 422, body: { message: 'The permissions requested are not granted to this installation.' } };
    const token = `ghs_${randomBytes(18).toString('hex')}`;
    this.tokens.set(token, { ...(repository_ids && { repository_ids }), permissions });
    const scope = { permissions, repository_selection: 'selected' };
    return { status: 201, body: { token, expires_at: '2031-02-03T04:05:06Z', ...scope } };
  }

  #membership({ isOwner = false }: GitHubUser): JsonReply {
    return { status: 200, body: { state: 'active', role: isOwner ? 'admin' : 'member' } };
  }

  /** The repositories that a token of the installation reaches. */
  #reached({ headers }: JsonCall): Repository[] {
    const { repository_ids: ids } = this.tokens.get(headers.authorization!.slice('Bearer '.length))!;
    return this.repositories.filter(({ id }) => ids?.includes(id) ?? true);
  }

  /** Some repositories, for a user with their rights there. */
  #page(query: URLSearchParams, repositories: readonly Repository[], user?: GitHubUser): JsonReply {
    const all = repositories.map((one) => ({
      ...one,
      ...(user && { permissions: { admin: user.administers.includes(one.id), pull: true } }),
    }));
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 30)];
    return { status: 200, body: { total_count: all.length, repositories: pageOf(all, page, size, 1) } };
  }
}
