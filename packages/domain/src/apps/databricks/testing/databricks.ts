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

const SECRETS = /^\/api\/2\.0\/accounts\/servicePrincipals\/(\d+)\/credentials\/secrets$/;
const SECRET = /^\/api\/2\.0\/accounts\/servicePrincipals\/(\d+)\/credentials\/secrets\/(\w+)$/;

interface ServicePrincipal {
  readonly applicationId: string;
  readonly displayName: string;
  /** By their IDs. */
  readonly secrets: Map<string, { readonly secret: string; readonly createTime: string; readonly expireTime: string }>;
}

/**
 * A workspace of Databricks: its token endpoint and its secrets.
 * - https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m
 * - https://docs.databricks.com/api/workspace/secrets
 * - https://docs.databricks.com/api/workspace/serviceprincipals
 * - https://docs.databricks.com/api/authentication/v1/service-principal-secret-proxy
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
  /** Further service principals, by their IDs. */
  readonly principals = new Map<string, ServicePrincipal>();
  readonly #tokens = new Set<string>();
  #number = 76_997_828_332_531;

  addPrincipal(displayName: string): string {
    const id = String(++this.#number);
    this.principals.set(id, { applicationId: randomUUID(), displayName, secrets: new Map() });
    return id;
  }

  /** Adds a secret, and returns its ID. */
  addSecret(principalId: string, seconds = 63_072_000): string {
    const created = Date.now();
    const id = randomBytes(32).toString('hex');
    this.principals.get(principalId)!.secrets.set(id, {
      secret: `dose${randomBytes(16).toString('hex')}`,
      createTime: new Date(created).toISOString(),
      expireTime: new Date(created + seconds * 1000).toISOString(),
    });
    return id;
  }

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
    ['GET', /^\/api\/2\.0\/preview\/scim\/v2\/ServicePrincipals$/, (call) => this.#principals(call)],
    [
      'GET',
      /^\/api\/2\.0\/preview\/scim\/v2\/ServicePrincipals\/(\d+)$/,
      (_, id) =>
        this.#of(id, ({ applicationId, displayName }) => ({ status: 200, body: { id, applicationId, displayName } })),
    ],
    ['GET', SECRETS, (call, id) => this.#of(id, (principal) => listSecrets(principal, call))],
    ['POST', SECRETS, (call, id) => this.#of(id, (principal) => this.#addSecret(id, principal, call))],
    [
      'DELETE',
      SECRET,
      (_, id, secretId) =>
        this.#of(id, ({ secrets }) =>
          secrets.delete(secretId)
            ? { status: 200, body: {} }
            : refusal(404, 'RESOURCE_DOES_NOT_EXIST', 'No such secret'),
        ),
    ],
  ];

  #of(id: string, answer: (principal: ServicePrincipal) => JsonReply): JsonReply {
    const principal = this.principals.get(id);
    if (!principal) return refusal(404, 'RESOURCE_DOES_NOT_EXIST', `Service principal ${id} does not exist.`);
    return answer(principal);
  }

  #principals({ query }: JsonCall): JsonReply {
    const [startIndex, count] = [Number(query.get('startIndex')), Number(query.get('count'))];
    if (!(startIndex >= 1 && count >= 1 && count <= 100))
      return refusal(400, 'INVALID_PARAMETER_VALUE', 'startIndex and count');
    const all = Array.from(this.principals, ([id, { secrets: _, ...principal }]) => ({
      id,
      ...principal,
      active: true,
    }));
    const Resources = all.slice(startIndex - 1, startIndex - 1 + count);
    return { status: 200, body: { totalResults: all.length, startIndex, itemsPerPage: Resources.length, Resources } };
  }

  #addSecret(id: string, { secrets }: ServicePrincipal, call: JsonCall): JsonReply {
    const { lifetime = '63072000s' } = (bodyWith(call, ['lifetime?']) ?? {}) as { lifetime?: string };
    const [, seconds] = /^(\d+)s$/.exec(lifetime) ?? [];
    if (!(Number(seconds) > 0 && Number(seconds) <= 63_072_000))
      return refusal(400, 'INVALID_PARAMETER_VALUE', 'lifetime has to be at most 730 days');
    if (secrets.size >= 5)
      return refusal(400, 'RESOURCE_LIMIT_EXCEEDED', 'A service principal has at most five secrets');
    const secretId = this.addSecret(id, Number(seconds));
    const { secret, createTime, expireTime } = secrets.get(secretId)!;
    const body = {
      id: secretId,
      secret,
      secret_hash: 'x',
      create_time: createTime,
      expire_time: expireTime,
      status: 'ACTIVE',
    };
    return { status: 200, body };
  }

  #grant(call: JsonCall): JsonReply {
    const [, basic = ''] = /^Basic (.+)$/.exec(call.headers.authorization ?? '') ?? [];
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':').map(decodeURIComponent);
    const own = id === this.clientId ? [...this.principalSecrets.values()] : [];
    const others = [...this.principals.values()].filter(({ applicationId }) => applicationId === id);
    const isKnown = [
      ...own,
      ...others.flatMap(({ secrets }) => Array.from(secrets.values(), (one) => one.secret)),
    ].includes(secret!);
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

/** In pages of two. */
function listSecrets({ secrets }: ServicePrincipal, { query }: JsonCall): JsonReply {
  const from = Number(query.get('page_token') ?? 0);
  const all = Array.from(secrets, ([id, { createTime, expireTime }]) => ({
    ...{ id, secret_hash: 'x', create_time: createTime, expire_time: expireTime, status: 'ACTIVE' },
  }));
  const next_page_token = from + 2 < all.length ? String(from + 2) : '';
  return { status: 200, body: { secrets: all.slice(from, from + 2), next_page_token } };
}
