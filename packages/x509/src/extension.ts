import { berElements, MalformedBer, type BerElement, type ElementCount } from './ber.ts';
import { readAddress, writeAddress } from './ip-address.ts';
import { ipOctets, ipRange, ipText } from './alt-name.ts';
import {
  EXTENDED_KEY_USAGES,
  KEY_USAGES,
  type AltName,
  type Constraint,
  type ExtendedKeyUsage,
  type KeyUsage,
  type NameConstraints,
} from './content.ts';
import {
  content,
  der,
  element,
  ia5,
  integer,
  nonCanonical,
  octetString,
  oid,
  oidText,
  sequence,
  smallInteger,
  TAG,
  within,
} from './der.ts';

export const EXTENSIONS = {
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  crlNumber: '2.5.29.20',
  reasonCode: '2.5.29.21',
  nameConstraints: '2.5.29.30',
  crlDistributionPoints: '2.5.29.31',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  authorityInfoAccess: '1.3.6.1.5.5.7.1.1',
  ocspNoCheck: '1.3.6.1.5.5.7.48.1.5',
} as const;

const OCSP = '1.3.6.1.5.5.7.48.1';
const CA_ISSUERS = '1.3.6.1.5.5.7.48.2';

// ---- Writing ----

const TRUE = der(TAG.boolean, Buffer.of(0xff));

/** DER of one extension. */
export const extension = (id: string, isCritical: boolean, value: Uint8Array): Buffer =>
  isCritical ? sequence(oid(id), TRUE, octetString(value)) : sequence(oid(id), octetString(value));

export function basicConstraints(ca: { readonly pathLength?: number | undefined } | undefined): Buffer {
  if (!ca) return sequence();
  return ca.pathLength === undefined ? sequence(TRUE) : sequence(TRUE, integer(ca.pathLength));
}

/** A named bit list: no zero bits at its end (X.690, section 11.2.2). */
export function keyUsage(usages: readonly KeyUsage[]): Buffer {
  const positions = usages.map((usage) => KEY_USAGES.indexOf(usage));
  const last = Math.max(...positions);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const position of positions) bytes[position >> 3]! |= 0x80 >> (position & 7);
  return der(TAG.bitString, Buffer.of(7 - (last & 7)), bytes);
}

export const extendedKeyUsage = (usages: readonly ExtendedKeyUsage[]): Buffer =>
  sequence(...usages.map((usage) => oid(EXTENDED_KEY_USAGES[usage])));

const generalName = ({ type, value }: AltName): Buffer =>
  der(GENERAL_NAME[type], type === 'ip' ? ipOctets(value) : ia5(value));

export const subjectAltName = (names: readonly AltName[]): Buffer => sequence(...names.map(generalName));

export const subjectKeyIdentifier = (keyId: Uint8Array): Buffer => octetString(keyId);

export const authorityKeyIdentifier = (keyId: Uint8Array): Buffer => sequence(der(0x80, keyId));

const uri = (value: string) => generalName({ type: 'uri', value });

/** One distribution point: each URL is an alternative address of the same list. */
export const crlDistributionPoints = (urls: readonly string[]): Buffer =>
  sequence(sequence(der(0xa0, der(0xa0, ...urls.map(uri)))));

export function authorityInfoAccess(ocspUrls: readonly string[], issuerUrls: readonly string[]): Buffer {
  const access = (method: string) => (url: string) => sequence(oid(method), uri(url));
  return sequence(...ocspUrls.map(access(OCSP)), ...issuerUrls.map(access(CA_ISSUERS)));
}

export function nameConstraints({ permitted = [], excluded = [] }: NameConstraints): Buffer {
  const subtrees = (tag: number, constraints: readonly Constraint[]) =>
    constraints.length === 0 ? [] : [der(tag, ...constraints.map((one) => sequence(constraintBase(one))))];
  return sequence(...subtrees(0xa0, permitted), ...subtrees(0xa1, excluded));
}

const constraintBase = ({ type, value }: Constraint) =>
  type === 'ip' ? der(GENERAL_NAME.ip, ipRange(value)) : der(GENERAL_NAME[type], ia5(value));

export const ocspNoCheck = (): Buffer => der(TAG.null);

export const crlNumber = (number: bigint): Buffer => integer(number);

// ---- Reading ----

export const GENERAL_NAME = { email: 0x81, dns: 0x82, directory: 0xa4, uri: 0x86, ip: 0x87 } as const;
const NAME_OF_TAG = new Map<number, AltName['type']>([
  [GENERAL_NAME.dns, 'dns'],
  [GENERAL_NAME.email, 'email'],
  [GENERAL_NAME.uri, 'uri'],
  [GENERAL_NAME.ip, 'ip'],
]);

