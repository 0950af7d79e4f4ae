import { X509Error } from './error.ts';
import { berBounds, berElements, der, MalformedBer, type BerElement, type ElementCount } from './ber.ts';

// The structure of DER (X.690), for combining existing octets, such as an issuer's encoded name, or a hundred thousand
// entries of a revocation list.

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  universalString: 0x1c,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

export { der };

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(TAG.sequence, ...parts);
export const octetString = (bytes: Uint8Array): Buffer => der(TAG.octetString, bytes);
export const bitString = (bytes: Uint8Array): Buffer => der(TAG.bitString, Buffer.of(0), bytes);

/**
 * The octets of an ASCII text.
 *
 * @throws X509Error `certificate.not_ascii` for other characters
 */
export function ia5(text: string): Buffer {
  const octets = Buffer.from(text, 'utf8');
  if (octets.length === text.length) return octets;
  throw new X509Error('certificate.not_ascii', 'A name in a certificate has characters that are not ASCII');
}

/** A number that is not negative. */
export function integer(value: number | bigint): Buffer {
  const hex = value.toString(16);
  return integerOf(Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex'));
}

/** The number that these octets are, without a sign. */
export function integerOf(octets: Uint8Array): Buffer {
  let start = 0;
  while (start < octets.length - 1 && octets[start] === 0) start++;
  const magnitude = octets.subarray(start);
  const padding = magnitude.length === 0 || magnitude[0]! >= 0x80 ? Buffer.of(0) : Buffer.of();
  return der(TAG.integer, padding, magnitude);
}

const oids = new Map<string, Buffer>();
const MAX_REMEMBERED = 200;

export function oid(text: string): Buffer {
  const known = oids.get(text);
  if (known) return known;
  const [first = 0, second = 0, ...arcs] = text.split('.').map(Number);
  const octets = [first * 40 + second, ...arcs].flatMap((arc) => {
    const groups = [arc % 128];
    for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift((rest % 128) | 0x80);
    return groups;
  });
  const made = der(TAG.oid, Buffer.from(octets));
  if (oids.size < MAX_REMEMBERED) oids.set(text, made);
  return made;
}

/** RFC 5280, section 4.1.2.5: UTCTime through the year 2049, GeneralizedTime from then on. Whole seconds. */
export function time(date: Date): Buffer {
  const year = date.getUTCFullYear();
  return year >= 1950 && year < 2050
    ? der(TAG.utcTime, Buffer.from(digits(date).slice(2), 'latin1'))
    : generalizedTime(date);
}

export const generalizedTime = (date: Date): Buffer => der(TAG.generalizedTime, Buffer.from(digits(date), 'latin1'));

/** Up to the year 9999, beyond which certificates have no times. */
function digits(date: Date): string {
  const iso = date.toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}${iso.slice(11, 13)}${iso.slice(14, 16)}${iso.slice(17, 19)}Z`;
}

/**
 * The only element in these bytes.
 *
 * @throws MalformedBer if there is another one after it, or none
 */
export function element(bytes: Buffer, tag?: number): BerElement {
  const [only, ...more] = berElements(bytes);
  if (!only || more.length || (tag !== undefined && only.tag !== tag)) throw new MalformedBer('Expected one element');
  return only;
}

/** The elements inside one with this tag. */
export const within = (bytes: Buffer, tag: number): BerElement[] => berElements(element(bytes, tag).content);

export function content(of: BerElement | undefined, tag: number): Buffer {
  if (of?.tag !== tag) throw new MalformedBer(`Expected an element with the tag ${tag}`);
  return of.content;
}

const oidTexts = new Map<string, string>();

export function oidText(of: BerElement | undefined): string {
  const bytes = content(of, TAG.oid);
  const key = bytes.toString('latin1');
  const known = oidTexts.get(key);
  if (known !== undefined) return known;
  if (bytes.length === 0 || bytes.length > 64 || bytes.at(-1)! >= 0x80) throw new MalformedBer('An OID is truncated');
  const arcs: bigint[] = [];
  let arc = 0n;
  let isStart = true;
  for (const octet of bytes) {
    if (isStart && octet === 0x80) throw new MalformedBer('An OID is not canonical');
    arc = (arc << 7n) | BigInt(octet & 0x7f);
    isStart = octet < 0x80;
    if (isStart) {
      arcs.push(arc);
      arc = 0n;
    }
  }
  const [head = 0n, ...rest] = arcs;
  const first = head < 40n ? 0n : head < 80n ? 1n : 2n;
  const text = [first, head - first * 40n, ...rest].join('.');
  if (oidTexts.size < MAX_REMEMBERED) oidTexts.set(key, text);
  return text;
}

/** A small number that is not negative. */
export function smallInteger(of: BerElement | undefined, tag: number = TAG.integer): number {
  const bytes = content(of, tag);
  if (bytes.length < 1 || bytes.length > 4 || bytes[0]! >= 0x80) throw new MalformedBer('A number is out of range');
  return bytes.readUIntBE(0, bytes.length);
}

/** The octets of a BIT STRING that has none to spare. */
export function bits(of: BerElement | undefined): Buffer {
  const bytes = content(of, TAG.bitString);
  if (bytes[0] !== 0) throw new MalformedBer('A bit string has bits to spare');
  return bytes.subarray(1);
}

const UTC_TIME = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;
const GENERALIZED_TIME = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/;

/** The instant that an element is, in the only forms that RFC 5280 knows, in the years 1 to 9999. */
export function instantOf(of: BerElement | undefined): Date {
  const text = of?.content.toString('latin1') ?? '';
  const match =
    of?.tag === TAG.utcTime
      ? UTC_TIME.exec(text)
      : of?.tag === TAG.generalizedTime
        ? GENERALIZED_TIME.exec(text)
        : null;
  if (!match) throw new MalformedBer('A time is malformed');
  const [, yy, month, day, hour, minute, second] = match;
  const year = yy!.length === 4 ? yy! : `${Number(yy) < 50 ? '20' : '19'}${yy}`;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`;
  const date = new Date(iso);
  // 30 February would be moved to March. There is no year 0, and databases have none.
  if (year === '0000' || Number.isNaN(date.getTime()) || date.toISOString() !== iso)
    throw new MalformedBer('A time does not exist');
  return date;
}

