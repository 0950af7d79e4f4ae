import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { StandIns } from '../../../identities/auth-method/testing/stand-ins.ts';

export interface AzureCaller {
  readonly clientId: string;
  readonly scope: string;
}

/** A request to one of the APIs, whose token was accepted. */
export interface AzureCall {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly caller: AzureCaller;
  /** Of JSON; `undefined` without a body. */
  readonly body: Record<string, unknown> | undefined;
  answer(status: number, body?: unknown, headers?: Record<string, string>): void;
}

/** An API: the scopes that its tokens have, and what it answers. */
export interface AzureApi {
  readonly host: string;
  readonly scope: string;
  /** How it refuses; default: `{error: {code, message}}`. */
  readonly fault?: (code: string, message: string) => object;
  serve(call: AzureCall): void;
}

export const azureFault = (code: string, message: string) => ({ error: { code, message } });

interface Grant {
  readonly scope: string;
  isUsed: boolean;
}

/**
 * A tenant of Microsoft Entra ID with its token endpoint, and the APIs that trust it. Requests are verified as documented:
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow,
 * https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow
 */
export class AzureCloud {
  readonly tenantId: string = randomUUID();
  /** An application with a client secret of a connection. */
  readonly application = { clientId: randomUUID() as string, clientSecret: randomBytes(30).toString('base64url') };
  /** The application of the operator, which users authorize. */
  readonly operator = { clientId: randomUUID() as string, clientSecret: randomBytes(30).toString('base64url') };
  redirectUri = 'http://127.0.0.1:8080/organization/app-connections/azure/oauth/callback';
  /** Of access tokens, in seconds. */
  lifetime = 3600;
  /** All grants that were presented, the latest last. */
  readonly asked: Readonly<Record<string, string>>[] = [];
  readonly tokens = new Map<string, AzureCaller>();
  /** Its applications may log in, too. */
  graph: { isSecretOf(clientId: string, secret: string): boolean } | undefined;
  /** Answers a call to an API in its place, if it returns true. */
  accident: (call: AzureCall) => boolean = () => false;
  /** Delays answers of the token endpoint. */
  pause: Promise<unknown> | undefined;
  readonly #codes = new Map<string, Grant>();
  readonly #refreshTokens = new Map<string, Grant>();

  async serve(standIns: StandIns): Promise<void> {
    await standIns.serve('login.microsoftonline.com', this.login);
  }

  /** Serves an API at its host. */
  async serveApi(standIns: StandIns, api: AzureApi): Promise<void> {
    await standIns.serve(api.host, this.listener(api));
  }

  /** The code of a user who has authorized the application of the operator. */
  authorize(scope: string): string {
    const code = `0.${randomBytes(24).toString('base64url')}`;
    this.#codes.set(code, { scope, isUsed: false });
    return code;
  }

  /** A user, or an administrator, takes an authorization back. */
  revokeAuthorizations(): void {
    this.#refreshTokens.clear();
  }

  readonly login: RequestListener = (request, response) => {
    this.#login(request, response).catch(() => response.destroy());
  };

  async #login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    this.asked.push(form);
    await this.pause;
    const { url = '', method, headers } = request;
    const tenant = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(url)?.[1];
    const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
    const refuse = (error: string, description: string) =>
      json(response, error === 'invalid_client' ? 401 : 400, { error, error_description: description });
    if (method !== 'POST' || !isForm || !tenant) return json(response, 404, {});
    const { grant_type: grantType = '', client_id: clientId = '', client_secret: secret, scope = '' } = form;
    const isAnyTenant = ['organizations', 'common'].includes(tenant);
    if (tenant !== this.tenantId && !(isAnyTenant && grantType !== 'client_credentials'))
      return refuse('invalid_request', `AADSTS90002: Tenant '${tenant}' not found.`);
    const known = [this.application, this.operator].find((one) => one.clientId === clientId);
    const isSecret = known ? known.clientSecret === secret : this.graph?.isSecretOf(clientId, secret ?? '');
    if (isSecret === undefined)
      return refuse('unauthorized_client', `AADSTS700016: Application '${clientId}' was not found.`);
    if (!isSecret) return refuse('invalid_client', 'AADSTS7000215: Invalid client secret.');
    const granted = this.#granted(form, grantType);
    if (typeof granted === 'string') return refuse('invalid_grant', granted);
    const resource = scope.split(' ').find((one) => one.endsWith('/.default'));
    if (!resource) return refuse('invalid_scope', 'AADSTS1002012: The provided value for scope is not valid.');
    const accessToken = `ey${randomBytes(24).toString('base64url')}`;
    this.tokens.set(accessToken, { clientId, scope: resource });
    const isLasting = grantType !== 'client_credentials' && scope.split(' ').includes('offline_access');
    json(response, 200, {
      ...{ token_type: 'Bearer', expires_in: this.lifetime, ext_expires_in: this.lifetime, access_token: accessToken },
      ...(isLasting && { refresh_token: this.#refreshToken(resource) }),
    });
  }

  #refreshToken(scope: string): string {
    const token = `1.${randomBytes(32).toString('base64url')}`;
    this.#refreshTokens.set(token, { scope, isUsed: false });
    return token;
  }

  /** Why a grant is refused. Codes and refresh tokens are accepted once. */
  #granted(form: Readonly<Record<string, string>>, grantType: string): string | undefined {
    if (grantType === 'client_credentials') return undefined;
    const isCode = grantType === 'authorization_code';
    if (isCode && form['redirect_uri'] !== this.redirectUri)
      return 'AADSTS50011: The redirect URI does not match the one of the authorization.';
    const grant = isCode ? this.#codes.get(form['code'] ?? '') : this.#refreshTokens.get(form['refresh_token'] ?? '');
    if (!grant) return 'AADSTS70000: The provided grant is invalid or malformed.';
    if (grant.isUsed) return 'AADSTS54005: The grant was already redeemed.';
    grant.isUsed = true;
    return undefined;
  }

  listener =
    (api: AzureApi): RequestListener =>
    (request, response) => {
      this.#call(api, request, response).catch(() => response.destroy());
    };

  async #call(api: AzureApi, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await text(request);
    const { fault = azureFault } = api;
    const answer: AzureCall['answer'] = (status, body, headers) => json(response, status, body, headers);
    const [scheme, token = ''] = (request.headers.authorization ?? '').split(' ');
    const caller = scheme === 'Bearer' ? this.tokens.get(token) : undefined;
    if (caller?.scope !== api.scope) return answer(401, fault('Unauthorized', 'The access token has another audience'));
    if (sent !== '' && !/^application\/(?:[\w.]+\+)?json$/.test(request.headers['content-type'] ?? ''))
      return answer(415, fault('UnsupportedMediaType', 'JSON is expected'));
    const call: AzureCall = {
      method: request.method ?? '',
      url: new URL(request.url ?? '/', `https://${api.host}`),
      headers: request.headers,
      caller,
      body: sent === '' ? undefined : (JSON.parse(sent) as Record<string, unknown>),
      answer,
    };
    if (!this.accident(call)) api.serve(call);
  }
}

function json(response: ServerResponse, status: number, body?: unknown, headers: Record<string, string> = {}): void {
  response
    .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    .end(body === undefined ? '' : JSON.stringify(body));
}
