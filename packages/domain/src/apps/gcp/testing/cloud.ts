import { createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';
import type { ServiceAccountKey } from '../../../kernel/index.ts';

/** A request to one of the APIs, whose token was accepted. */
export interface GcpCall {
  readonly method: string;
  readonly url: URL;
  /** The e-mail address of the service account. */
  readonly caller: string;
  readonly body: Record<string, unknown> | undefined;
  answer(status: number, body: unknown, headers?: Record<string, string>): void;
  /** With a status of https://cloud.google.com/apis/design/errors, as `NOT_FOUND`. */
  refuse(status: number, code: string, message: string): void;
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

/**
 * Google's token endpoint with the service account of the operator, the IAM Credentials API, and the resource manager.
 * Requests are verified as documented: https://developers.google.com/identity/protocols/oauth2/service-account#httprest,
 * https://cloud.google.com/iam/docs/reference/credentials/rest/v1/projects.serviceAccounts/generateAccessToken,
 * https://cloud.google.com/resource-manager/reference/rest/v3/projects/search
 */
export class GcpCloud {
  /** The key of the operator. */
  readonly operator: ServiceAccountKey;
  /** The service accounts on which the one of the operator is a token creator. */
  readonly accounts = new Set<string>();
  /** The projects that service accounts see. */
  readonly projects: { readonly projectId: string; readonly displayName: string; readonly state: string }[] = [];
  /** The service account of each access token. */
  readonly tokens = new Map<string, string>();
  /** The lifetimes that tokens were asked for with. */
  readonly lifetimes: string[] = [];
  now: () => number = Date.now;
  pageSize = 2;
  /** Answers a call to an API in its place, if it returns true. */
  accident: (call: GcpCall) => boolean = () => false;
  readonly #publicKey;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.#publicKey = publicKey;
    this.operator = {
      clientEmail: 'coffer@operator.iam.gserviceaccount.com',
      privateKeyId: randomBytes(20).toString('hex'),
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    };
  }

  /** A service account of an organization, which trusts the one of the operator. */
  addAccount(organizationId: string, name = 'shop'): string {
    const suffix = organizationId.split('-').slice(0, 2).join('-');
    const email = `${name}-${suffix}@acme.iam.gserviceaccount.com`;
    this.accounts.add(email);
    return email;
  }

  async serve(standIns: StandIns): Promise<void> {
    await standIns.serve('oauth2.googleapis.com', (request, response) => {
      this.#login(request, response).catch(() => response.destroy());
    });
    await standIns.serve(
      'iamcredentials.googleapis.com',
      this.api((call) => this.#generate(call)),
    );
    await standIns.serve('cloudresourcemanager.googleapis.com', this.projectsListener);
  }

  async #login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
    const isToken = request.method === 'POST' && request.url === '/token' && isForm;
    const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const fault = isToken && isGrant ? this.#faultOf(form.get('assertion') ?? '') : 'Malformed request.';
    if (fault !== undefined) return json(response, 400, { error: 'invalid_grant', error_description: fault });
    json(response, 200, {
      access_token: this.#token(this.operator.clientEmail),
      expires_in: 3599,
      token_type: 'Bearer',
    });
  }

  /** Why an assertion is refused. */
  #faultOf(assertion: string): string | undefined {
    const [head = '', payload = '', signature = ''] = assertion.split('.');
    const { alg, kid } = decoded(head);
    const isSigned = createVerify('RSA-SHA256')
      .update(`${head}.${payload}`)
      .verify(this.#publicKey, signature, 'base64url');
    if (alg !== 'RS256' || kid !== this.operator.privateKeyId || !isSigned) return 'Invalid JWT Signature.';
    const { iss, scope, aud, iat, exp } = decoded(payload);
    const now = this.now() / 1000;
    if (iss !== this.operator.clientEmail) return 'Invalid issuer.';
    if (aud !== TOKEN_URL || scope !== SCOPE) return 'Invalid JWT: audience or scope.';
    const isTimely = Number(iat) <= now + 60 && Number(exp) > now && Number(exp) - Number(iat) <= 3600;
    return isTimely ? undefined : 'Invalid JWT: Token must be a short-lived token.';
  }

  #token(account: string): string {
    const token = `ya29.${randomBytes(30).toString('base64url')}`;
    this.tokens.set(token, account);
    return token;
  }

  /** An API that accepts the access tokens of service accounts. */
  api =
    (serve: (call: GcpCall) => void): RequestListener =>
    (request, response) => {
      this.#call(serve, request, response).catch(() => response.destroy());
    };

  async #call(serve: (call: GcpCall) => void, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const refuse: GcpCall['refuse'] = (status, code, message) =>
      json(response, status, { error: { code: status, message, status: code } });
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const caller = scheme === 'Bearer' ? this.tokens.get(token) : undefined;
    if (caller === undefined) return refuse(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    if (sent !== '' && request.headers['content-type'] !== 'application/json')
      return refuse(400, 'INVALID_ARGUMENT', 'JSON is expected.');
    const call: GcpCall = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', `https://${request.headers.host}`),
      caller,
      body: sent === '' ? undefined : (JSON.parse(sent) as Record<string, unknown>),
      answer: (status, body, headers) => json(response, status, body, headers),
      refuse,
    };
    if (!this.accident(call)) serve(call);
  }

  readonly projectsListener = this.api((call) => this.#search(call));

  #generate(call: GcpCall): void {
    const { method, url, caller, body } = call;
    const [, name = ''] = /^\/v1\/projects\/-\/serviceAccounts\/([^/:]+):generateAccessToken$/.exec(url.pathname) ?? [];
    const email = decodeURIComponent(name);
    if (method !== 'POST' || email === '') return call.refuse(404, 'NOT_FOUND', 'Not found.');
    if (caller !== this.operator.clientEmail || !this.accounts.has(email))
      return call.refuse(
        403,
        'PERMISSION_DENIED',
        "Permission 'iam.serviceAccounts.getAccessToken' denied on resource.",
      );
    const { scope, lifetime } = body ?? {};
    const seconds = Number(/^(\d+)s$/.exec(String(lifetime))?.[1]);
    if (!Array.isArray(scope) || scope[0] !== SCOPE || !(seconds >= 1 && seconds <= 43_200))
      return call.refuse(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.');
    this.lifetimes.push(String(lifetime));
    const expireTime = new Date(this.now() + seconds * 1000).toISOString();
    call.answer(200, { accessToken: this.#token(email), expireTime });
  }

  #search(call: GcpCall): void {
    const { method, url } = call;
    if (method !== 'GET' || url.pathname !== '/v3/projects:search') return call.refuse(404, 'NOT_FOUND', 'Not found.');
    call.answer(200, this.page(call, 'projects', this.projects));
  }

  /** A page of a list, which omits what is empty. */
  page({ url }: GcpCall, name: string, all: readonly unknown[]): Record<string, unknown> {
    const start = Number(url.searchParams.get('pageToken') ?? 0);
    const size = Math.min(this.pageSize, Number(url.searchParams.get('pageSize') ?? this.pageSize));
    const items = all.slice(start, start + size);
    return {
      ...(items.length > 0 && { [name]: items }),
      ...(start + size < all.length && { nextPageToken: String(start + size) }),
    };
  }
}

function decoded(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
    .end(JSON.stringify(body));
}
