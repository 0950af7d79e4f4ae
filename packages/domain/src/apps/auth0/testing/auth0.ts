import { randomBytes } from 'node:crypto';
import {
  bodyWith,
  formWith,
  JsonService,
  pageOf,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';
import type { Auth0Application } from '../client.ts';

const CLIENT = /^\/api\/v2\/clients\/([^/]+)$/;
const ROTATION = /^\/api\/v2\/clients\/([^/]+)\/rotate-secret$/;

interface Client {
  readonly name: string;
  readonly isGlobal?: boolean;
  secret: string;
}

/**
 * A tenant of Auth0: its token endpoint and the part of the Management API about applications.
 * - https://auth0.com/docs/secure/tokens/access-tokens/management-api-access-tokens/get-management-api-access-tokens-for-production
 * - https://auth0.com/docs/api/management/v2/clients/get-clients
 * - https://auth0.com/docs/api/management/v2/clients/patch-clients-by-id
 */
export class Auth0 extends JsonService {
  readonly domain = 'acme.eu.auth0.com';
  readonly audience = `https://${this.domain}/api/v2/`;
  readonly application: Auth0Application;
  /** By their IDs. */
  readonly clients = new Map<string, Client>();
  #token = '';

  constructor(number = 3) {
    super();
    this.clients.set('global', { name: 'All Applications', isGlobal: true, secret: '' });
    for (let i = 0; i < number; i++) this.clients.set(`client${i}`, { name: `Shop ${i}`, secret: `secret-of-${i}` });
    const [clientId, clientSecret] = ['machine', randomBytes(24).toString('base64url')];
    this.clients.set(clientId, { name: 'Coffer', secret: clientSecret });
    this.application = { domain: this.domain, clientId, clientSecret, audience: this.audience };
  }

  protected refuse({ path, headers }: JsonCall): JsonReply | undefined {
    if (path === '/oauth/token' || (this.#token !== '' && headers.authorization === `Bearer ${this.#token}`))
      return undefined;
    return { status: 401, body: { statusCode: 401, error: 'Unauthorized', message: 'Invalid token' } };
  }

  protected readonly routes: readonly Route[] = [
    ['POST', /^\/oauth\/token$/, (call) => this.#grant(call)],
    ['GET', /^\/api\/v2\/clients$/, ({ query }) => this.#list(query)],
    ['GET', CLIENT, (_, id) => this.#of(id, ({ secret }) => ({ status: 200, body: { client_secret: secret } }))],
    ['PATCH', CLIENT, (call, id) => this.#of(id, (client) => this.#set(client, call))],
    ['POST', ROTATION, (_, id) => this.#of(id, (client) => this.#renew(client))],
  ];

  #grant(call: JsonCall): JsonReply {
    const { clientId, audience } = this.application;
    const { secret = '' } = this.clients.get(clientId) ?? {};
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret, audience };
    if (!formWith(call, form))
      return { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } };
    this.#token = randomBytes(32).toString('base64url');
    return { status: 200, body: { access_token: this.#token, expires_in: 86_400, token_type: 'Bearer' } };
  }

  #of(id: string | undefined, reply: (client: Client) => JsonReply): JsonReply {
    const client = this.clients.get(id ?? '');
    const message = 'The client does not exist';
    return client ? reply(client) : { status: 404, body: { statusCode: 404, error: 'Not Found', message } };
  }

  #set(client: Client, call: JsonCall): JsonReply {
    const { client_secret: secret } = bodyWith(call, ['client_secret']) ?? {};
    if (typeof secret !== 'string' || secret === '')
      return { status: 400, body: { statusCode: 400, error: 'Bad Request', message: 'Payload validation error' } };
    client.secret = secret;
    return { status: 200, body: { name: client.name } };
  }

  #renew(client: Client): JsonReply {
    client.secret = randomBytes(48).toString('base64url');
    return { status: 200, body: { name: client.name, client_secret: client.secret } };
  }

  #list(query: URLSearchParams): JsonReply {
    const [page, limit] = [Number(query.get('page')), Number(query.get('per_page'))];
    if (query.get('include_totals') !== 'true' || !(limit >= 1 && limit <= 100))
      return { status: 400, body: { statusCode: 400, error: 'Bad Request', message: 'Query validation error' } };
    const all = [...this.clients].filter(([, { isGlobal = false }]) => !isGlobal || query.get('is_global') !== 'false');
    const clients = pageOf(all, page, limit, 0).map(([client_id, { name }]) => ({ client_id, name }));
    return { status: 200, body: { start: page * limit, limit, length: clients.length, total: all.length, clients } };
  }
}