const MAX_DEPTH = 24;
const CONSTRUCTED = 0x20;

/**
 * Whether these octets are valid DER: the problem, or nothing. `SET OF` in order, minimal numbers and lengths, true as
 * 0xff. The content of octet strings is checked by callers who know that it is DER. `count` limits the elements.
 */
export function nonCanonical(bytes: Buffer, count?: ElementCount): string | undefined {
  try {
    return problemWithin(bytes, { from: 0, to: bytes.length, depth: 0, count });
  } catch (error) {
    return error instanceof Error ? error.message : 'it is truncated';
  }
}

interface Within {
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  /** The tag of the element that they are in. */
  readonly inTag?: number;
  readonly count: ElementCount | undefined;
}

/** Of the elements between two places. No copies: it is done for every certificate. */
function problemWithin(bytes: Buffer, { from, to, depth, inTag, count }: Within): string | undefined {
  if (depth > MAX_DEPTH) return 'it is nested too deeply';
  let last = from;
  for (let at = from; at < to;) {
    const bounds = berBounds(bytes, at);
    if (!bounds || bounds.end > to) throw new MalformedBer('An element is truncated');
    const { start, end } = bounds;
    count?.add();
    const tag = bytes[at]!;
    if (bytes[at + 1]! >= 0x80 && (end - start < 0x80 || bytes[at + 2] === 0)) {
      return 'a length is not in its shortest form';
    }
    if (tag === 0x10 || tag === 0x11) return 'a sequence is not constructed';
    const isConstructed = (tag & CONSTRUCTED) !== 0;
    if (isConstructed && tag < 0x40 && tag !== TAG.sequence && tag !== TAG.set) return 'a string is constructed';
    const problem = isConstructed
      ? problemWithin(bytes, { from: start, to: end, depth: depth + 1, inTag: tag, count })
      : problemOfValue(tag, bytes, start, end);
    if (problem) return problem;
    if (inTag === TAG.set && bytes.compare(bytes, last, at, at, end) < 0) return 'a set is out of order';
    last = at;
    at = end;
  }
  return undefined;
}

function problemOfValue(tag: number, bytes: Buffer, start: number, end: number): string | undefined {
  const length = end - start;
  const first = bytes[start]!;
  switch (tag) {
    case TAG.boolean:
      return length === 1 && (first === 0 || first === 0xff) ? undefined : 'a boolean is neither 0 nor ff';
    case TAG.integer:
    case TAG.enumerated: {
      if (length === 0) return 'a number is empty';
      const isLong =
        length > 1 && (first === 0 ? bytes[start + 1]! < 0x80 : first === 0xff && bytes[start + 1]! >= 0x80);
      return isLong ? 'a number is not in its shortest form' : undefined;
    }
    case TAG.bitString: {
      if (length === 0 || first > 7 || (first > 0 && length === 1)) return 'a bit string is malformed';
      return first && (bytes[end - 1]! & ((1 << first) - 1)) !== 0 ? 'spare bits are not zero' : undefined;
    }
    case TAG.null:
      return length ? 'a null is not empty' : undefined;
    default:
      return undefined;
  }
}
