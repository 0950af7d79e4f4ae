import { domainToASCII, domainToUnicode } from 'node:url';
import { X509Error } from './error.ts';
import { readAddress, writeAddress } from './ip-address.ts';
import type { AltName, Constraint, Subject } from './content.ts';

export const MAX_DOMAIN = 253;
export const MAX_EMAIL = 254;
const MAX_LOCAL_PART = 64;
export const MAX_URI = 2048;

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** RFC 5322's dot-atom: quoted parts have no place in certificates. */
const LOCAL_PART = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;
/** RFC 3986: the permitted characters of a URI, including escapes. */
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;

/**
 * Parses names separated by commas, each by its form: an IP address, an e-mail address, a URI, otherwise a DNS name.
 * Without duplicates.
 *
 * @throws X509Error `alt_name.<kind>`
 */
export function parseAltNames(text: string): AltName[] {
  const names = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseAltName);
  return [...new Map(names.map((name) => [`${name.type}:${name.value}`, name])).values()];
}

/**
 * One name, including commas.
 *
 * @throws X509Error `alt_name.<kind>`
 */
export const parseAltName = (text: string): AltName => readAltName(kindOf(text), text);

function kindOf(text: string): AltName['type'] {
  if (readAddress(text)) return 'ip';
  if (text.includes('://') || /^urn:/i.test(text)) return 'uri';
  return text.includes('@') ? 'email' : 'dns';
}

/**
 * The name as certificates have it: DNS names in lower-case A-labels without a final dot, IP addresses as RFC 5952 writes
 * them, an e-mail address with its domain in lower case, a URI in its normal form.
 * @throws X509Error `alt_name.dns`, `.wildcard`, `.ip`, `.email`, `.uri`
 */
export function readAltName(type: AltName['type'], value: string): AltName {
  switch (type) {
    case 'dns':
      return { type, value: readDnsName(value) };
    case 'ip': {
      const address = readAddress(value.trim());
      if (!address) throw refused('ip', value, 'it is not an IPv4 or IPv6 address');
      return { type, value: writeAddress(address) };
    }
    case 'email':
      return { type, value: readEmail(value.trim()) };
    case 'uri':
      return { type, value: readUri(value.trim()) };
  }
}

/** Whether a DNS name is a wildcard for one label. */
export const isWildcard = (name: string): boolean => name.startsWith('*.');

function readDnsName(value: string): string {
  const name = value.trim().replace(/\.$/, '');
  const domain = readDomain(isWildcard(name) ? name.slice(2) : name);
  if (domain === undefined) {
    if (name.includes('*')) {
      throw refused('wildcard', value, 'a wildcard must be the whole first label of a name, as in *.example.com');
    }
    throw refused(
      'dns',
      value,
      'names are labels of up to 63 letters, digits and inner hyphens, 253 characters in all',
    );
  }
  const whole = isWildcard(name) ? `*.${domain}` : domain;
  if (whole.length > MAX_DOMAIN) throw refused('dns', value, `it is longer than ${MAX_DOMAIN} characters`);
  return whole;
}

/**
 * A host name in the preferred syntax (RFC 1034, section 3.5; RFC 5280, section 4.2.1.6), so without underscores;
 * non-ASCII becomes A-labels. `undefined` if it is invalid, or looks like an IPv4 address.
 */
function readDomain(text: string): string | undefined {
  // Characters that URLs permit and names do not (escapes, ports, other dots) never reach the converter.
  if (!/^[A-Za-z0-9.\-\P{ASCII}]+$/u.test(text) || text.length > MAX_DOMAIN) return undefined;
  const ascii = /^\p{ASCII}+$/u.test(text) ? text.toLowerCase() : domainToASCII(text);
  if (ascii.length > MAX_DOMAIN || ascii === '') return undefined;
  const labels = ascii.split('.');
  if (!labels.every((label) => LABEL.test(label) && (!label.startsWith('xn--') || isALabel(label)))) return undefined;
  return isNumberLabel(labels.at(-1)!) ? undefined : ascii;
}

/**
 * Clients distinguish addresses from names by the last label (https://url.spec.whatwg.org/#ends-in-a-number-checker).
 */
