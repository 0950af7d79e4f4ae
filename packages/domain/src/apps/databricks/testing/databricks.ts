import { randomBytes, randomUUID } from 'node:crypto';
import {
  bodyWith,
  formWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const refusal = (status: number, error_code: string, message: string): JsonReply => ({
  status,
  body: { error_code, message },
});

/**
 * A workspace of Databricks: its token endpoint and its secrets.
 * - https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m
 * - https://docs.databricks.com/api/workspace/secrets
 */
export class Databricks extends JsonService {
  readonly host = 'acme.cloud.databricks.com';
  readonly clientId = randomUUID();
  /** The secrets of the principal that log in. */
  readonly principalSecrets = new Map([['first', `dose${randomBytes(16).toString('hex')}`]]);
  /** By scope, then by key. */
  readonly scopes = new Map<string, Map<string, string>>([
    ['shop', new Map()],
    ['other', new Map()],
  ]);
  readonly #tokens = new Set<string>();

  protected refuse({ path, headers }: JsonCall): JsonReply | undefined {
    const [, token = ''] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
    if (path === '/oidc/v1/token' || this.#tokens.has(token)) return undefined;
    return refusal(401, 'UNAUTHENTICATED', 'Credential was not sent or was of an unsupported type for this API.');
  }

  protected readonly routes: readonly Route[] = [
    ['POST', /^\/oidc\/v1\/token$/, (call) => this.#grant(call)],
    [
      'GET',
      /^\/api\/2\.0\/preview\/scim\/v2\/Me$/,
      () => ({ status: 200, body: { id: '7', userName: this.clientId } }),
    ],
    [
      'GET',
      /^\/api\/2\.0\/secrets\/scopes\/list$/,
      () => ({
        status: 200,
        body: { scopes: [...this.scopes.keys()].map((name) => ({ name, backend_type: 'DATABRICKS' })) },
      }),
    ],
    ['GET', /^\/api\/2\.0\/secrets\/list$/, ({ query }) => this.#list(query.get('scope') ?? '')],
    ['POST', /^\/api\/2\.0\/secrets\/put$/, (call) => this.#put(call)],
    ['POST', /^\/api\/2\.0\/secrets\/delete$/, (call) => this.#delete(call)],
  ];

  #grant(call: JsonCall): JsonReply {
    const [, basic = ''] = /^Basic (.+)$/.exec(call.headers.authorization ?? '') ?? [];
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    const isKnown = id === this.clientId && [...this.principalSecrets.values()].includes(secret!);
    if (!isKnown || !formWith(call, { grant_type: 'client_credentials', scope: 'all-apis' }))
      return { status: 401, body: { error: 'invalid_client', error_description: 'Client authentication failed' } };
    const token = randomBytes(32).toString('base64url');
    this.#tokens.add(token);
    return { status: 200, body: { access_token: token, scope: 'all-apis', token_type: 'Bearer', expires_in: 3600 } };
  }

  #list(scope: string): JsonReply {
    const secrets = this.scopes.get(scope);
    if (!secrets) return refusal(404, 'RESOURCE_DOES_NOT_EXIST', `Scope ${scope} does not exist!`);
    // An empty list has no field.
    const body =
      secrets.size > 0 ? { secrets: [...secrets.keys()].map((key) => ({ key, last_updated_timestamp: 1 })) } : {};
    return { status: 200, body };
  }

  #put(call: JsonCall): JsonReply {
    const { scope, key, string_value: value } = bodyWith(call, ['scope', 'key', 'string_value']) ?? {};
    const secrets = this.scopes.get(String(scope));
    if (!secrets) return refusal(404, 'RESOURCE_DOES_NOT_EXIST', `Scope ${String(scope)} does not exist!`);
    if (typeof key !== 'string' || !/^[\w.-]{1,128}$/.test(key) || typeof value !== 'string' || value.length > 131_072)
      return refusal(400, 'INVALID_PARAMETER_VALUE', 'Invalid secret key or value');
    const known = spellingIn(secrets, key);
    if (secrets.size >= 1000 && known === undefined)
      return refusal(400, 'RESOURCE_LIMIT_EXCEEDED', 'The number of secrets in the scope is at its limit');
    secrets.set(known ?? key, value);
    return { status: 200, body: {} };
  }

  #delete(call: JsonCall): JsonReply {
    const { scope, key } = bodyWith(call, ['scope', 'key']) ?? {};
    const secrets = this.scopes.get(String(scope)) ?? new Map<string, string>();
    const isDeleted = secrets.delete(spellingIn(secrets, String(key)) ?? '');
    return isDeleted ? { status: 200, body: {} } : refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'No such secret');
  }
}

/** Names are the same whatever their case. */
const spellingIn = (secrets: ReadonlyMap<string, string>, key: string): string | undefined =>
  [...secrets.keys()].find((one) => one.toLowerCase() === key.toLowerCase());
