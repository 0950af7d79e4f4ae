/** One element of BER (X.690), the encoding of certificates and LDAP. */
export interface BerElement {
  /** The identifier octet: class, form and a tag number below 31. */
  readonly tag: number;
  readonly content: Buffer;
  /** With its tag and length. */
  readonly whole: Buffer;
}

export class MalformedBer extends Error {
  override readonly name = 'MalformedBer';
}

const MULTIPLE_OCTETS = 0x1f;
const MAX_LENGTH_OCTETS = 4;

/**
 * The start and end of the first element's content; `undefined` if its length is incomplete. Lengths must be definite,
 * as in DER and LDAP (RFC 4511, section 5.1).
 */
export function berBounds(bytes: Buffer, at = 0): { start: number; end: number } | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag !== undefined && (tag & MULTIPLE_OCTETS) === MULTIPLE_OCTETS) throw new MalformedBer('A tag is too large');
  if (tag === undefined || first === undefined) return undefined;
  const start = at + 2;
  if (first < 0x80) return { start, end: start + first };
  const octets = first & 0x7f;
  if (octets === 0 || octets > MAX_LENGTH_OCTETS) throw new MalformedBer('A length is indefinite or too long');
  if (start + octets > bytes.length) return undefined;
  return { start: start + octets, end: start + octets + bytes.readUIntBE(start, octets) };
}

/** How many elements may be read of what somebody else has sent: each costs a hundred times as long as its two octets to copy. */
export class ElementCount {
  #left: number;

  constructor(max: number) {
    this.#left = max;
  }

  /** @throws MalformedBer beyond the limit */
  add(): void {
    if (--this.#left < 0) throw new MalformedBer('There are too many elements');
  }
}

/**
 * The elements in these bytes, one after the other.
 *
 * @throws MalformedBer
 */
export function berElements(bytes: Buffer, count?: ElementCount): BerElement[] {
  const elements: BerElement[] = [];
  for (let at = 0; at < bytes.length;) {
    const bounds = berBounds(bytes, at);
    if (!bounds || bounds.end > bytes.length) throw new MalformedBer('An element is truncated');
    const { start, end } = bounds;
    count?.add();
    elements.push({ tag: bytes[at]!, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) });
    at = end;
  }
  return elements;
}

/** Encodes one element: its tag, its length, and the parts of its content. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const octets = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  const made = Buffer.allocUnsafe(2 + octets + length);
  made[0] = tag;
  made[1] = octets ? 0x80 | octets : length;
  if (octets) made.writeUIntBE(length, 2, octets);
  let at = 2 + octets;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}
