import { berBounds, berElements, ElementCount, MalformedBer, type BerElement } from '@coffer/x509/ber';

/**
 * The messages that a directory may send (RFC 4511, section 4), element by element. Everything else is rejected before
 * the library reads it: a message with wrong inner lengths would make it loop forever in this process. The directory is
 * untrusted.
 */

const [INTEGER, OCTETS, ENUMERATED, SEQUENCE, SET] = [0x02, 0x04, 0x0a, 0x30, 0x31];
const [ENTRY, REFERENCE] = [0x64, 0x73];
/** The result of bind, search, modify, add, delete and extended operations (`LDAPResult`). */
const RESULTS = [0x61, 0x65, 0x67, 0x69, 0x6b, 0x78];
const [CONTROLS, REFERRAL, SASL, NAME, VALUE] = [0xa0, 0xa3, 0x87, 0x8a, 0x8b];

/** Elements of one message. The library reads them in one turn, and a value may be of two octets. */
const MAX_ELEMENTS = 10_000;

const malformed = (what: string) => new MalformedBer(`This is not a valid LDAP message: ${what}`);

/**
 * The end of the first message, once its length is known.
 *
 * @throws MalformedBer for an invalid beginning
 */
export function messageBounds(bytes: Buffer): { end: number } | undefined {
  if (bytes.length > 0 && bytes[0] !== SEQUENCE) throw malformed('its form');
  return berBounds(bytes);
}

/**
 * A message of a directory for the library: validated, and without controls, because none were requested.
 *
 * @throws MalformedBer
 */
export function checkMessage(bytes: Buffer): Buffer {
  const count = new ElementCount(MAX_ELEMENTS);
  const [message, ...others] = sequenceOf(bytes, SEQUENCE, count);
  if (!message || others.length > 0) throw malformed('its form');
  const [id, operation, ...controls] = berElements(message.content, count);
  if (!id || !operation || controls.some(({ tag }) => tag !== CONTROLS)) throw malformed('its parts');
  checkNumber(id, INTEGER);
  checkOperation(operation, count);
  if (controls.length === 0) return bytes;
  return Buffer.concat([header(SEQUENCE, id.whole.length + operation.whole.length), id.whole, operation.whole]);
}

function checkOperation({ tag, content }: BerElement, count: ElementCount): void {
  if (tag === ENTRY) return checkEntry(content, count);
  if (tag === REFERENCE) return void sequenceOf(content, OCTETS, count);
  if (!RESULTS.includes(tag)) throw malformed('its operation');
  const [code, matched, message, ...more] = berElements(content, count);
  checkNumber(code, ENUMERATED);
  if (matched?.tag !== OCTETS || message?.tag !== OCTETS) throw malformed('its result');
  if (more.some((element) => ![REFERRAL, SASL, NAME, VALUE].includes(element.tag))) throw malformed('its result');
}

/** A name, and attributes with their values. */
function checkEntry(content: Buffer, count: ElementCount): void {
  const [name, attributes, ...more] = berElements(content, count);
  if (name?.tag !== OCTETS || attributes?.tag !== SEQUENCE || more.length > 0) throw malformed('its entry');
  for (const attribute of sequenceOf(attributes.content, SEQUENCE, count)) {
    const [type, values, ...rest] = berElements(attribute.content, count);
    if (type?.tag !== OCTETS || values?.tag !== SET || rest.length > 0) throw malformed('its attributes');
    sequenceOf(values.content, OCTETS, count);
  }
}

/** Elements of one type. */
function sequenceOf(bytes: Buffer, tag: number, count: ElementCount): BerElement[] {
  const elements = berElements(bytes, count);
  if (elements.some((element) => element.tag !== tag)) throw malformed('its form');
  return elements;
}

function checkNumber(element: BerElement | undefined, tag: number): void {
  const length = element?.content.length ?? 0;
  if (element?.tag !== tag || length < 1 || length > 4) throw malformed('a number');
}

const header = (tag: number, length: number): Buffer =>
  length < 0x80
    ? Buffer.from([tag, length])
    : Buffer.from([tag, 0x84, ...[24, 16, 8, 0].map((bit) => (length >> bit) & 0xff)]);
