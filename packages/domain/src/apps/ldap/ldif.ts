import { renderTemplate, valueFor, type Refuse } from '../../kernel/index.ts';
import { isName, readDn, renderDn, type DnTemplate } from './dn.ts';
import { readPieces, uses, type Name, type Pieces, type Values } from './template.ts';

/** The operations of an LDIF, with placeholders. */
export type LdifRecord = LdifAdd | LdifDelete | LdifModify;
interface LdifAdd {
  readonly change: 'add';
  readonly dn: DnTemplate;
  readonly attributes: readonly Attribute[];
}
interface LdifDelete {
  readonly change: 'delete';
  readonly dn: DnTemplate;
}
interface LdifModify {
  readonly change: 'modify';
  readonly dn: DnTemplate;
  readonly attributes: readonly (Attribute & { readonly operation: ModifyOperation })[];
}
export type ModifyOperation = 'add' | 'delete' | 'replace';

interface Attribute {
  readonly type: string;
  readonly values: readonly Value[];
}

type Value =
  | { readonly octets: Buffer }
  /** `isName`: it is a distinguished name itself. */
  | { readonly pieces: Pieces; readonly isName: boolean };

/** The same with the values filled in. */
export type LdifOperation =
  | { readonly change: 'add'; readonly dn: string; readonly attributes: readonly FilledAttribute[] }
  | { readonly change: 'delete'; readonly dn: string }
  | {
      readonly change: 'modify';
      readonly dn: string;
      readonly attributes: readonly (FilledAttribute & { readonly operation: ModifyOperation })[];
    };
export interface FilledAttribute {
  readonly type: string;
  readonly values: Buffer[];
}

const MAX_RECORDS = 50;
/** RFC 2849, `AttributeDescription`. */
const DESCRIPTION = String.raw`(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)(?:;[A-Za-z0-9-]+)*`;
const LINE = new RegExp(`^(${DESCRIPTION}):(:|<)?[ \\t]*(.*)$`, 's');
const IS_DESCRIPTION = new RegExp(`^${DESCRIPTION}$`);

/**
 * Parses an LDIF (RFC 2849) with placeholders: new entries, and changes of the types add, modify and delete. Values are
 * inserted later into the parsed parts, and are never parsed as LDIF.
 *
 * @throws the result of `refuse` for an invalid LDIF, for unsupported parts, and for unknown or misplaced placeholders.
 */
export function readLdif(text: string, known: readonly Name[], refuse: Refuse): LdifRecord[] {
  const [first, ...records] = recordsOf(text);
  const withoutVersion = first?.[0] && /^version:\s*1$/i.test(first[0]) ? first.slice(1) : first;
  const all = [withoutVersion ?? [], ...records].filter((lines) => lines.length > 0);
  if (all.length === 0) throw refuse('it has no entry');
  if (all.length > MAX_RECORDS) throw refuse(`it has more than ${MAX_RECORDS} entries`);
  return all.map((lines) => readRecord(lines, known, refuse));
}

/**
 * The unfolded lines of each record, without comments. Blanks at the ends of lines are ignored, because they are
 * invisible.
 */
function recordsOf(text: string): string[][] {
  const unfolded = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/^[ \t]+$/gm, '')
    .replaceAll('\n ', '');
  const records: string[][] = [[]];
  for (const line of unfolded.split('\n').map((one) => one.trimEnd())) {
    if (line === '') records.push([]);
    else if (!line.startsWith('#')) records.at(-1)!.push(line);
  }
  return records;
}

function readRecord([first = '', ...rest]: readonly string[], known: readonly Name[], refuse: Refuse): LdifRecord {
  const { type, text } = readLine(first, refuse);
  if (type.toLowerCase() !== 'dn') throw refuse(`an entry must begin with dn:, not with ${first.slice(0, 40)}`);
  // A password has no business in a name.
  const dn = readDn(
    text(),
    known.filter((one) => one === 'username'),
    refuse,
  );
  const [second = ''] = rest;
  if (/^control:/i.test(second)) throw refuse('controls are not supported');
  const change = /^changetype:(.*)$/i.exec(second)?.[1]?.trimStart().toLowerCase();
  const lines = change === undefined ? rest : rest.slice(1);
  switch (change ?? 'add') {
    case 'add':
      if (lines.length === 0) throw refuse('an entry to add has no attributes');
      return { change: 'add', dn, attributes: readAttributes(lines, known, refuse) };
    case 'delete':
      if (lines.length > 0) throw refuse('an entry to delete has attributes');
      return { change: 'delete', dn };
    case 'modify':
      return { change: 'modify', dn, attributes: readChanges(lines, known, refuse) };
    default:
      throw refuse(`changetype: ${change} is not supported; use add, modify or delete`);
  }
}

