import { randomBytes } from 'node:crypto';
import {
  bodyWith,
  JsonService,
  pageOf,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const TYPE = 'application/vnd.api+json';
const refusal = (status: number, title: string, detail?: string): JsonReply => ({
  status,
  body: { errors: [{ status: String(status), title, ...(detail && { detail }) }] },
  headers: { 'content-type': TYPE },
});
const answer = (status: number, body: unknown): JsonReply => ({ status, body, headers: { 'content-type': TYPE } });

interface Variable {
  readonly key: string;
  value: string;
  readonly category: string;
  sensitive: boolean;
  hcl: boolean;
}

const VARIABLES =
  /^\/api\/v2\/(?:workspaces\/(ws-\w+)\/vars|varsets\/(varset-\w+)\/relationships\/vars)(?:\/(var-\w+))?$/;

/**
 * HCP Terraform with one organization, in JSON:API.
 * - https://developer.hashicorp.com/terraform/cloud-docs/api-docs#json-api-formatting
 * - https://developer.hashicorp.com/terraform/cloud-docs/api-docs/workspace-variables
 * - https://developer.hashicorp.com/terraform/cloud-docs/api-docs/variable-sets
 */
export class TerraformCloud extends JsonService {
  readonly token = `${randomBytes(7).toString('hex')}.atlasv1.${randomBytes(32).toString('hex')}`;
  /** By workspace or variable set, then by the IDs of the variables. */
  readonly places = new Map<string, Map<string, Variable>>([
    ['ws-shop', new Map()],
    ['varset-shop', new Map()],
  ]);
  readonly workspaces: { id: string; name: string }[] = [{ id: 'ws-shop', name: 'shop' }];
  #number = 0;

  protected refuse({ headers }: JsonCall): JsonReply | undefined {
    return headers.authorization === `Bearer ${this.token}` ? undefined : refusal(401, 'unauthorized');
  }

  protected readonly routes: readonly Route[] = [
    [
      'GET',
      /^\/api\/v2\/organizations$/,
      ({ query }) => this.#page('organizations', [{ id: 'acme', name: 'acme' }], query),
    ],
    [
      'GET',
      /^\/api\/v2\/organizations\/acme\/varsets$/,
      ({ query }) =>
        this.#page('varsets', [{ id: 'varset-shop', name: 'Shop', description: 'of the shop', global: false }], query),
    ],
    [
      'GET',
      /^\/api\/v2\/organizations\/acme\/workspaces$/,
      ({ query }) => this.#page('workspaces', this.workspaces, query),
    ],
    ['GET', VARIABLES, (call, ...at) => this.#at(at, (place) => this.#list(place, call))],
    ['POST', VARIABLES, (call, ...at) => this.#at(at, (place) => this.#create(place, call))],
    ['PATCH', VARIABLES, (call, ...at) => this.#at(at, (place) => this.#update(place, at[2]!, call))],
    [
      'DELETE',
      VARIABLES,
      (_, ...at) => this.#at(at, (place) => (place.delete(at[2]!) ? { status: 204 } : refusal(404, 'not found'))),
    ],
  ];

  #at(
    [workspace, set]: readonly (string | undefined)[],
    reply: (place: Map<string, Variable>) => JsonReply,
  ): JsonReply {
    const place = this.places.get(workspace ?? set!);
    return place ? reply(place) : refusal(404, 'not found');
  }

  #page(type: string, all: readonly ({ id: string } & Record<string, unknown>)[], query: URLSearchParams): JsonReply {
    const [page, size] = [Number(query.get('page[number]') ?? 1), Number(query.get('page[size]') ?? 20)];
    if (!(size >= 1 && size <= 100)) return refusal(400, 'bad request', 'page[size]');
    const data = pageOf(all, page, size, 1).map(({ id, ...attributes }) => ({ id, type, attributes }));
    const next = page * size < all.length ? page + 1 : null;
    return answer(200, { data, meta: { pagination: { 'current-page': page, 'next-page': next } } });
  }

  #list(place: Map<string, Variable>, { query }: JsonCall): JsonReply {
    const all = Array.from(place, ([id, { value, ...attributes }]) => ({
      ...{ id, ...attributes },
      value: attributes.sensitive ? null : value,
    }));
    return this.#page('vars', all, query);
  }

  #create(place: Map<string, Variable>, call: JsonCall): JsonReply {
    const { type, attributes } = (bodyWith(call, ['data'], TYPE)?.['data'] ?? {}) as Record<string, never>;
    const { key, value, category, sensitive, hcl } = (attributes ?? {}) as Variable;
    if (type !== 'vars' || !['env', 'terraform'].includes(category) || typeof value !== 'string')
      return refusal(422, 'invalid attribute', 'Category is not included in the list');
    if (category === 'env' && /\n/.test(value)) return refusal(422, 'invalid attribute', 'Value must be one line');
    if ([...place.values()].some((one) => one.key === key && one.category === category))
      return refusal(422, 'invalid attribute', 'Key has already been taken');
    const id = `var-${++this.#number}`;
    place.set(id, { key, value, category, sensitive, hcl });
    return answer(201, { data: { id, type: 'vars', attributes: { key, category, sensitive, value: null } } });
  }

  #update(place: Map<string, Variable>, id: string, call: JsonCall): JsonReply {
    const data = (bodyWith(call, ['data'], TYPE)?.['data'] ?? {}) as {
      id?: string;
      type?: string;
      attributes?: Variable;
    };
    const known = place.get(id);
    if (!known) return refusal(404, 'not found');
    if (data.id !== id || data.type !== 'vars' || typeof data.attributes?.value !== 'string')
      return refusal(422, 'invalid attribute');
    // What was sensitive once stays so.
    const { sensitive = true } = data.attributes as { sensitive?: boolean };
    if (known.sensitive && !sensitive) return refusal(422, 'invalid attribute');
    Object.assign(known, data.attributes);
    return answer(200, { data: { id, type: 'vars', attributes: { key: known.key } } });
  }
}
