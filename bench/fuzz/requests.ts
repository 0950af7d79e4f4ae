import { FITTING, thingOf, type World } from '@coffer/server/testing';
import type { Random } from '../chaos/random.ts';
import type { Operation } from './document.ts';
import { hostileText, spoil } from './hostile.ts';
import { largeValue, mayBeLarge, STRUCTURED } from './large.ts';
import type { Values } from './values.ts';

/** One request, in the form for sending and for reports. */
export interface Request {
  readonly operation: Operation | undefined;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whose token it carries. */
  readonly caller: string;
}

export type Caller = keyof typeof CALLERS;
const CALLERS = { machine: 12, person: 5, service: 2, weak: 2, anonymous: 1, nonsense: 0.5 };

/** Operations that end the world of the callers, or are slow, are called rarely. */
const ENDS =
  /logout|sessions|revoke|change-password|users\/me|\/organizations?\/\{|DELETE .*(projects?|workspace)\/\{[^}]*\}$/i;
const KEEPS = 0.05;

/** Makes requests to documented operations: what fits, and what was spoiled. */
export class Requests {
  readonly #random: Random;
  readonly #values: Values;
  readonly #operations: readonly Operation[];
  /** IDs and names in responses, by the name of their field. */
  readonly #seen = new Map<string, string[]>();

  constructor(random: Random, values: Values, operations: readonly Operation[]) {
    this.#random = random;
    this.#values = values;
    this.#operations = operations;
  }

