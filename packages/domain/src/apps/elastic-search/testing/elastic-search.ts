import {
  bodyWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

interface ElasticUser {
  readonly password: string;
  readonly roles: readonly string[];
}
const refusal = (status: number, type: string, reason: string): JsonReply => ({
  status,
  body: { error: { root_cause: [{ type, reason }], type, reason }, status },
});
const USER = /^\/_security\/user\/([^/]+)$/;

/**
 * The security API of an Elasticsearch cluster.
 * - https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-security-put-user
 * - https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-security-has-privileges
 */
export class ElasticSearch extends JsonService {
  readonly users = new Map<string, ElasticUser>([['coffer', { password: 'makes: "users"', roles: ['superuser'] }]]);
  /** By ID. */
  readonly apiKeys = new Map([['key-1', 'of-the-cluster']]);

  /** Whether somebody may log in. */
  accepts(username: string, password: string): boolean {
    return this.users.get(username)?.password === password;
  }

  protected refuse({ headers }: JsonCall): JsonReply | undefined {
    const [, scheme = '', encoded = ''] = /^(Basic|ApiKey) (.+)$/.exec(headers.authorization ?? '') ?? [];
    const [, id = '', secret = ''] = /^([^:]*):([^]*)$/.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
    const isKnown = scheme === 'Basic' ? this.accepts(id, secret) : this.apiKeys.get(id) === secret && secret !== '';
    return isKnown ? undefined : refusal(401, 'security_exception', `unable to authenticate user [${id}]`);
  }

  protected readonly routes: readonly Route[] = [
    ['POST', /^\/_security\/user\/_has_privileges$/, (call) => this.#privileges(call)],
    ['PUT', USER, (call, name) => this.#put(call, name)],
    [
      'GET',
      USER,
      (_, name) => (this.users.has(name) ? { status: 200, body: { [name]: {} } } : { status: 404, body: {} }),
    ],
    ['DELETE', USER, (_, name) => this.#delete(name)],
  ];

  #privileges(call: JsonCall): JsonReply {
    const isAsked = JSON.stringify(bodyWith(call, ['cluster'])?.['cluster']) === '["manage_security"]';
    if (!isAsked) return refusal(400, 'parse_exception', 'unexpected field');
    const [, encoded = ''] = /^Basic (.+)$/.exec(call.headers.authorization ?? '') ?? [];
    const [name = ''] = Buffer.from(encoded, 'base64').toString().split(':');
    const has_all_requested = encoded === '' || this.users.get(name)!.roles.includes('superuser');
    return {
      status: 200,
      body: { username: name, has_all_requested, cluster: { manage_security: has_all_requested } },
    };
  }

  #put(call: JsonCall, name: string): JsonReply {
    const { password, roles } = bodyWith(call, ['password', 'roles', 'full_name?']) ?? {};
    if (typeof password !== 'string' || password.length < 6 || !Array.isArray(roles))
      return refusal(400, 'action_request_validation_exception', 'Validation Failed: 1: password is invalid;');
    const created = !this.users.has(name);
    this.users.set(name, { password, roles });
    return { status: 200, body: { created } };
  }

  #delete(name: string): JsonReply {
    const found = this.users.delete(name);
    return { status: found ? 200 : 404, body: { found } };
  }
}