export interface ReadExtension {
  readonly id: string;
  readonly critical: boolean;
  /** `critical` is encoded although it has the default value. */
  readonly hasDefault: boolean;
  readonly value: Buffer;
}

/** The elements of `Extensions`. @throws MalformedBer */
export function readExtensions(extensions: Buffer): ReadExtension[] {
  const elements = within(extensions, TAG.sequence);
  if (elements.length === 0) throw new MalformedBer('A list of extensions is empty');
  return elements.map(({ whole }) => {
    const [id, ...rest] = within(whole, TAG.sequence);
    const truth = rest.length === 2 ? content(rest[0], TAG.boolean) : undefined;
    if (rest.length > 2 || (truth && truth.length !== 1)) throw new MalformedBer('An extension is malformed');
    const critical = truth !== undefined && truth[0] !== 0;
    return {
      id: oidText(id),
      critical,
      hasDefault: truth !== undefined && !critical,
      value: content(rest.at(-1), TAG.octetString),
    };
  });
}

export interface ReadGeneralName {
  /** `undefined`: a kind that we have no word for. */
  readonly type: AltName['type'] | undefined;
  /** The octets' text; an IP address that has neither four nor sixteen octets, and an unknown kind, have none. */
  readonly value: string;
  readonly element: BerElement;
}

export function readGeneralName(of: BerElement): ReadGeneralName {
  const type = NAME_OF_TAG.get(of.tag);
  if (type === 'ip') {
    const address = [4, 16].includes(of.content.length) ? readAddress(ipText(of.content)) : undefined;
    return { type, value: address ? writeAddress(address) : '', element: of };
  }
  return { type, value: type ? of.content.toString('latin1') : '', element: of };
}

export interface Extensions {
  readonly list: readonly ReadExtension[];
  readonly basicConstraints?: {
    readonly isCa: boolean;
    readonly pathLength: number | undefined;
    readonly hasDefault: boolean;
  };
  readonly keyUsages?: readonly KeyUsage[];
  /** The encoded bits, with the octet of unused bits. */
  readonly keyUsageBits?: Buffer;
  /** OIDs. */
  readonly extendedKeyUsages?: readonly string[];
  readonly altNames?: readonly ReadGeneralName[];
  readonly subjectKeyId?: Buffer;
  readonly authorityKeyId?: {
    readonly keyId: Buffer | undefined;
    /** The issuer's name and serial number come together or not at all. */
    readonly hasName: boolean;
    readonly hasSerial: boolean;
  };
  readonly nameConstraints?: { readonly permitted: readonly Subtree[]; readonly excluded: readonly Subtree[] };
  readonly crlPoints?: readonly ReadGeneralName[];
  readonly hasOcspNoCheck?: boolean;
  readonly access?: readonly { readonly method: string; readonly location: ReadGeneralName }[];
  /** OIDs of known extensions with an invalid value, with the reason. */
  readonly malformed: ReadonlyMap<string, string>;
}

export interface Subtree {
  readonly base: BerElement;
  /** `minimum` or `maximum` is present: RFC 5280 allows neither. */
  readonly hasDistance: boolean;
}

type Values = Omit<Extensions, 'list' | 'malformed'>;