  pickOperation(): Operation {
    for (;;) {
      const operation = this.#random.pick(this.#operations);
      const share = ENDS.test(`${operation.method} ${operation.url}`) ? KEEPS : operation.method === 'DELETE' ? 0.2 : 1;
      if (this.#random.next() < share) return operation;
    }
  }

  pickCaller = (operation: Operation): Caller =>
    operation.isPublic && this.#random.next() < 0.6 ? 'anonymous' : this.#random.weighted(CALLERS);

  /** An input of an operation, with things of this world. */
  input({ url, fields }: Operation, world: World, victim: World): Record<string, unknown> {
    const random = this.#random;
    const input: Record<string, unknown> = {};
    for (const { name, schema, isRequired } of fields) {
      const thing = thingOf(url, name);
      if (!isRequired && !thing && random.next() < 0.6) continue;
      if (thing) {
        const id = random.next() < 0.03 ? victim.has[thing] : (this.#known(name) ?? world.has[thing]);
        input[name] = schema.type === 'array' ? [id] : id;
      } else {
        input[name] = name in FITTING && random.next() < 0.7 ? FITTING[name] : this.#values.fitting(schema, name);
      }
    }
    return input;
  }

  /** Now and then something that an answer showed under the same name. */
  #known(name: string): string | undefined {
    const seen = this.#seen.get(name.toLowerCase().replace(/ids$/, 'id'));
    return seen && this.#random.next() < 0.12 ? this.#random.pick(seen) : undefined;
  }

  /** Remembers the ids and names in an answer. */
  learn(answer: unknown, parent = '', depth = 0): void {
    if (depth > 6 || typeof answer !== 'object' || answer === null) return;
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value === 'object') this.learn(value, Array.isArray(answer) ? parent : name, depth + 1);
      else if (typeof value === 'string' && value.length < 100 && /id$|slug$|name$|serialNumber$/i.test(name)) {
        const field = (name === 'id' ? `${parent.replace(/s$/, '')}id` : name).toLowerCase();
        const seen = this.#seen.get(field) ?? [];
        this.#seen.set(field, [...seen.slice(-30), value]);
      }
    }
  }

  clear(): void {
    this.#seen.clear();
  }

  /** A request over REST; `isSpoiled` makes it invalid. */
  overRest(operation: Operation, caller: Caller, fitting: Record<string, unknown>, isSpoiled: boolean): Request {
    const random = this.#random;
    const input = isSpoiled ? spoil(random, fitting) : fitting;
    const { method, url, inPath } = operation;
    const path = url.replace(/\{(.+?)\}/g, (_, name: string) => {
      const value = isSpoiled && random.next() < 0.1 ? hostileText(random) : asText(input[name] ?? fitting[name]);
      return encode(value);
    });
    const rest = Object.entries(input).filter(([name]) => !inPath.has(name));
    const query = new URLSearchParams();
    if (method === 'GET')
      for (const [name, value] of rest) for (const one of [value].flat()) query.append(name, asText(one));
    const body = method === 'GET' || rest.length === 0 ? undefined : jsonOf(rest);
    return {
      operation,
      method,
      path: query.size > 0 ? `${path}?${query.toString()}`.slice(0, 12_000) : path,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body,
      caller,
    };
  }

  /** A request with megabytes in one field, sometimes more than a server accepts. */
  huge(operation: Operation, fitting: Record<string, unknown>): Request {
    const random = this.#random;
    const request = this.overRest(operation, 'machine', fitting, false);
    const names = Object.keys(fitting).filter((name) => !operation.inPath.has(name));
    const name = names.length > 0 ? random.pick(names) : 'name';
    const size = random.pick([100_000, 1_000_000, 4_000_000, 9_000_000, 11_000_000]);
    const value = random.pick([
      () => `"${'x'.repeat(size)}"`,
      () => `[${'0,'.repeat(size / 2)}0]`,
      () => `[${'{},'.repeat(size / 3)}{}]`,
      () => `{${Array.from({ length: size / 12 }, (_, i) => `"k${i}":1`).join()}}`,
      () => '['.repeat(size / 2) + ']'.repeat(size / 2),
    ])();
    const rest = JSON.stringify({ ...(JSON.parse(request.body ?? '{}') as object), [name]: 0 });
    const body = rest.replace(new RegExp(`("${name}":)0`), (_, field: string) => field + value);
    return { ...request, headers: { 'content-type': 'application/json' }, body };
  }

  /** A request with a large parsable value in one field; see `largeValue`. */
  large(operation: Operation, fitting: Record<string, unknown>): Request | undefined {
    const random = this.#random;
    const fields = operation.fields.filter(
      ({ name, schema }) => !operation.inPath.has(name) && mayBeLarge(name, schema),
    );
    if (fields.length === 0) return undefined;
    const structured = fields.filter(({ name }) => STRUCTURED.test(name));
    const { name, schema } = random.pick(structured.length > 0 && random.next() < 0.8 ? structured : fields);
    const element = () => this.#values.fitting(schema.items ?? {}, name.replace(/s$/, ''));
    const value = largeValue(random, name, schema, element);
    return this.overRest(operation, 'machine', { ...fitting, [name]: value }, false);
  }

  /** The same over tRPC, not batched. */
  overTrpc(operation: Operation, caller: Caller, fitting: Record<string, unknown>, isSpoiled: boolean): Request {
    const input = JSON.stringify(isSpoiled ? spoil(this.#random, fitting) : fitting);
    const { procedure, isMutation } = operation;
    const isPost = isMutation !== (isSpoiled && this.#random.next() < 0.05);
    const path = `/api/trpc/${procedure}`;
    return {
      operation: undefined,
      method: isPost ? 'POST' : 'GET',
      path: isPost ? path : `${path}?input=${encodeURIComponent(input.toWellFormed())}`.slice(0, 12_000),
      headers: isPost ? { 'content-type': 'application/json' } : {},
      body: isPost ? input : undefined,
      caller,
    };
  }
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** A path segment: never empty, and never one that clients resolve. */
const encode = (value: string): string => {
  const encoded = encodeURIComponent(value.toWellFormed())
    .slice(0, 6000)
    .replace(/%[\dA-F]?$/, '');
  return encoded === '' ? '%20' : encoded.replaceAll('.', '%2E');
};

/** An object of these, `__proto__` included. */
const jsonOf = (entries: readonly (readonly [string, unknown])[]): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
