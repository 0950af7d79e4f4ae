import { randomBytes } from 'node:crypto';
import {
  bodyWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const refusal = (status: number, error: string, message: string): JsonReply => ({ status, body: { error, message } });

const VALUES = /^\/orgs\/acme\/apps\/([^/]+)(?:\/envs\/([^/]+))?\/values$/;
const VALUE = /^\/orgs\/acme\/apps\/([^/]+)(?:\/envs\/([^/]+))?\/values\/([^/]+)$/;

/** What a place has: values by key. */
type Values = Map<string, { value: string; isSecret: boolean }>;

/** Humanitec's API with one organization: https://api-docs.humanitec.com/ */
export class Humanitec extends JsonService {
  readonly token = randomBytes(24).toString('base64url');
  /** By `app` or `app/env`. */
  readonly places = new Map<string, Values>([
    ['shop', new Map()],
    ['shop/production', new Map()],
    ['shop/development', new Map()],
  ]);

  protected refuse({ headers }: JsonCall): JsonReply | undefined {
    if (headers.authorization === `Bearer ${this.token}`) return undefined;
    return refusal(401, 'HTTP-401', 'Token is invalid');
  }

  protected readonly routes: readonly Route[] = [
    [
      'GET',
      /^\/current-user$/,
      () => ({ status: 200, body: { id: 's-1', name: 'Coffer', type: 'service', roles: {} } }),
    ],
    ['GET', /^\/orgs$/, () => ({ status: 200, body: [{ id: 'acme', name: 'Acme', created_by: 'a', logo: null }] })],
    [
      'GET',
      /^\/orgs\/acme\/apps$/,
      () => ({ status: 200, body: [{ id: 'shop', name: 'Shop', org_id: 'acme', envs: this.#environments() }] }),
    ],
    [
      'GET',
      VALUES,
      (_, app, env) => this.#at(app, env, (values) => ({ status: 200, body: this.#list(values, app, env) })),
    ],
    ['POST', VALUES, (call, app, env) => this.#at(app, env, (values) => this.#create(values, call))],
    ['PATCH', VALUE, (call, app, env, key) => this.#at(app, env, (values) => this.#update(values, key, call))],
    ['PUT', VALUE, (call, app, env, key) => this.#at(app, env, (values) => this.#replace(values, key, call))],
    [
      'DELETE',
      VALUE,
      (_, app, env, key) =>
        this.#at(app, env, (values) => (values.delete(key) ? { status: 204 } : refusal(404, 'API-404', 'Not found'))),
    ],
  ];

  #environments() {
    return [...this.places.keys()].flatMap((place) => {
      const [, env] = place.split('/');
      return env === undefined ? [] : [{ id: env, name: env.toUpperCase(), type: env }];
    });
  }

  #at(app: string | undefined, env: string | undefined, answer: (values: Values) => JsonReply): JsonReply {
    const values = this.places.get(env === undefined ? app! : `${app}/${env}`);
    return values ? answer(values) : refusal(404, 'API-404', 'Not found');
  }

  /** An environment has its own values over those of the application. */
  #list(values: Values, app: string, env: string | undefined) {
    const shown = (source: 'app' | 'env', all: Values) =>
      Array.from(all, ([key, { value, isSecret }]) => ({
        ...{ key, value: isSecret ? '' : value, is_secret: isSecret, source, description: '' },
        ...{ secret_key: null, secret_version: null, secret_store_id: null },
      }));
    if (env === undefined) return shown('app', values);
    return [...shown('app', this.places.get(app)!).filter(({ key }) => !values.has(key)), ...shown('env', values)];
  }

  #create(values: Values, call: JsonCall): JsonReply {
    const body = bodyWith(call, ['key', 'value', 'description', 'is_secret?']);
    if (typeof body?.['value'] !== 'string' || !/^[\w.-]+$/.test(String(body['key'])))
      return refusal(422, 'API-422', 'Invalid value');
    const key = String(body['key']);
    if (values.has(key)) return refusal(409, 'API-409', `Value ${key} exists already`);
    values.set(key, { value: body['value'], isSecret: body['is_secret'] === true });
    return { status: 201, body: { key, value: '', is_secret: true } };
  }

  #update(values: Values, key: string, call: JsonCall): JsonReply {
    const body = bodyWith(call, ['value?', 'description?']);
    const known = values.get(key);
    if (!known) return refusal(404, 'API-404', 'Not found');
    if (typeof body?.['value'] !== 'string') return refusal(422, 'API-422', 'Invalid value');
    known.value = body['value'];
    return { status: 200, body: { key, value: '', is_secret: known.isSecret } };
  }

  /** A secret stays one. */
  #replace(values: Values, key: string, call: JsonCall): JsonReply {
    const body = bodyWith(call, ['value', 'description', 'is_secret?']);
    const known = values.get(key);
    if (!known) return refusal(404, 'API-404', 'Not found');
    const isSecret = body?.['is_secret'] === true;
    if (typeof body?.['value'] !== 'string' || (known.isSecret && !isSecret))
      return refusal(422, 'API-422', 'Invalid value');
    values.set(key, { value: body['value'], isSecret });
    return { status: 200, body: { key, value: '', is_secret: isSecret } };
  }
}