/** Attributes that are named more than once have several values. */
function readAttributes(lines: readonly string[], known: readonly Name[], refuse: Refuse): Attribute[] {
  const found = new Map<string, { type: string; values: Value[] }>();
  for (const line of lines) {
    const { type, value } = readLine(line, refuse);
    const one = found.get(type.toLowerCase()) ?? { type, values: [] };
    one.values.push(value(known));
    found.set(type.toLowerCase(), one);
  }
  return [...found.values()];
}

function readChanges(lines: readonly string[], known: readonly Name[], refuse: Refuse): LdifModify['attributes'] {
  const changes: (LdifModify['attributes'][number] & { values: Value[] })[] = [];
  let open: (typeof changes)[number] | undefined;
  for (const line of lines) {
    if (line === '-') {
      if (!open) throw refuse('a - ends the change of an attribute, but none was begun');
      open = undefined;
      continue;
    }
    const { type, text, value } = readLine(line, refuse);
    if (open) {
      if (type.toLowerCase() !== open.type.toLowerCase())
        throw refuse(`${type} is within the change of ${open.type}: end that with a -`);
      open.values.push(value(known));
      continue;
    }
    const operation = (['add', 'delete', 'replace'] as const).find((one) => one === type.toLowerCase());
    if (!operation)
      throw refuse(`the change of an attribute must begin with add:, delete: or replace:, not with ${type}:`);
    if (!IS_DESCRIPTION.test(text())) throw refuse(`${operation}: names no attribute`);
    open = { operation, type: text(), values: [] };
    changes.push(open);
  }
  if (changes.length === 0) throw refuse('an entry to modify has no changes');
  const empty = changes.find(({ operation, values }) => operation === 'add' && values.length === 0);
  if (empty) throw refuse(`add: ${empty.type} has no values`);
  return changes;
}

/** A line: its attribute, and the text after the colon, as a DN or as a value. */
function readLine(line: string, refuse: Refuse) {
  const [, type = '', sign, rest = ''] = LINE.exec(line) ?? [];
  if (type === '') throw refuse(`${JSON.stringify(line.slice(0, 40))} is not a valid line of LDIF`);
  if (sign === '<') throw refuse(`${type}:< would be read from a file, which is not supported`);
  return {
    type,
    text: () => (sign === ':' ? decode(rest, refuse).toString() : rest),
    value: (known: readonly Name[]): Value => {
      const pieces = readPieces(rest, known, refuse);
      const isEncoded = uses(pieces, 'EncodedPassword');
      if (isEncoded && (sign !== ':' || pieces.length > 1))
        throw refuse('{{EncodedPassword}} must be the whole value after two colons: unicodePwd:: {{EncodedPassword}}');
      if (isEncoded) return { pieces, isName: false };
      if (sign === ':' && pieces.some((piece) => typeof piece === 'object'))
        throw refuse(`${type}:: holds base64; only {{EncodedPassword}} can stand in it`);
      if (sign === ':') return { octets: decode(rest, refuse) };
      return { pieces, isName: isName(pieces) };
    },
  };
}

function decode(text: string, refuse: Refuse): Buffer {
  const octets = Buffer.from(text, 'base64');
  if (octets.toString('base64') !== text) throw refuse('the value after two colons is not base64');
  return octets;
}

/** Whether a password is inserted. */
export const setsPassword = (record: LdifRecord): boolean =>
  'attributes' in record &&
  record.attributes.some(({ values }) =>
    values.some((value) => 'pieces' in value && uses(value.pieces, 'password', 'EncodedPassword')),
  );

/** Inserts the values: each stays inside the value or DN part of its placeholder. */
export function renderLdif(records: readonly LdifRecord[], values: Values): LdifOperation[] {
  const filled = ({ type, values: all }: Attribute) => ({ type, values: all.map((value) => octetsOf(value, values)) });
  return records.map((record): LdifOperation => {
    const dn = renderDn(record.dn, values);
    if (record.change === 'delete') return { change: 'delete', dn };
    if (record.change === 'add') return { change: 'add', dn, attributes: record.attributes.map(filled) };
    return {
      change: 'modify',
      dn,
      attributes: record.attributes.map((one) => ({ ...filled(one), operation: one.operation })),
    };
  });
}

function octetsOf(value: Value, values: Values): Buffer {
  if ('octets' in value) return value.octets;
  if (uses(value.pieces, 'EncodedPassword')) return encodePassword(valueFor({ name: 'password' }, values));
  if (value.isName && !uses(value.pieces, 'password')) return Buffer.from(renderDn(value, values));
  return Buffer.from(renderTemplate(value.pieces, values, (text) => text));
}

/** `unicodePwd` of Active Directory: in quotes, in UTF-16 (MS-ADTS, 3.1.1.3.1.5). */
export const encodePassword = (password: string): Buffer => Buffer.from(`"${password}"`, 'utf16le');
