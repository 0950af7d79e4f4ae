import { fillTemplate, renderTemplate } from '../../../../kernel/index.ts';
import type { Refuse } from '../../statement.ts';
import { readPieces, type Name, type Pieces, type Values } from './template.ts';

/** A distinguished name with placeholders where values are. */
export interface DnTemplate {
  readonly pieces: Pieces;
}

const TYPE = /^\s*(?:[A-Za-z][A-Za-z0-9-]*|\d+(?:\.\d+)*)\s*$/;
/** RFC 4514, section 2.4: what may follow a backslash. */
const ESCAPED = /\\(?:[0-9A-Fa-f]{2}|[ "#+,;<=>\\])/y;
/** Stands for a placeholder while a name is looked at: no text of an owner holds it. */
const MARK = '\0';

/**
 * Reads a name in the form of RFC 4514 in which placeholders stand as values or parts of values.
 *
 * @throws DomainError 400 for what is no name, and for a placeholder that stands anywhere else.
 */
export function readDn(text: string, known: readonly Name[], refuse: Refuse): DnTemplate {
  const pieces = readPieces(text, known, refuse);
  if (!isName(pieces))
    throw refuse(
      `${JSON.stringify(text.slice(0, 100))} is no name of an entry (RFC 4514), or has a placeholder where no value is`,
    );
  return { pieces };
}

/** Whether text is a name in which placeholders stand where values do. */
export const isName = (pieces: Pieces): boolean => pairsOf(fillTemplate(pieces, () => MARK)) !== undefined;

/** Puts the values in. Whatever they hold, the name has as many parts as before, of the same types. */
export const renderDn = ({ pieces }: DnTemplate, values: Values): string =>
  renderTemplate(pieces, values, escapeDnValue);

const PLAIN = /^[A-Za-z0-9._@-]$/;

/** A value, or a part of one, as it is written in a name: everything that could mean something as its octets. */
export const escapeDnValue = (value: string): string =>
  Array.from(value, (character) =>
    PLAIN.test(character)
      ? character
      : Array.from(Buffer.from(character), (octet) => `\\${octet.toString(16).padStart(2, '0')}`).join(''),
  ).join('');

/** Whether two names mean the same entry. Names that cannot be read mean none. */
export function isSameDn(a: string, b: string): boolean {
  const [first, second] = [pairsOf(a), pairsOf(b)];
  return (
    first !== undefined && second !== undefined && JSON.stringify(normal(first)) === JSON.stringify(normal(second))
  );
}

interface Pair {
  readonly type: string;
  readonly value: string;
}

/** Types have no case; values of names have none either, and blanks count as one (`caseIgnoreMatch`). */
const normal = (rdns: readonly (readonly Pair[])[]) =>
  rdns.map((rdn) =>
    rdn
      .map(
        ({ type, value }) =>
          `${type.trim().toLowerCase()}=${value.trim().toLowerCase().normalize('NFKC').replaceAll(/\s+/g, ' ')}`,
      )
      .toSorted(),
  );

/** The parts of a name, each of one or more pairs; `undefined` where it is none. */
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

/** A value from here up to what separates it from the next one. */
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
