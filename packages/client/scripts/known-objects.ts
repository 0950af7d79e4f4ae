import type { JsonSchema, Place } from './types.ts';

/** With fewer fields, `Other & { … }` is no clearer than the fields. */
const FEWEST = 3;

/** Inputs that are made to be parts of others; `DeleteSecret` says nothing of what else has its fields. */
const PART = /(?:Ref|Place|Settings|Details|Fields)$/;

/** Types that others are, or extend. */
const COMMON = /Fields$|^AttachedLoginMethod$/;

interface KnownObject {
  readonly name: string;
  readonly io: Place['io'];
  readonly schema: JsonSchema;
  readonly fields: ReadonlySet<string>;
}

/** The named object types of a contract by their fields, so that a type with all fields of another one can refer to it. */
export class KnownObjects {
  readonly #objects = new Map<string, KnownObject>();

  /** Notes all named object types in a schema. */
  note(schema: JsonSchema, io: Place['io']): void {
    const { named, properties, additionalProperties } = schema;
    if (named !== undefined && properties && typeof additionalProperties !== 'object') {
      const fields = new Set(fieldsOf(schema));
      const known = { name: named, io, schema, fields };
      if (fields.size >= FEWEST && (io === 'output' || PART.test(named)))
        this.#objects.set(`${io} ${named} ${[...fields].join()}`, known);
    }
    for (const part of partsOf(schema)) this.note(part, io);
  }

  /** Named types that together have some of the fields of an object type, the largest first; no field is in two of them. */
  within(schema: JsonSchema, io: Place['io']): readonly KnownObject[] {
    const rest = new Set(fieldsOf(schema));
    const isSmaller = ({ name, fields }: KnownObject) =>
      schema.named === undefined || fields.size < rest.size || (schema.named !== name && COMMON.test(name));
    const candidates = [...this.#objects.values()]
      .filter((one) => one.io === io && isSmaller(one))
      .toSorted((a, b) => b.fields.size - a.fields.size || (a.name < b.name ? -1 : 1));
    return candidates.filter(({ fields }) => {
      if ([...fields].some((field) => !rest.has(field))) return false;
      for (const field of fields) rest.delete(field);
      return true;
    });
  }
}

/** The fields of an object type as texts: equal for equal fields. */
export const fieldsOf = ({ properties = {}, required = [] }: JsonSchema): string[] =>
  Object.entries(properties).map(([name, field]) => JSON.stringify([name, required.includes(name), field]));

function partsOf({
  properties,
  additionalProperties,
  items,
  prefixItems,
  anyOf,
  oneOf,
  allOf,
}: JsonSchema): JsonSchema[] {
  const single = [additionalProperties, items].filter((part) => typeof part === 'object');
  return [
    ...Object.values(properties ?? {}),
    ...single,
    ...[prefixItems, anyOf, oneOf, allOf].flatMap((parts) => parts ?? []),
  ];
}
