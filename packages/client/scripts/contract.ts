import { nameIn, schemaNames, type Meta, type ProcedureLike } from '@coffer/api';
import { KnownObjects } from './known-objects.ts';
import { NamedTypes, SHARED, typesIn } from './named-types.ts';
import { comment, indented, key, typeOf, type JsonSchema, type Place } from './types.ts';

const HEADER =
  '// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.\n';
/** Characters of a comment on one line. */
const LINE = 130;
const CALLS = ['Mutation', 'NoInput', 'Query', 'Subscription'];

/** Reserved names: methods of calls, and properties that would make a client look like another kind of object. */
const RESERVED = new Set(['query', 'mutate', 'subscribe', 'then', 'toJSON']);

type Io = 'input' | 'output';

/** Of schemas of fields that many procedures have, and that are the whole of none: whether they come in or go out. */
function ioOfPart(name: string): Io | undefined {
  if (/^(?:Create|Update|Changed)\w*Fields$|(?:Settings|Details)$/.test(name)) return 'input';
  return /Fields$|^AttachedLoginMethod$/.test(name) ? 'output' : undefined;
}
type Schema = NonNullable<ProcedureLike['_def']['output']>;
type Tree = Map<string, Tree | ProcedureLike>;
type Procedures = readonly (readonly [path: string, procedure: ProcedureLike])[];

/** Where something is written. */
interface Writing {
  readonly types: NamedTypes;
  readonly known: KnownObjects;
  /** The file. */
  readonly file: string;
  readonly indent: string;
}

/**
 * The contract of a router's procedures, as files by name: one interface with the structure of the router, and a file
 * for each of its groups. A type with a name in the domain is written once, under that name.
 */
export function contractOf(procedures: Procedures): Map<string, string> {
  const types = new NamedTypes();
  const known = new KnownObjects();
  for (const [schema, name] of schemaNames()) {
    const io = ioOfPart(name);
    if (io) known.note(jsonSchemaOf(schema as Schema, io, name), io);
  }
  for (const [path, { _def: definition }] of procedures)
    for (const { schema, io } of schemasOf(definition)) known.note(jsonSchemaOf(schema, io, path), io);
  const groups = Array.from(treeOf(procedures), ([name, member]) => {
    const file = member instanceof Map ? fileOf(name) : SHARED;
    const text = memberOf(member, [name], { types, known, file, indent: member instanceof Map ? '' : '  ' });
    return { name, file, text, isGroup: member instanceof Map, about: about(member, '  ') };
  });
  const files = groups.flatMap(({ name, file, text, isGroup }): [string, string][] =>
    isGroup ? [[file, fileWith(types, file, `export interface ${pascal(name)}Api ${text}\n`)]] : [],
  );
  const members = groups.map(
    ({ name, text, isGroup, about: comments }) =>
      `${comments}  ${key(name)}: ${isGroup ? `${pascal(name)}Api` : text};\n`,
  );
  const api = `/** Every procedure of Coffer: what goes in, and what comes out. IDs are UUIDs, times are ISO 8601 texts. */\nexport interface Api {\n${members.join('')}}\n`;
  const imports = groups.flatMap(({ name, file, isGroup }) =>
    isGroup ? `import type { ${pascal(name)}Api } from './${file}.ts';\n` : [],
  );
  const exported = [...files.map(([file]) => file), SHARED].map((file) => `export type * from './${file}.ts';\n`);
  const index = HEADER + [importOf(CALLS, '../call.ts', api), ...imports, ...exported, '\n', api].join('');
  return new Map([...files, [SHARED, fileWith(types, SHARED, '')], ['index', index]]);
}

function fileWith(types: NamedTypes, file: string, api: string): string {
  const declared = types.in(file).map(({ name, text }) => `export type ${name} = ${text};\n`);
  const body = [...declared, ...(api ? [api] : [])].join('\n');
  const shared = importOf(types.foreignTo(file, body), `./${SHARED}.ts`, body);
  return `${HEADER}${importOf(CALLS, '../call.ts', body)}${shared}\n${body === '' ? 'export {};\n' : body}`;
}

