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

/** The position of a type in the file. */
export interface Place {
  readonly io: 'input' | 'output';
  readonly indent: string;
  /** What its recursive parts are called, by reference. */
  readonly names: ReadonlyMap<string, string>;
  /** Adds the text of a named type, and returns its name in the contract. */
  readonly declare?: ((name: string, text: string, io: Place['io']) => string) | undefined;
}

const WIDTH = 110;

/** A schema as a TypeScript type. Short objects without field documentation stay on one line. */
export function typeOf(schema: JsonSchema, at: Place): string {
  const { named, ...unnamed } = schema;
  if (named === undefined || !at.declare) return bodyOf(unnamed, at);
  const text = bodyOf(unnamed, { ...at, indent: '' });
  return isWorthAName(text) ? at.declare(named, text, at.io) : text;
}

/** Short types are clearer than a name. */
const isWorthAName = (text: string): boolean => text.includes('\n') || text.length > 60;

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
export function comment(lines: readonly string[], indent: string): string {
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

  const inner = { ...at, indent: `${at.indent}  ` };
  const written = fields.map(([name, field]) => {
    const type = typeOf(field, inner);
    // A field of any type may be undefined, which JSON omits.
    const isThere = required.includes(name) && !(at.io === 'output' && type === 'unknown');
    return { doc: comment(aboutField(field, at), inner.indent), text: `${key(name)}${isThere ? '' : '?'}: ${type};` };
  });
  const inline = `{ ${written
    .map(({ text }) => text)
    .join(' ')
    .slice(0, -1)} }`;
  const isShort =
    at.indent.length + inline.length <= WIDTH && !inline.includes('\n') && written.every(({ doc }) => doc === '');
  const lines = written.map(({ doc, text }) => `${doc}${inner.indent}${text}\n`);
  const object = isShort ? inline : `{\n${lines.join('')}${at.indent}}`;
  return rest === undefined ? object : `${object} & ${rest}`;
}

function recordOf({ propertyNames, required = [] }: JsonSchema, value: JsonSchema, at: Place): string {
  const names = propertyNames?.enum ? typeOf(propertyNames, at) : 'string';
  const record = `Record<${names}, ${typeOf(value, at)}>`;
  return names === 'string' || required.length > 0 ? record : `Partial<${record}>`;
}

function aboutField({ description, default: preset }: JsonSchema, { io }: Place): string[] {
  // The type of a flag says that already.
  const lines = description && description !== 'true or false' ? [description] : [];
  return preset === undefined || io === 'output' ? lines : [...lines, `Default: \`${literal(preset)}\``];
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
    (properties && typeof additionalProperties === 'object');
  return isCompound && !/^\w+$/.test(type) ? `(${type})` : type;
}

/** Each member once, `null` last. */
function union(members: readonly string[]): string {
  const unique = [...new Set(members)];
  if (unique.includes('unknown')) return 'unknown';
  const isLast = (member: string) => Number(member === 'null');
  return unique.toSorted((a, b) => isLast(a) - isLast(b)).join(' | ') || 'never';
}
