import type { Meta, ProcedureLike } from '@coffer/api';
import { comment, key, typeOf, type JsonSchema, type Place } from './types.ts';

const HEADER = `// Made from the router by \`pnpm --filter @coffer/client generate\`: change the router and run that, not this file.
import type { Mutation, NoInput, Query, Subscription } from './call.ts';
`;

/** What calls are called on the client, and what would make a client look like something that it is not. */
const RESERVED = new Set(['query', 'mutate', 'subscribe', 'then', 'toJSON']);

type Io = 'input' | 'output';
type Schema = NonNullable<ProcedureLike['_def']['output']>;
type Tree = Map<string, Tree | ProcedureLike>;

/** The contract of a router's procedures: one interface that has each of them where the router has it. */
export function contractOf(procedures: readonly (readonly [path: string, procedure: ProcedureLike])[]): string {
  const recursive: string[] = [];
  const body = groupOf(treeOf(procedures), [], recursive);
  const api = `/** Every procedure of Coffer: what goes in, and what comes out. Times are ISO 8601 texts. */\nexport interface Api ${body}\n`;
  return [HEADER, ...recursive, api].join('\n');
}

function treeOf(procedures: readonly (readonly [path: string, procedure: ProcedureLike])[]): Tree {
  const root: Tree = new Map();
  for (const [path, procedure] of procedures) {
    const names = path.split('.');
    const reserved = names.find((name) => RESERVED.has(name));
    if (reserved) throw new Error(`${path}: "${reserved}" has a meaning of its own on the client; choose another name`);
    let group = root;
    for (const name of names.slice(0, -1)) {
      const next = group.get(name) ?? new Map<string, Tree | ProcedureLike>();
      if (!(next instanceof Map)) throw new Error(`${path}: ${name} is a procedure already`);
      group.set(name, next);
      group = next;
    }
    group.set(names.at(-1)!, procedure);
  }
  return root;
}

function groupOf(tree: Tree, path: readonly string[], recursive: string[]): string {
  const indent = '  '.repeat(path.length);
  const members = [...tree].map(([name, member]) => {
    const here = [...path, name];
    if (member instanceof Map) return `${indent}  ${key(name)}: ${groupOf(member, here, recursive)};\n`;
    return `${comment(aboutProcedure(member), `${indent}  `)}${indent}  ${key(name)}: ${procedureOf(member, here, recursive)};\n`;
  });
  return `{\n${members.join('')}${indent}}`;
}

function procedureOf(
  { _def: { type, meta, inputs = [], output } }: ProcedureLike,
  path: readonly string[],
  recursive: string[],
): string {
  const kind = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[type];
  if (!kind) throw new Error(`${path.join('.')}: the client has no ${type}s`);
  const name = path.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
  const indent = '  '.repeat(path.length + 1);
  const write = (schema: Schema, io: Io, suffix: string) =>
    schemaType(schema, io, { name: `${name}${suffix}`, path: path.join('.'), indent, recursive });

  const input = inputs
    .map((schema, index) => write(schema, 'input', inputs.length > 1 ? `Input${index + 1}` : 'Input'))
    .join(' & ');
  const from = input === '' || input === 'Record<string, never>' ? 'NoInput' : input;
  const answered = type === 'subscription' ? meta?.rest?.events?.nullable() : output;
  const to = answered ? write(answered, 'output', 'Output') : 'unknown';
  const inline = `${kind}<${from}, ${to}>`;
  if (!inline.includes('\n') && indent.length + inline.length <= 100) return inline;
  return `${kind}<\n${indent}${from},\n${indent}${to}\n${indent.slice(2)}>`;
}

interface Naming {
  /** What a recursive part of the schema is called, with a number where it has several. */
  readonly name: string;
  readonly path: string;
  readonly indent: string;
  /** Takes the recursive parts, which need a name of their own. */
  readonly recursive: string[];
}

function schemaType(schema: Schema, io: Io, { name, path, indent, recursive }: Naming): string {
  const json = jsonSchemaOf(schema, io, path);
  const definitions = Object.entries(json.$defs ?? {});
  const isRecursive = JSON.stringify(json).includes('"$ref":"#"');
  const parts = definitions.map(([id, definition], index) => ({
    ref: `#/$defs/${id}`,
    name: `${name}Part${definitions.length > 1 ? index + 1 : ''}`,
    definition,
  }));
  if (isRecursive) parts.push({ ref: '#', name, definition: json });
  const at: Place = { io, indent, names: new Map(parts.map(({ ref, name: called }) => [ref, called])) };
  for (const part of parts)
    recursive.push(`export type ${part.name} = ${typeOf(part.definition, { ...at, indent: '' })};\n`);
  return isRecursive ? name : typeOf(json, at);
}

/** Types that JSON has no word for, and what they are on the wire; the others of zod's have one. */
const ON_THE_WIRE: Readonly<Record<string, JsonSchema>> = {
  date: { type: 'string' },
  undefined: { not: {} },
  void: { not: {} },
  never: { not: {} },
};
/** And those that never go over it. */
const LOST = new Set<string>(['bigint', 'symbol', 'map', 'set', 'function', 'file', 'nan', 'promise']);

function jsonSchemaOf(schema: Schema, io: Io, procedure: string): JsonSchema {
  return schema.toJSONSchema({
    io,
    unrepresentable: 'any',
    override: ({ zodSchema: { _zod: inner }, jsonSchema, path }) => {
      const { def } = inner;
      const { type } = def;
      // zod leaves out the default of what it transforms.
      if (type === 'default' && io === 'input') jsonSchema.default ??= def.defaultValue as typeof jsonSchema.default;
      if (type in ON_THE_WIRE) Object.assign(jsonSchema, ON_THE_WIRE[type]);
      else if (LOST.has(type)) {
        throw new Error(`${procedure}: ${path.join('.') || 'its schema'} is a ${type}, which JSON has no word for`);
      }
    },
  }) as JsonSchema;
}

function aboutProcedure({ _def: { meta } }: ProcedureLike): string[] {
  if (!meta) return [];
  const { openapi, rest } = meta;
  const blocks: string[][] = [];
  if (openapi?.summary) blocks.push([`${openapi.summary}.`]);
  if (openapi?.description) blocks.push([openapi.description]);
  const where = openapi ? [`\`${openapi.method} ${openapi.path}\``] : [];
  blocks.push([...where, ...aboutAccess(meta)]);
  if (rest?.deprecated) blocks.push(['@deprecated An older form of this operation, kept for the clients that use it.']);
  return blocks.filter((block) => block.length > 0).flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}

function aboutAccess({ needs }: Meta): string[] {
  if (needs === undefined) return [];
  if (needs === 'public') return ['Needs no token.'];
  if (needs === 'member') return [];
  if ('key' in needs) return [`Needs \`${needs.action}\` on \`${needs.subject}\`.`];
  const rights = needs.map(({ action, subject, scope }) => `\`${action}\` on \`${subject}\` in the ${scope}`);
  return [`Needs ${rights.join(', or ')}.`];
}
