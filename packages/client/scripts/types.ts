import { fieldsOf, type KnownObjects } from './known-objects.ts';

/** The used part of the output of `toJSONSchema`. */
export interface JsonSchema {
  type?: string | string[];
  description?: string;
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: JsonSchema | boolean;
  pattern?: string;
  propertyNames?: JsonSchema;
  items?: JsonSchema | boolean;
  prefixItems?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  not?: JsonSchema;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  /** What the domain calls it. */
  named?: string;
}

/** What a type is for. */
export interface Place {
  readonly io: 'input' | 'output';
  /** What its recursive parts are called, by reference. */
  readonly names: ReadonlyMap<string, string>;
  /** Adds the text of a named type, and returns its name in the contract. */
  readonly declare?: ((name: string, text: string, io: Place['io']) => string) | undefined;
  /** What object types refer to instead of repeating its fields. */
  readonly known?: KnownObjects | undefined;
}

const WIDTH = 120;
/** A field with its documentation on one line. */
const SHORT = 120;

/** A schema as a TypeScript type, without indentation. Short objects stay on one line, with the documentation of one field. */
export function typeOf(schema: JsonSchema, at: Place): string {
  const { named } = schema;
  const text = bodyOf(schema, at);
  if (named === undefined || !at.declare) return text;
  return isWorthAName(text) ? at.declare(named, text, at.io) : text;
}

/** Short types are clearer than a name. */
const isWorthAName = (text: string): boolean => /\n|\/\*\*/.test(text) || text.length > 60;

function bodyOf(schema: JsonSchema, at: Place): string {
  const { $ref, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return nameOf($ref, at);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  const members = anyOf ?? oneOf;
  if (members) return union(withoutTextForms(members).map((member) => typeOf(member, at)));
  if (allOf) return allOf.map((part) => partOf(part, at)).join(' & ');
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ ...schema, type: one }, at)));
  switch (type) {
    case 'object':
      return objectOf(schema, at);
    case 'array':
      return arrayOf(schema, at);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case undefined:
      return schema.not ? 'never' : 'unknown';
    default:
      throw new Error(`There is no type for the JSON Schema type ${type}`);
  }
}

/** A documentation comment with these lines and its line break; empty without lines. */
export function comment(lines: readonly string[], indent = ''): string {
  const safe = lines.flatMap((line) => line.replaceAll('*/', '*\\/').split('\n'));
  if (safe.length === 0) return '';
  const [only] = safe;
  if (safe.length === 1) return `${indent}/** ${only} */\n`;
  return `${indent}/**\n${safe.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;
}

const literal = (value: unknown): string =>
  typeof value === 'string'
    ? `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);

/** A field's name in a type. */
export const key = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));

function nameOf(ref: string, { names }: Place): string {
  const name = names.get(ref);
  if (name === undefined) throw new Error(`There is no definition of ${ref}`);
  return name;
}

function arrayOf({ items, prefixItems }: JsonSchema, at: Place): string {
  const rest = typeof items === 'object' ? `${partOf(items, at)}[]` : undefined;
  if (!prefixItems) return rest ?? 'unknown[]';
  return `[${[...prefixItems.map((item) => typeOf(item, at)), ...(rest ? [`...${rest}`] : [])].join(', ')}]`;
}

function objectOf(schema: JsonSchema, at: Place): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties);
  const rest = typeof additionalProperties === 'object' ? recordOf(schema, additionalProperties, at) : undefined;
  if (fields.length === 0)
    return rest ?? (additionalProperties === true ? 'Record<string, unknown>' : 'Record<string, never>');

  const bases = at.declare && at.known ? at.known.within(schema, at.io) : [];
  const inherited = new Set(bases.flatMap((base) => [...base.fields]));
  const keys = fieldsOf(schema);
  const own = fields.filter((_, index) => !inherited.has(keys[index]!));
  const object = objectWith(own.map(([name, field]) => fieldOf(name, field, required.includes(name), at)));
  const parts = [...bases.map((base) => typeOf(base.schema, at)), ...(own.length > 0 ? [object] : [])];
  return [...parts, ...(rest === undefined ? [] : [rest])].join(' & ');
}

/** A field with its documentation: on one line, if it fits. */
function fieldOf(name: string, field: JsonSchema, isRequired: boolean, at: Place): string {
  const type = typeOf(field, at);
  // A field of any type may be undefined, which JSON omits.
  const isThere = isRequired && !(at.io === 'output' && type === 'unknown');
  const doc = comment(aboutField(field, at));
  const text = `${key(name)}${isThere ? '' : '?'}: ${type};`;
  const line = `${doc.trimEnd()} ${text}`;
  return doc !== '' && line.length <= SHORT && !line.includes('\n') ? line : doc + text;
}

function objectWith(fields: readonly string[]): string {
  const inline = `{ ${fields.join(' ').slice(0, -1)} }`;
  if (inline.length <= WIDTH && !/\n|\/\*\*.*\/\*\*/.test(inline)) return inline;
  return `{\n${fields.map((field) => `  ${indented(field, '  ')}\n`).join('')}}`;
}

/** A text whose further lines are indented. */
export const indented = (text: string, by: string): string => text.replaceAll(/\n(?=.)/g, `\n${by}`);

function recordOf({ propertyNames, required = [] }: JsonSchema, value: JsonSchema, at: Place): string {
  const names = propertyNames?.enum ? typeOf(propertyNames, at) : 'string';
  const record = `Record<${names}, ${typeOf(value, at)}>`;
  return names === 'string' || required.length > 0 ? record : `Partial<${record}>`;
}

/** What the type of a field says already, or the contract about all of them. */
const UNDERSTOOD = new Set(['true or false', 'UUID']);

function aboutField({ description, default: preset }: JsonSchema, { io }: Place): string[] {
  const lines = description && !UNDERSTOOD.has(description) ? [description] : [];
  if (preset === undefined || io === 'output') return lines;
  const value = `\`${literal(preset)}\``;
  return lines.length > 0 ? [`${lines[0]} (default: ${value})`] : [`Default: ${value}`];
}

/** The client sends JSON, so it needs no text forms for numbers and booleans in query strings. */
function withoutTextForms(members: readonly JsonSchema[]): readonly JsonSchema[] {
  const has = (...types: string[]) => members.some(({ type }) => typeof type === 'string' && types.includes(type));
  const isNumeral = ({ type, pattern }: JsonSchema) => type === 'string' && /^\^(-\?)?\\d/.test(pattern ?? '');
  const isFlag = ({ enum: values = [] }: JsonSchema) =>
    values.length > 0 && values.every((value) => ['true', 'false', ''].includes(value as string));
  if (has('number', 'integer')) return members.filter((member) => !isNumeral(member));
  if (has('boolean')) return members.filter((member) => !isFlag(member));
  return members;
}

/** As a part of a larger type. */
function partOf(schema: JsonSchema, at: Place): string {
  const type = typeOf(schema, at);
  const { anyOf, oneOf, allOf, enum: values, properties, additionalProperties } = schema;
  const isCompound =
    (anyOf ?? oneOf ?? allOf ?? values ?? []).length > 1 ||
    Array.isArray(schema.type) ||
    (properties && (typeof additionalProperties === 'object' || / & /.test(type)));
  return isCompound && !/^\w+$/.test(type) ? `(${type})` : type;
}

/** Each member once, `null` last. */
function union(members: readonly string[]): string {
  const unique = [...new Set(members)];
  if (unique.includes('unknown')) return 'unknown';
  const isLast = (member: string) => Number(member === 'null');
  return unique.toSorted((a, b) => isLast(a) - isLast(b)).join(' | ') || 'never';
}
