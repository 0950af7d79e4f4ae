import { exampleOf, type OpenApiDocument } from '@coffer/api';

type Inner = Parameters<typeof exampleOf>[0];
interface Schema {
  readonly $ref?: string;
  readonly format?: string;
  readonly anyOf?: readonly Inner[];
  readonly oneOf?: readonly Inner[];
  readonly allOf?: readonly Inner[];
  readonly properties?: Readonly<Record<string, Inner>>;
  readonly items?: Inner;
}

/** A value that matches a schema, with a given time in one of its fields. */
export interface Dated {
  /** The path of the time, such as `roles.temporaryAccessStartTime`. */
  readonly field: string;
  readonly valueWith: (time: string) => unknown;
}

const DEPTH = 6;

/** One for each time field of a schema, at any depth. */
export function datedValues(inner: Inner, document: OpenApiDocument, name: string, depth = 0): Dated[] {
  const reference = (inner as Schema).$ref?.split('/').at(-1);
  const schema = (reference ? document.components?.schemas?.[reference] : inner) as Schema | undefined;
  if (!schema || depth > DEPTH) return [];
  if (schema.format === 'date-time') return [{ field: name, valueWith: (time) => time }];
  const within = (one: Inner, called: string) => datedValues(one, document, called, depth + 1);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((one) => within(one, name));
  const parts = (schema.allOf ?? []).flatMap((one) => within(one, name));
  const items = schema.items ? within(schema.items, name) : [];
  const properties = Object.entries(schema.properties ?? {}).flatMap(([field, one]) => within(one, `${name}.${field}`));
  const example = () => exampleOf(inner, document, name) as object;
  return [
    ...choices,
    ...parts.map((one) => ({
      ...one,
      valueWith: (time: string) => ({ ...example(), ...(one.valueWith(time) as object) }),
    })),
    ...items.map((one) => ({
      ...one,
      valueWith: (time: string) => [exampleOf(schema.items!, document, name), one.valueWith(time)],
    })),
    ...properties.map((one) => ({
      ...one,
      valueWith: (time: string) => ({
        ...example(),
        [one.field.slice(name.length + 1).split('.')[0]!]: one.valueWith(time),
      }),
    })),
  ];
}
