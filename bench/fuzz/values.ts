import type { Random } from '../chaos/random.ts';
import type { Document, Schema } from './document.ts';

const DEPTH = 5;
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'date-time': ['2030-01-01T00:00:00.000Z', '2020-02-29T23:59:59+14:00', '2031-06-30T12:00:00.123456-05:30'],
  email: ['someone@example.com', 'Some.One+tag@EXAMPLE.com'],
  uri: ['https://example.com', 'https://example.com:8443/path?query=1#part'],
  uuid: ['00000000-0000-4000-8000-000000000000', '0199a1b2-0000-7000-8000-000000000000'],
  ipv4: ['192.0.2.1'],
};

/** Generates values that match a schema, as far as it is precise. */
export class Values {
  readonly #random: Random;
  readonly #document: Document;

  constructor(random: Random, document: Document) {
    this.#random = random;
    this.#document = document;
  }

  /** A value for `schema`, which is called `name`. */
  fitting(schema: Schema, name: string, depth = 0): unknown {
    const known = schema.$ref ? this.#document.components.schemas[schema.$ref.split('/').at(-1)!] : schema;
    if (!known || depth > DEPTH) return null;
    const random = this.#random;
    if (known.const !== undefined) return known.const;
    if (known.enum) return random.pick(known.enum);
    const examples = [...(known.examples ?? []), ...(known.default === undefined ? [] : [known.default])];
    if (examples.length > 0 && random.next() < 0.8) return random.pick(examples);
    const choices = known.anyOf ?? known.oneOf;
    if (choices) return this.fitting(random.pick(choices), name, depth + 1);
    if (known.allOf) return Object.assign({}, ...known.allOf.map((one) => this.fitting(one, name, depth + 1)));
    switch (random.pick([known.type ?? 'any'].flat())) {
      case 'object':
        return this.#object(known, depth);
      case 'array':
        return this.#array(known, name, depth);
      case 'string':
        return this.#text(known, name);
      case 'integer':
        return Math.round(this.#number(known));
      case 'number':
        return this.#number(known);
      case 'boolean':
        return random.next() < 0.5;
      default:
        return null;
    }
  }

  #object({ properties = {}, required = [] }: Schema, depth: number): object {
    const chosen = Object.entries(properties).filter(([name]) => required.includes(name) || this.#random.next() < 0.4);
    return Object.fromEntries(chosen.map(([name, schema]) => [name, this.fitting(schema, name, depth + 1)]));
  }

  #array({ items, minItems = 0, maxItems = 5 }: Schema, name: string, depth: number): unknown[] {
    if (!items) return [];
    const length = this.#random.whole(minItems, Math.max(minItems, Math.min(maxItems, 3)));
    return Array.from({ length }, () => this.fitting(items, name.replace(/s$/, ''), depth + 1));
  }

  #text({ format = '', minLength = 0, maxLength = 200 }: Schema, name: string): string {
    const known = TEXTS[format];
    if (known) return this.#random.pick(known);
    const text = this.#random.pick([
      name,
      `${name}-${this.#random.whole(1, 9)}`,
      'ü ✓',
      '1h',
      '/',
      '/app',
      'dev',
      'admin',
    ]);
    return text.padEnd(minLength, 'x').slice(0, maxLength);
  }

  #number({ minimum = 0, maximum = minimum + 1000 }: Schema): number {
    const { whole, pick } = {
      whole: this.#random.whole.bind(this.#random),
      pick: this.#random.pick.bind(this.#random),
    };
    return pick([minimum, maximum, whole(minimum, Math.min(maximum, minimum + 1000))]);
  }
}
