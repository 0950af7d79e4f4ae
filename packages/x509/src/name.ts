import { X509Error } from './error.ts';
import { TextDecoder } from 'node:util';
import { MalformedBer, type BerElement } from './ber.ts';
import type { Subject } from './content.ts';
import { der, ia5, nonCanonical, oid, oidText, sequence, TAG, within } from './der.ts';

/** A parsed name. */
export interface DecodedName extends Subject {
  /** OIDs of attributes that `Subject` does not have, including repeated ones. Empty for Coffer's names. */
  readonly other: readonly string[];
}

type Field = Exclude<keyof Subject, 'domainComponents'>;

/** The same by the names that callers use, where a province is a state. */
export interface NamedSubject {
  readonly commonName?: string | undefined;
  readonly organization?: string | undefined;
  readonly organizationalUnit?: string | undefined;
  readonly country?: string | undefined;
  readonly state?: string | undefined;
  readonly locality?: string | undefined;
}

/** Empty values become absent. */
export const subjectNamed = (named: NamedSubject): Subject => ({
  commonName: named.commonName || undefined,
  organization: named.organization || undefined,
  organizationalUnit: named.organizationalUnit || undefined,
  country: named.country || undefined,
  province: named.state || undefined,
  locality: named.locality || undefined,
});

/** Upper bounds in characters: RFC 5280, appendix A.1. */
const FIELDS: Record<Field, { oid: string; short: string; limit: number }> = {
  country: { oid: '2.5.4.6', short: 'C', limit: 2 },
  province: { oid: '2.5.4.8', short: 'ST', limit: 128 },
  locality: { oid: '2.5.4.7', short: 'L', limit: 128 },
  organization: { oid: '2.5.4.10', short: 'O', limit: 64 },
  organizationalUnit: { oid: '2.5.4.11', short: 'OU', limit: 64 },
  commonName: { oid: '2.5.4.3', short: 'CN', limit: 64 },
};
const ORDER = Object.keys(FIELDS) as Field[];
const DOMAIN_COMPONENT = '0.9.2342.19200300.100.1.25';
const fieldOf = new Map(ORDER.map((field) => [FIELDS[field].oid, field]));
const MAX_COMPONENTS = 32;

/**
 * DER of a name: domain components first (for `['example', 'com']`, `com` is the first), then country, province,
 * locality, organization, unit and common name. The country is a PrintableString, domain components are IA5Strings,
 * everything else is UTF-8.
 *
 * @throws X509Error `subject.<rule>`
 */
export function encodeName(subject: Subject): Buffer {
  checkSubject(subject);
  const components = (subject.domainComponents ?? [])
    .toReversed()
    .map((label) => attribute(DOMAIN_COMPONENT, TAG.ia5String, ia5(label)));
  const fields = ORDER.flatMap((field) => {
    const text = subject[field];
    if (!text) return [];
    const isCountry = field === 'country';
    const octets = isCountry ? ia5(text) : Buffer.from(text, 'utf8');
    return [attribute(FIELDS[field].oid, isCountry ? TAG.printableString : TAG.utf8String, octets)];
  });
  return sequence(...components, ...fields);
}

/** A RelativeDistinguishedName with one attribute. */
const attribute = (type: string, tag: number, text: Uint8Array): Buffer =>
  der(TAG.set, sequence(oid(type), der(tag, text)));

/** Control characters, line ends, and bidirectional overrides (such as U+202E). */
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** @throws X509Error `subject.<rule>` for a name that no certificate can have */
export function checkSubject(subject: Subject): void {
  if (subject.country && !/^[A-Za-z]{2}$/.test(subject.country)) {
    throw new X509Error('subject.country', 'The country of a subject must have two letters (ISO 3166)', {
      field: 'country',
    });
  }
  for (const field of ORDER) {
    const text = subject[field];
    if (!text) continue;
    if (UNSHOWN.test(text) || !text.isWellFormed()) {
      throw new X509Error('subject.characters', `The subject's ${field} has characters that are not allowed`, {
        field,
      });
    }
    const { limit } = FIELDS[field];
    if (lengthOf(text) > limit) {
      throw new X509Error('subject.too_long', `The subject's ${field} is longer than ${limit} characters (RFC 5280)`, {
        field,
      });
    }
  }
  const components = subject.domainComponents ?? [];
  if (components.length > MAX_COMPONENTS || !components.every((label) => /^[!-~]{1,63}$/.test(label))) {
    throw new X509Error(
      'subject.domain_component',
      `Domain components can be up to ${MAX_COMPONENTS} labels of up to 63 ASCII characters`,
      { field: 'domainComponents' },
    );
  }
}

