import { texts } from './texts.ts';

/** What is drawn of a certificate: the names, when it is valid, and what identifies it. */
export interface PemCertificate {
  readonly pem: string;
  /** Lower-case hexadecimal, without leading zeros. */
  readonly serialNumber: string;
  readonly subject: string;
  readonly issuer: string;
  readonly notBefore: string;
  readonly notAfter: string;
}

const BLOCK = /-----BEGIN CERTIFICATE-----([\w+/=\s]+)-----END CERTIFICATE-----/g;

/** The certificates of a PEM file, in its order. What is none is left out. */
export const certificatesIn = (text: string): readonly PemCertificate[] =>
  [...text.matchAll(BLOCK)].flatMap(([pem, base64 = '']) => {
    try {
      const der = Uint8Array.from(atob(base64.replaceAll(/\s/g, '')), (character) => character.codePointAt(0) ?? 0);
      return [{ pem: `${pem}\n`, ...factsOf(der) }];
    } catch {
      return [];
    }
  });

/** A value in DER (X.690). */
interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

const VERSION = 0xa0;
const UTC_TIME = 0x17;
const BMP_STRING = 0x1e;

/** RFC 5280, section 4.1: Certificate → TBSCertificate → its first fields. */
function factsOf(der: Uint8Array): Omit<PemCertificate, 'pem'> {
  const [certificate] = elements(der);
  const [body] = inside(certificate);
  const fields = inside(body).filter(({ tag }) => tag !== VERSION);
  const [serial, , issuer, validity, subject] = fields;
  const [notBefore, notAfter] = inside(validity);
  return {
    serialNumber: hexOf(serial),
    issuer: nameOf(issuer),
    subject: nameOf(subject),
    notBefore: timeOf(notBefore),
    notAfter: timeOf(notAfter),
  };
}

function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = byteAt(bytes, at);
    let [length, start] = [byteAt(bytes, at + 1), at + 2];
    if (length > 0x7f) {
      const size = length & 0x7f;
      length = bytes.subarray(start, start + size).reduce((sum, byte) => sum * 256 + byte, 0);
      start += size;
    }
    if (start + length > bytes.length) throw new RangeError(texts.valueEndsEarly);
    found.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return found;
}

const inside = (element: Element | undefined): Element[] => elements(given(element).content);

function given(element: Element | undefined): Element {
  if (!element) throw new RangeError(texts.valueIsMissing);
  return element;
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new RangeError(texts.valueEndsEarly);
  return byte;
}

const hexOf = (element: Element | undefined): string =>
  [...given(element).content]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
    .replace(/^0+(?=.)/, '');

/** The common name, where there is one; else what the name has. */
function nameOf(element: Element | undefined): string {
  const attributes = inside(element).flatMap((set) =>
    inside(set).map((attribute) => {
      const [type, value] = inside(attribute);
      return { type: hexOf(type), text: textOf(given(value)) };
    }),
  );
  const commonName = attributes.find(({ type }) => type === COMMON_NAME);
  return commonName?.text ?? attributes.map(({ text }) => text).join(', ');
}

/** 2.5.4.3 */
const COMMON_NAME = '550403';

const textOf = ({ tag, content }: Element): string =>
  new TextDecoder(tag === BMP_STRING ? 'utf-16be' : 'utf-8').decode(content);

/** `YYMMDDHHMMSSZ`, or with four digits of the year (RFC 5280, section 4.1.2.5). */
function timeOf(element: Element | undefined): string {
  const { tag, content } = given(element);
  const text = textOf({ tag, content });
  const long = tag === UTC_TIME ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text;
  return new Date(long.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z')).toISOString();
}
