import { randomBytes } from 'node:crypto';
import {
  bodyWith,
  formWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

/** The most secrets of a cluster. */
const MOST = 1000;

/**
 * Camunda's login and its Administration API (SaaS), which have a host each, as one service.
 * - https://docs.camunda.io/docs/apis-tools/administration-api/authentication/
 * - https://console.cloud.camunda.io/customer-api/openapi/docs/
 */
export class Camunda extends JsonService {
  readonly application = { clientId: 'coffer~1.x', clientSecret: randomBytes(24).toString('base64url') };
  readonly cluster = '5d2e1f3c-0b8a-4f7e-9a57-f7d2c0a1b3e4';
  /** The connector secrets of the cluster. */
  readonly secrets = new Map<string, string>();
  #token = '';

  protected refuse({ path, headers }: JsonCall): JsonReply | undefined {
    const isKnown = this.#token !== '' && headers.authorization === `Bearer ${this.#token}`;
    return path === '/oauth/token' || isKnown ? undefined : { status: 401, body: { message: 'Unauthorized' } };
  }

  protected readonly routes: readonly Route[] = [
    ['POST', /^\/oauth\/token$/, (call) => this.#grant(call)],
    [
      'GET',
      /^\/clusters$/,
      () => ({ status: 200, body: [{ uuid: this.cluster, name: 'Production', created: '2026-01-02', status: {} }] }),
    ],
    ['GET', /^\/clusters\/([^/]+)\/secrets$/, (_, cluster) => this.#in(cluster, () => this.#list())],
    ['POST', /^\/clusters\/([^/]+)\/secrets$/, (call, cluster) => this.#in(cluster, () => this.#create(call))],
    [
      'PUT',
      /^\/clusters\/([^/]+)\/secrets\/([^/]+)$/,
      (call, at, name) => this.#in(at, () => this.#update(call, name)),
    ],
    [
      'DELETE',
      /^\/clusters\/([^/]+)\/secrets\/([^/]+)$/,
      (_, cluster, name) =>
        this.#in(cluster, () => {
          this.secrets.delete(name);
          return { status: 204 };
        }),
    ],
  ];

  #grant(call: JsonCall): JsonReply {
    const { clientId, clientSecret } = this.application;
    const form = { client_id: clientId, client_secret: clientSecret, audience: 'api.cloud.camunda.io' };
    if (!formWith(call, { grant_type: 'client_credentials', ...form }))
      return { status: 401, body: { error: 'access_denied', error_description: 'Unauthorized' } };
    this.#token = randomBytes(32).toString('base64url');
    return { status: 200, body: { access_token: this.#token, expires_in: 300, token_type: 'Bearer' } };
  }

  #in(cluster: string | undefined, answer: () => JsonReply): JsonReply {
    return cluster === this.cluster ? answer() : { status: 404, body: { message: 'Cluster not found' } };
  }

  #list(): JsonReply {
    return { status: 200, body: Object.fromEntries(this.secrets) };
  }

  #create(call: JsonCall): JsonReply {
    const { secretName: name, secretValue: value } = bodyWith(call, ['secretName', 'secretValue']) ?? {};
    if (typeof name !== 'string' || typeof value !== 'string')
      return { status: 400, body: { message: 'Invalid body' } };
    if (name.length >= 50) return { status: 400, body: { message: 'Secret name must be less than 50 characters' } };
    if (this.secrets.has(name)) return { status: 409, body: { message: 'Secret names must be unique' } };
    if (this.secrets.size >= MOST) return { status: 403, body: { message: 'Maximum number of secret reached' } };
    this.secrets.set(name, value);
    return { status: 204 };
  }

  #update(call: JsonCall, name: string): JsonReply {
    const { secretValue: value } = bodyWith(call, ['secretValue']) ?? {};
    if (typeof value !== 'string') return { status: 400, body: { message: 'Invalid body' } };
    if (!this.secrets.has(name)) return { status: 404, body: { message: 'Secret not found' } };
    this.secrets.set(name, value);
    return { status: 204 };
  }
}