/** In characters, as ASN.1 counts, not in UTF-16 code units. */
export const lengthOf = (text: string): number => text.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, '_').length;

/** @throws X509Error `name.malformed` */
export function decodeName(name: Uint8Array): DecodedName {
  try {
    return readName(Buffer.from(name));
  } catch (error) {
    if (!(error instanceof MalformedBer)) throw error;
    throw new X509Error('name.malformed', `It is not a distinguished name: ${error.message}`);
  }
}

/** @throws MalformedBer */
export function readName(name: Buffer): DecodedName {
  if (nonCanonical(name)) throw new MalformedBer(nonCanonical(name));
  const found: { -readonly [K in Field]?: string } = {};
  const components: string[] = [];
  const other: string[] = [];
  for (const { type, value } of attributesOf(name)) {
    const field = fieldOf.get(type);
    const text = textOf(value);
    if (type === DOMAIN_COMPONENT && text !== undefined) components.unshift(text);
    else if (field && found[field] === undefined && text) found[field] = text;
    else other.push(type);
  }
  return { ...found, ...(components.length > 0 && { domainComponents: components }), other };
}

export interface Attribute {
  readonly type: string;
  readonly value: BerElement;
}

/** All attributes of a name, in its order. @throws MalformedBer */
export function attributesOf(name: Buffer): Attribute[] {
  return within(name, TAG.sequence).flatMap((set) => {
    const attributes = within(set.whole, TAG.set);
    if (attributes.length === 0) throw new MalformedBer('A part of a name is empty');
    return attributes.map(({ whole }) => {
      const [type, value, ...more] = within(whole, TAG.sequence);
      if (!value || more.length) throw new MalformedBer('An attribute is not a type and a value');
      return { type: oidText(type), value };
    });
  });
}

// A byte order mark is a character of the name: without it, two names would be read as the same.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const utf16 = new TextDecoder('utf-16be', { fatal: true, ignoreBOM: true });
export const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/**
 * The text of a string of any type of X.520; `undefined` for everything else.
 *
 * @throws MalformedBer
 */
export function textOf({ tag, content }: BerElement): string | undefined {
  switch (tag) {
    case TAG.utf8String:
      return decoded(utf8, content);
    case TAG.printableString:
    case TAG.ia5String: {
      const text = content.toString('latin1');
      // Some issuers put @ or * into a PrintableString: it is accepted here, and reported by the linter.
      if (!/^\p{ASCII}*$/u.test(text)) throw new MalformedBer('A string has characters that are not of its kind');
      return text;
    }
    case TAG.teletexString:
      return content.toString('latin1');
    case TAG.bmpString:
      return decoded(utf16, content);
    default:
      return undefined;
  }
}

function decoded(decoder: TextDecoder, content: Buffer): string {
  try {
    return decoder.decode(content);
  } catch {
    throw new MalformedBer('A string is not in its declared encoding');
  }
}

/** As RFC 4514 writes it, the most specific part first: `CN=a,O=b,C=DE`. Empty for an empty name. */
export function nameText(subject: Subject): string {
  const parts = ORDER.toReversed().flatMap((field) => {
    const text = subject[field];
    return text ? [`${FIELDS[field].short}=${escaped(text)}`] : [];
  });
  return [...parts, ...(subject.domainComponents ?? []).map((label) => `DC=${escaped(label)}`)].join(',');
}

/** RFC 4514, section 2.4. */
const escaped = (text: string) =>
  text
    .replaceAll(/["+,;<>\\]/g, '\\$&')
    .replaceAll(/^[ #]| $/g, '\\$&')
    .replaceAll('\0', String.raw`\00`);