/** An import of the given names that a text uses. */
function importOf(names: readonly string[], from: string, text: string): string {
  const words = typesIn(text);
  const used = names.filter((name) => words.has(name));
  return used.length > 0 ? `import type { ${used.join(', ')} } from '${from}';\n` : '';
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const fileOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

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

const about = (member: Tree | ProcedureLike, indent: string): string =>
  member instanceof Map ? '' : comment(aboutProcedure(member), indent);

function memberOf(member: Tree | ProcedureLike, path: readonly string[], writing: Writing): string {
  if (!(member instanceof Map)) return procedureOf(member, path, writing);
  const inner = { ...writing, indent: `${writing.indent}  ` };
  const members = Array.from(
    member,
    ([name, one]) =>
      `${about(one, inner.indent)}${inner.indent}${key(name)}: ${memberOf(one, [...path, name], inner)};\n`,
  );
  return `{\n${members.join('')}${writing.indent}}`;
}

function procedureOf(
  { _def: { type, meta, inputs = [], output } }: ProcedureLike,
  path: readonly string[],
  writing: Writing,
): string {
  const kind = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' }[type];
  if (!kind) throw new Error(`${path.join('.')}: the client has no ${type}s`);
  const indent = `${writing.indent}  `;
  const write = (schema: Schema, io: Io, suffix: string) =>
    schemaType(schema, io, { ...writing, path: path.join('.'), name: path.map(pascal).join('') + suffix });

  const input = inputs
    .map((schema, index) => write(schema, 'input', inputs.length > 1 ? `Input${index + 1}` : 'Input'))
    .join(' & ');
  const from = input === '' || input === 'Record<string, never>' ? 'NoInput' : input;
  const answered = answerOf({ type, meta, output });
  const to = answered ? write(answered, 'output', 'Output') : 'unknown';
  const inline = `${kind}<${from}, ${to}>`;
  if (!inline.includes('\n') && indent.length + inline.length <= 120) return inline;
  return `${kind}<\n${indent}${indented(from, indent)},\n${indent}${indented(to, indent)}\n${indent.slice(2)}>`;
}

type Definition = Pick<ProcedureLike['_def'], 'type' | 'meta' | 'output'> &
  Partial<Pick<ProcedureLike['_def'], 'inputs'>>;

const answerOf = ({ type, meta, output }: Definition): Schema | undefined =>
  type === 'subscription' ? meta?.rest?.events?.nullable() : output;

function schemasOf(definition: Definition): { schema: Schema; io: Io }[] {
  const answered = answerOf(definition);
  return [
    ...(definition.inputs ?? []).map((schema) => ({ schema, io: 'input' as const })),
    ...(answered ? [{ schema: answered, io: 'output' as const }] : []),
  ];
}

interface Naming extends Omit<Writing, 'indent'> {
  /** The name of a recursive part of the schema, with a number if there are several. */
  readonly name: string;
  readonly path: string;
}

function schemaType(schema: Schema, io: Io, { name, path, types, known, file }: Naming): string {
  const json = jsonSchemaOf(schema, io, path);
  const definitions = Object.entries(json.$defs ?? {});
  const isRecursive = JSON.stringify(json).includes('"$ref":"#"');
  const parts = definitions.map(([id, definition], index) => ({
    ref: `#/$defs/${id}`,
    name: `${name}Part${definitions.length > 1 ? index + 1 : ''}`,
    definition,
  }));
  if (isRecursive) parts.push({ ref: '#', name, definition: json });
  const at: Place = {
    io,
    known,
    names: new Map(parts.map(({ ref, name: called }) => [ref, called])),
    // What refers to a part of this schema is of this schema alone.
    declare: parts.length > 0 ? undefined : (wanted, text, inOrOut) => types.declare(wanted, text, inOrOut, file),
  };
  for (const part of parts) types.declare(part.name, typeOf(part.definition, at), io, file);
  return isRecursive ? name : typeOf(json, at);
}

/** Types without a JSON Schema form, and their wire form; other zod types have one. */
const ON_THE_WIRE: Readonly<Record<string, JsonSchema>> = {
  date: { type: 'string' },
  undefined: { not: {} },
  void: { not: {} },
  never: { not: {} },
};
/** And those that are never sent. */
const LOST = new Set<string>(['bigint', 'symbol', 'map', 'set', 'function', 'file', 'nan', 'promise']);

const NAMES = schemaNames();

function jsonSchemaOf(schema: Schema, io: Io, procedure: string): JsonSchema {
  return schema.toJSONSchema({
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema, path }) => {
      const { def } = zodSchema._zod;
      const { type } = def;
      const named = nameIn(NAMES, zodSchema);
      if (named !== undefined) (jsonSchema as JsonSchema).named = named;
      // zod omits the default of transformed values.
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
  const where = openapi ? [`\`${openapi.method} ${openapi.path}\`.`] : [];
  blocks.push([...where, ...aboutAccess(meta)]);
  const lines = blocks.map((block) => block.join(' ')).filter((line) => line !== '');
  // A tag begins a line.
  if (rest?.deprecated) return [...lines, '@deprecated Legacy form of this operation, for existing clients.'];
  const inline = lines.join(' ');
  return inline.length <= LINE ? [inline] : lines;
}

function aboutAccess({ needs }: Meta): string[] {
  if (needs === undefined) return [];
  if (needs === 'public') return ['Needs no token.'];
  if (needs === 'member') return [];
  if ('key' in needs) return [`Needs \`${needs.action}\` on \`${needs.subject}\`.`];
  const rights = needs.map(({ action, subject, scope }) => `\`${action}\` on \`${subject}\` in the ${scope}`);
  return [`Needs ${rights.join(', or ')}.`];
}