export const isNumberLabel = (label: string): boolean => /^(?:\d+|0x[\da-f]*)$/i.test(label);

const isALabel = (label: string) => {
  const unicode = domainToUnicode(label);
  return unicode !== '' && unicode !== label && domainToASCII(unicode) === label;
};

/** Whether it is such a name in canonical form. */
export const isDnsName = (text: string): boolean =>
  readDomain(text.startsWith('*.') ? text.slice(2) : text) === (text.startsWith('*.') ? text.slice(2) : text) &&
  text.length <= MAX_DOMAIN;

function readEmail(value: string): string {
  const at = value.lastIndexOf('@');
  const local = value.slice(0, Math.max(at, 0));
  const domain = at > 0 ? readDomain(value.slice(at + 1)) : undefined;
  const whole = `${local}@${domain}`;
  if (domain === undefined || local.length > MAX_LOCAL_PART || !LOCAL_PART.test(local) || whole.length > MAX_EMAIL) {
    throw refused('email', value, 'it is not an address of ASCII characters at a domain');
  }
  return whole;
}

function readUri(value: string): string {
  if (value.length > MAX_URI) throw refused('uri', value, `it is longer than ${MAX_URI} characters`);
  const after = value.slice(SCHEME.exec(value)?.[0].length ?? 0);
  if (!URI.test(value)) throw refused('uri', value, 'it is not an absolute URI of ASCII characters (RFC 3986)');
  if (after.startsWith('//') && uriHost(value) === undefined) {
    throw refused('uri', value, 'its host is neither a domain name nor an IP address');
  }
  return normalUri(value);
}

const UNRESERVED = /^[A-Za-z0-9\-._~]$/;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Equivalent URIs in one form (RFC 3986, sections 6.2.2 and 6.2.3): rules compare texts, and clients compare what these
 * mean. The empty parts and the default port of an authority are left out; the name of a namespace is in lower case (RFC 8141).
 */
function normalUri(uri: string): string {
  const end = uri.indexOf(':');
  const name = uri.slice(0, end).toLowerCase();
  const after = uri.slice(end + 1);
  const [written, authority] = /^\/\/([^/?#]*)/.exec(after) ?? [''];
  const [path = ''] = /^[^?#]*/.exec(after.slice(written.length)) ?? [];
  const rest = unescaped(after.slice(written.length + path.length));
  if (authority === undefined) {
    const [namespace = '', ...more] = name === 'urn' ? path.split(':') : [];
    return `${name}:${name === 'urn' ? [namespace.toLowerCase(), ...more].join(':') : unescaped(path)}${rest}`;
  }
  return `${name}://${normalAuthority(name, authority, uriHost(uri)!)}${withoutDots(unescaped(path))}${rest}`;
}

function normalAuthority(scheme: string, authority: string, address: string): string {
  const at = authority.indexOf('@');
  const place = authority.slice(at + 1);
  const [suffix, port = ''] = /:(\d*)$/.exec(place) ?? [''];
  const host = place.slice(0, place.length - suffix.length);
  const shownHost = host.startsWith('[') ? `[${address}]` : host.toLowerCase();
  const shownPort = port === '' || port === DEFAULT_PORTS[scheme] ? '' : `:${port}`;
  return `${at > 0 ? `${unescaped(authority.slice(0, at))}@` : ''}${shownHost}${shownPort}`;
}

/** Without escapes of what needs none; others in upper case. */
const unescaped = (text: string): string =>
  text.replaceAll(/%[0-9A-Fa-f]{2}/g, (escape) => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16));
    return UNRESERVED.test(character) ? character : escape.toUpperCase();
  });

/** RFC 3986, section 5.2.4. */
function withoutDots(path: string): string {
  const segments = path.split('/');
  const kept: string[] = [];
  for (const segment of segments) {
    if (segment === '..' && kept.length > 1) kept.pop();
    else if (segment !== '.' && segment !== '..') kept.push(segment);
  }
  const isDirectory = /^\.{1,2}$/.test(segments.at(-1)!);
  return isDirectory ? `${kept.join('/')}/` : kept.join('/');
}

