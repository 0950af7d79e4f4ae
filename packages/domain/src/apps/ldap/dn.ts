import { fillTemplate, foldedName, renderTemplate, type Refuse } from '../../kernel/index.ts';
import { readPieces, type Name, type Pieces, type Values } from './template.ts';

/** A distinguished name with placeholders where values are. */
export interface DnTemplate {
  readonly pieces: Pieces;
}

const TYPE = /^\s*(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*$/;
/** RFC 4514, section 2.4: the characters that may follow a backslash. */
const ESCAPED = /\\(?:[0-9A-Fa-f]{2}|[ "#+,;<=>\\])/y;
/** Replaces a placeholder during validation: no text of an owner contains it. */
const MARK = '\0';

/**
 * Parses a DN in the form of RFC 4514 with placeholders as values or parts of values.
 *
 * @throws DomainError 400 for an invalid DN, and for a placeholder at another position.
 */
export function readDn(text: string, known: readonly Name[], refuse: Refuse): DnTemplate {
  const pieces = readPieces(text, known, refuse);
  if (!isName(pieces))
    throw refuse(
      `${JSON.stringify(text.slice(0, 100))} is no name of an entry (RFC 4514), or has a placeholder where no value is`,
    );
  return { pieces };
}

/** Whether text is a DN with placeholders only in values. */
export const isName = (pieces: Pieces): boolean => pairsOf(fillTemplate(pieces, () => MARK)) !== undefined;

/** Inserts the values. Whatever they contain, the DN keeps its parts and types. */
export const renderDn = ({ pieces }: DnTemplate, values: Values): string =>
  renderTemplate(pieces, values, escapeDnValue);

const PLAIN = /^[A-Za-z0-9._@-]$/;

/** An escaped value, or part of one: every special character as octets. */
export const escapeDnValue = (value: string): string =>
  Array.from(value, (character) =>
    PLAIN.test(character)
      ? character
      : Array.from(Buffer.from(character), (octet) => `\\${octet.toString(16).padStart(2, '0')}`).join(''),
  ).join('');

/** Whether two names mean the same entry in every directory. Names that cannot be read mean none. */
export function isSameDn(a: string, b: string): boolean {
  const first = canonicalBy(caseFolded, a);
  return first !== undefined && first === canonicalBy(caseFolded, b);
}

/** The same text for all names that a directory may take for one entry; `undefined` if it is invalid, or very long. */
export const canonicalDn = (text: string): string | undefined => canonicalBy(foldedName, text);

type Fold = (value: string) => string;

/** Characters of a name that is compared. Normalization sorts the marks of a letter, however many they are. */
const LONGEST = 4_096;

/** `caseIgnoreMatch`, as all directories have it. */
const caseFolded: Fold = (value) => value.normalize('NFKC').toLowerCase().normalize('NFKC');

function canonicalBy(fold: Fold, text: string): string | undefined {
  const rdns = text.length > LONGEST ? undefined : pairsOf(text);
  return rdns && JSON.stringify(rdns.map((rdn) => rdn.map((pair) => canonicalPair(fold, pair)).toSorted()));
}

interface Pair {
  readonly type: string;
  readonly value: string;
}

/** Types are case-insensitive; several blanks in a value equal one. */
function canonicalPair(fold: Fold, { type, value }: Pair): string {
  const name = type
    .trim()
    .toLowerCase()
    .replace(/^oid\./, '');
  return `${SHORT.get(name) ?? name}=${fold(value).trim().replaceAll(/\s+/g, ' ')}`;
}

/** Other names of types that stand in DNs (RFC 4514 section 3, RFC 4519, RFC 4524), by the short one. */
const SHORT = new Map(
  Object.entries({
    cn: ['2.5.4.3', 'commonname'],
    sn: ['2.5.4.4', 'surname'],
    serialnumber: ['2.5.4.5'],
    c: ['2.5.4.6', 'countryname'],
    l: ['2.5.4.7', 'localityname'],
    st: ['2.5.4.8', 'stateorprovincename'],
    street: ['2.5.4.9', 'streetaddress'],
    o: ['2.5.4.10', 'organizationname'],
    ou: ['2.5.4.11', 'organizationalunitname'],
    givenname: ['2.5.4.42', 'gn'],
    uid: ['0.9.2342.19200300.100.1.1', 'userid'],
    mail: ['0.9.2342.19200300.100.1.3', 'rfc822mailbox'],
    dc: ['0.9.2342.19200300.100.1.25', 'domaincomponent'],
  }).flatMap(([short, names]) => names.map((name) => [name, short] as const)),
);

/** The parts of a DN, each with one or more pairs; `undefined` if it is invalid. */
export function pairsOf(text: string): Pair[][] | undefined {
  const rdns: Pair[][] = [[]];
  for (let at = 0; ;) {
    const equals = text.indexOf('=', at);
    const type = text.slice(at, equals);
    if (equals < 0 || !TYPE.test(type)) return undefined;
    const read = readValue(text, equals + 1);
    if (!read) return undefined;
    rdns.at(-1)!.push({ type, value: read.value });
    const separator = text[read.end];
    if (separator === undefined) return rdns;
    if (separator === ',') rdns.push([]);
    at = read.end + 1;
  }
}

/** A value from here to the next separator. */
function readValue(text: string, start: number): { value: string; end: number } | undefined {
  const octets: Buffer[] = [];
  let at = start;
  while (at < text.length && text[at] !== ',' && text[at] !== '+') {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    ESCAPED.lastIndex = at;
    const escaped = character === '\\' ? ESCAPED.exec(text)?.[0] : undefined;
    if (character === '\\' && escaped === undefined) return undefined;
    // `"…"` and `;` are of older forms, `#` begins a value in BER.
    if (/^["<>;]$/.test(character)) return undefined;
    octets.push(escaped === undefined ? Buffer.from(character) : unescape(escaped.slice(1)));
    at += (escaped ?? character).length;
  }
  const value = Buffer.concat(octets).toString();
  const raw = text.slice(start, at).trim();
  return raw === '' || raw.startsWith('#') ? undefined : { value, end: at };
}

const unescape = (escaped: string): Buffer =>
  escaped.length === 2 ? Buffer.from(escaped, 'hex') : Buffer.from(escaped);