const READERS: Record<string, (value: Buffer) => Values> = {
  [EXTENSIONS.basicConstraints]: (value) => {
    const parts = within(value, TAG.sequence);
    const truth = parts[0]?.tag === TAG.boolean ? content(parts.shift(), TAG.boolean) : undefined;
    const pathLength = parts.length ? smallInteger(parts.shift()) : undefined;
    if (parts.length) throw new MalformedBer('It has more than two parts');
    const isCa = truth !== undefined && truth[0] !== 0;
    return { basicConstraints: { isCa, pathLength, hasDefault: truth !== undefined && !isCa } };
  },
  [EXTENSIONS.keyUsage]: (value) => {
    const keyUsageBits = content(element(value), TAG.bitString);
    if (keyUsageBits.length < 1 || keyUsageBits.length > 3) throw new MalformedBer('It has no bits, or more than nine');
    const isSet = (position: number) => ((keyUsageBits[1 + (position >> 3)] ?? 0) & (0x80 >> (position & 7))) !== 0;
    if ((keyUsageBits[2] ?? 0) & 0x7f) throw new MalformedBer('It has bits without a meaning');
    return { keyUsageBits, keyUsages: KEY_USAGES.filter((_, position) => isSet(position)) };
  },
  [EXTENSIONS.extendedKeyUsage]: (value) => ({ extendedKeyUsages: within(value, TAG.sequence).map(oidText) }),
  [EXTENSIONS.subjectAltName]: (value) => ({ altNames: within(value, TAG.sequence).map(readGeneralName) }),
  [EXTENSIONS.subjectKeyIdentifier]: (value) => ({ subjectKeyId: content(element(value), TAG.octetString) }),
  [EXTENSIONS.authorityKeyIdentifier]: (value) => {
    const parts = new Map(within(value, TAG.sequence).map((part) => [part.tag, part.content]));
    return { authorityKeyId: { keyId: parts.get(0x80), hasName: parts.has(0xa1), hasSerial: parts.has(0x82) } };
  },
  [EXTENSIONS.nameConstraints]: (value) => {
    const parts = within(value, TAG.sequence);
    const subtrees = (tag: number) =>
      parts
        .filter((part) => part.tag === tag)
        .flatMap((part) => berElements(part.content))
        .map(({ whole }) => {
          const [base, ...distance] = within(whole, TAG.sequence);
          if (!base) throw new MalformedBer('A subtree has no base');
          return { base, hasDistance: distance.length > 0 };
        });
    if (parts.some(({ tag }) => tag !== 0xa0 && tag !== 0xa1)) throw new MalformedBer('It has unknown parts');
    return { nameConstraints: { permitted: subtrees(0xa0), excluded: subtrees(0xa1) } };
  },
  [EXTENSIONS.crlDistributionPoints]: (value) => ({
    crlPoints: within(value, TAG.sequence).flatMap(({ whole }) => {
      const point = within(whole, TAG.sequence).find(({ tag }) => tag === 0xa0);
      const full = point && berElements(point.content).find(({ tag }) => tag === 0xa0);
      return full ? berElements(full.content).map(readGeneralName) : [];
    }),
  }),
  [EXTENSIONS.ocspNoCheck]: (value) => {
    if (content(element(value), TAG.null).length > 0) throw new MalformedBer('It is not NULL');
    return { hasOcspNoCheck: true };
  },
  [EXTENSIONS.authorityInfoAccess]: (value) => ({
    access: within(value, TAG.sequence).map(({ whole }) => {
      const [method, location] = within(whole, TAG.sequence);
      if (!location) throw new MalformedBer('An access has no location');
      return { method: oidText(method), location: readGeneralName(location) };
    }),
  }),
};

export const isKnownExtension = (id: string): boolean => id in READERS;

/** Parses the extensions. Malformed ones are noted, also those with which there are too many elements, and the others are parsed. */
export function understand(list: readonly ReadExtension[], count?: ElementCount): Extensions {
  const malformed = new Map<string, string>();
  const values: Values = {};
  for (const { id, value } of list) {
    const read = READERS[id];
    if (!read) continue;
    try {
      const problem = nonCanonical(value, count);
      if (problem) throw new MalformedBer(problem);
      Object.assign(values, read(value));
    } catch (error) {
      malformed.set(id, error instanceof Error ? error.message : 'it cannot be read');
    }
  }
  return { ...values, list, malformed };
}

export const urlsOf = (names: readonly ReadGeneralName[] | undefined): string[] =>
  (names ?? []).filter(({ type }) => type === 'uri').map(({ value }) => value);

export const ocspUrlsOf = ({ access }: Extensions): string[] =>
  urlsOf(access?.filter(({ method }) => method === OCSP).map(({ location }) => location));
export const issuerUrlsOf = ({ access }: Extensions): string[] =>
  urlsOf(access?.filter(({ method }) => method === CA_ISSUERS).map(({ location }) => location));

const USAGE_OF_OID = new Map(
  (Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[]).map((usage) => [
    EXTENDED_KEY_USAGES[usage] as string,
    usage,
  ]),
);

/** Extended key usages that have a name here, and the OIDs of the others. */
export function namedUsages(oids: readonly string[]): { named: ExtendedKeyUsage[]; others: string[] } {
  const named = oids.flatMap((id) => USAGE_OF_OID.get(id) ?? []);
  return { named, others: oids.filter((id) => !USAGE_OF_OID.has(id)) };
}

/** Alternative names of the kinds that have a word here. */
export const altNamesOf = ({ altNames = [] }: Extensions): AltName[] =>
  altNames.flatMap(({ type, value }) => (type ? [{ type, value }] : []));