/** The host in a URI's authority (RFC 5280, section 4.2.1.6), in lower case; `undefined` if there is none. */
export function uriHost(uri: string): string | undefined {
  const [, authority = ''] = /^[^:]+:\/\/([^/?#]*)/.exec(uri) ?? [];
  const [, host = '', port] = /^(?:[^@]*@)?(\[[^\]]*\]|[^:@]*)(?::(\d{0,5}))?$/.exec(authority) ?? [];
  if (port !== undefined && Number(port) > 65_535) return undefined;
  const address = readAddress(host.replace(/^\[(.*)\]$/, '$1'));
  if (address) return writeAddress(address);
  return readDomain(host);
}

/** The legacy published form: comma separated. */
export const altNamesText = (names: readonly AltName[]): string => names.map(({ value }) => value).join(', ');

/** Whether a common name is also one of the alternative names, as RFC 6125 and browsers require of servers. */
export const isAmong = ({ commonName }: Subject, names: readonly AltName[]): boolean => {
  const wanted = commonName?.toLowerCase().replace(/\.$/, '');
  if (wanted === undefined) return false;
  const address = readAddress(wanted);
  const text = address ? writeAddress(address) : /^\p{ASCII}*$/u.test(wanted) ? wanted : domainToASCII(wanted);
  return names.some(({ value }) => value.toLowerCase() === text);
};

/**
 * A name constraint as certificates have it: a domain, for URIs and e-mail also with a leading dot; a range of addresses.
 * @throws X509Error `name_constraint.<kind>`
 */
export function readConstraint(type: Constraint['type'], value: string): Constraint {
  const text = value.trim();
  if (type === 'ip') {
    const [, ip = '', digits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(text) ?? [];
    const address = readAddress(ip);
    const prefix = Number(digits);
    if (!address || digits === '' || prefix > (address.kind() === 'ipv4' ? 32 : 128)) {
      throw new X509Error('name_constraint.ip', `"${shortened(value)}" is not a range of addresses such as 10.0.0.0/8`);
    }
    const bytes = address.toByteArray().map((octet, i) => octet & mask(prefix, i));
    return { type, value: `${writeAddress(readAddress(ipText(bytes))!)}/${prefix}` };
  }
  if (type === 'email' && text.includes('@')) {
    try {
      return { type, value: readEmail(text) };
    } catch {
      throw new X509Error('name_constraint.email', `"${shortened(value)}" is neither an e-mail address nor a domain`);
    }
  }
  const dotted = text.startsWith('.');
  const domain = readDomain(dotted ? text.slice(1) : text);
  if (domain === undefined) {
    throw new X509Error(`name_constraint.${type}`, `"${shortened(value)}" is not a domain such as example.com`);
  }
  // DNS name constraints occur with and without a leading dot; RFC 5280 has the form without.
  return { type, value: dotted && type !== 'dns' ? `.${domain}` : domain };
}

const mask = (prefix: number, octet: number) => 0xff & (0xff00 >> Math.min(8, Math.max(0, prefix - octet * 8)));

/** Four or sixteen octets as an address; `undefined` for any other number of them. */
export function ipText(octets: ArrayLike<number>): string {
  const bytes = Array.from(octets);
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: bytes.length / 2 }, (_, i) =>
    ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16),
  );
  return groups.join(':');
}

/** The four or sixteen octets of an address. @throws X509Error `alt_name.ip` */
export function ipOctets(value: string): Uint8Array {
  const address = readAddress(value);
  if (!address) throw refused('ip', value, 'it is not an IPv4 or IPv6 address');
  return Uint8Array.from(address.toByteArray());
}

/** A range as RFC 5280 has it: the address, and a mask of the same length. */
export function ipRange(value: string): Buffer {
  const [ip = '', prefix = ''] = value.split('/');
  const bytes = readAddress(ip)!.toByteArray();
  return Buffer.from([...bytes, ...bytes.map((_, i) => mask(Number(prefix), i))]);
}

const shortened = (text: string) => text.trim().slice(0, 100);
const refused = (rule: string, value: string, reason: string) =>
  new X509Error(`alt_name.${rule}`, `"${shortened(value)}" cannot be in a certificate: ${reason}`);
