/** The keywords of JSON Schema that the OpenAPI document uses in inputs. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly not?: JsonSchema;
}

/** One field of an object. */
export interface Member {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
}

/** What one choice of a union has. */
export interface Variant {
  /** What its discriminating field says: `access-key`. */
  readonly name: string;
  /** For people, where the schema has one. */
  readonly title: string | undefined;
  readonly shape: Shape;
}

interface Common {
  readonly hint?: string | undefined;
  /** What is there at first. */
  readonly initial: unknown;
  readonly isNullable: boolean;
}

/** How a value is entered: each kind has one part in `fields.tsx`. */
export type Shape = Common &
  (
    | {
        readonly kind: 'text';
        readonly isSecret: boolean;
        readonly isLong: boolean;
        /** A time in ISO 8601. */
        readonly isInstant: boolean;
        readonly minLength: number;
        readonly maxLength: number | undefined;
        readonly example: string | undefined;
      }
    | {
        readonly kind: 'number';
        readonly isWhole: boolean;
        readonly min: number | undefined;
        readonly max: number | undefined;
      }
    | { readonly kind: 'flag' }
    | { readonly kind: 'choice'; readonly options: readonly string[] }
    | { readonly kind: 'fixed'; readonly value: unknown }
    | { readonly kind: 'list'; readonly item: Shape; readonly minItems: number }
    | { readonly kind: 'map'; readonly item: Shape }
    | { readonly kind: 'object'; readonly members: readonly Member[] }
    | {
        readonly kind: 'union';
        readonly variants: readonly Variant[];
        /** The field of each variant that names it, */
        readonly by: string | undefined;
        /** or the one beside the union. */
        readonly follows: string | undefined;
      }
  );
export type ShapeOf<Kind extends Shape['kind']> = Extract<Shape, { readonly kind: Kind }>;

/** From here on, a text has lines. */
const LONG = 2_049;

/** How a value of a schema is entered. */
export function shapeOf(schema: JsonSchema): Shape {
  const given = nonNull(schema);
  const isNullable = given !== schema || schema.type === 'null';
  const common: Common = {
    hint: schema.description ?? given.description,
    initial: initialOf(schema, given),
    isNullable,
  };
  const variants = (given.oneOf ?? given.anyOf)?.filter(({ const: only }) => only !== '');
  const [first] = variants ?? [];
  // Of texts, lists and the like, the first one is entered.
  if (first && (variants?.length === 1 || !isGroup(first))) return { ...shapeOf(first), ...common };
  if (variants) return { ...common, ...unionOf(variants) };
  if (given.const !== undefined || given.type === 'null' || given.not)
    return { ...common, kind: 'fixed', value: given.const };
  if (given.enum) return { ...common, ...choiceOf(given) };
  switch (given.type) {
    case 'boolean':
      return { ...common, kind: 'flag' };
    case 'integer':
    case 'number':
      return { ...common, ...numberOf(given) };
    case 'array':
      return { ...common, kind: 'list', item: shapeOf(given.items ?? {}), minItems: given.minItems ?? 0 };
    case 'object':
      return { ...common, ...objectOf(given) };
    default:
      return {
        ...common,
        ...textOf(
          given,
          [schema, given].some(({ format }) => format === 'password'),
        ),
      };
  }
}

const isGroup = ({ type, properties, anyOf, oneOf }: JsonSchema): boolean =>
  type === 'object' || properties !== undefined || anyOf !== undefined || oneOf !== undefined;

/** The schema of a value that may be null without that. */
function nonNull(schema: JsonSchema): JsonSchema {
  if (Array.isArray(schema.type)) {
    const [first = 'string'] = schema.type.filter((one) => one !== 'null') as string[];
    return schema.type.includes('null') ? { ...schema, type: first } : schema;
  }
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (!others || others.length === schema.anyOf?.length) return schema;
  return others.length === 1 ? others[0]! : { ...schema, anyOf: others };
}

/** Its default; without one, that of its only value: a choice of one is no choice. */
const initialOf = (schema: JsonSchema, given: JsonSchema): unknown =>
  schema.default ?? given.default ?? (given.enum?.length === 1 ? given.enum[0] : undefined);

function unionOf(variants: readonly JsonSchema[]) {
  const by = discriminatorOf(variants);
  return {
    kind: 'union',
    by,
    follows: undefined,
    variants: variants.map((variant, index) => ({
      name: nameOf(by === undefined ? variant.title : variant.properties?.[by]?.const, index),
      title: by === undefined ? undefined : variant.title,
      shape: shapeOf(variant),
    })),
  } as const;
}

const nameOf = (name: unknown, index: number): string => (typeof name === 'string' ? name : `${index + 1}`);

/** The field that has another constant in each variant. */
const discriminatorOf = (variants: readonly JsonSchema[]): string | undefined =>
  Object.keys(variants[0]?.properties ?? {}).find((name) => {
    const values = variants.map(({ properties }) => properties?.[name]?.const);
    return !values.includes(undefined) && new Set(values).size === values.length;
  });

const choiceOf = ({ enum: options = [] }: JsonSchema) => ({ kind: 'choice', options: options.map(String) }) as const;

const numberOf = ({ type, minimum, exclusiveMinimum, maximum }: JsonSchema) =>
  ({
    kind: 'number',
    isWhole: type === 'integer',
    min: minimum ?? (exclusiveMinimum === undefined ? undefined : exclusiveMinimum + 1),
    max: maximum,
  }) as const;

function textOf({ minLength = 0, maxLength, format, examples = [] }: JsonSchema, isSecret: boolean) {
  const [example] = examples;
  return {
    kind: 'text',
    isSecret,
    isLong: maxLength !== undefined && maxLength >= LONG,
    isInstant: format === 'date-time',
    minLength,
    maxLength,
    example: typeof example === 'string' ? example : undefined,
  } as const;
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema) {
  if (!properties && typeof additionalProperties === 'object')
    return { kind: 'map', item: shapeOf(additionalProperties) } as const;
  const members = Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    shape: shapeOf(schema),
    isRequired: required.includes(name),
  }));
  return { kind: 'object', members: members.map((member) => following(member, members)) } as const;
}

/** A union whose variants have the names of a choice beside it follows that: `credentials` follows `method`. */
function following(member: Member, members: readonly Member[]): Member {
  const { shape } = member;
  if (shape.kind !== 'union' || shape.by !== undefined) return member;
  const names = shape.variants.map(({ name }) => name).join();
  const choice = members.find((other) => other.shape.kind === 'choice' && other.shape.options.join() === names);
  return choice ? { ...member, shape: { ...shape, follows: choice.name } } : member;
}
