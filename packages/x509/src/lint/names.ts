import { ipText, isDnsName, readAltName, uriHost } from '../alt-name.ts';
import { EXTENDED_KEY_USAGES, type AltName } from '../content.ts';
import { readAddress, writeAddress } from '../ip-address.ts';
import { GENERAL_NAME, EXTENSIONS, type ReadGeneralName, type Subtree } from '../extension.ts';
import type { Linted } from './linted.ts';
import { when, type LintRule } from './rule.ts';

const COMMON_NAME = '2.5.4.3';
const ofType = ({ known }: Linted, type: AltName['type']) =>
  (known.altNames ?? []).filter((name) => name.type === type);
const extensionOf = ({ extensions }: Linted, id: string) => extensions.find((one) => one.id === id);
const shown = ({ value }: ReadGeneralName) => `"${value.slice(0, 100)}"`;

/** Its names: alternative names, and the common name. */
export const nameRules: readonly LintRule[] = [
  {
    id: 'rfc5280.alt_names_empty',
    source: 'RFC 5280, 4.2.1.6',
    check: ({ known }) => when(known.altNames?.length === 0, 'The list of alternative names is empty'),
  },
  {
    id: 'rfc5280.nameless',
    source: 'RFC 5280, 4.1.2.6',
    check: ({ subject, known }) =>
      when(subject?.length === 0 && !known.altNames?.length, 'It has neither a subject nor alternative names'),
  },
  {
    id: 'rfc5280.alt_names_critical',
    source: 'RFC 5280, 4.1.2.6',
    check: (one) =>
      when(
        one.subject?.length === 0 && extensionOf(one, EXTENSIONS.subjectAltName)?.critical === false,
        'The alternative names are critical where there is no subject',
      ),
  },
  {
    id: 'rfc5280.alt_name_kind',
    source: 'RFC 5280, 4.2.1.6',
    check: ({ known }) =>
      when(
        known.altNames?.some(({ type }) => type === undefined),
        'It has an alternative name that is neither DNS name nor IP address, e-mail address or URI',
      ),
  },
  {
    id: 'rfc5280.alt_name_ascii',
    source: 'RFC 5280, 4.2.1.6 (IA5String)',
    check: ({ known }) => {
      const wrong = known.altNames?.find(({ type, value }) => type !== undefined && !/^[\x21-\x7e]*$/.test(value));
      return wrong && `The alternative name ${shown(wrong)} has spaces or characters that are not ASCII`;
    },
  },
  {
    id: 'rfc5280.dns_name',
    source: 'RFC 5280, 4.2.1.6; RFC 1034, 3.5; RFC 5890, 2.3.2.1',
    check: (one) => {
      const wrong = ofType(one, 'dns').find(({ value }) => !value.includes('*') && !isDnsName(value.toLowerCase()));
      return wrong && `${shown(wrong)} is no DNS name`;
    },
  },
  {
    id: 'rfc6125.wildcard',
    source: 'RFC 6125, 6.4.3',
    check: (one) => {
      const wrong = ofType(one, 'dns').find(({ value }) => value.includes('*') && !isDnsName(value.toLowerCase()));
      return wrong && `The wildcard of ${shown(wrong)} is not the whole first label of a name`;
    },
  },
  {
    id: 'rfc5280.ip_address',
    source: 'RFC 5280, 4.2.1.6',
    check: (one) =>
      when(
        ofType(one, 'ip').some(({ value }) => value === ''),
        'An IP address must have 4 or 16 octets',
      ),
  },
  {
    id: 'rfc5280.email',
    source: 'RFC 5280, 4.2.1.6; RFC 5321, 4.1.2',
    check: (one) => {
      const wrong = ofType(one, 'email').find(({ value }) => !isValid('email', value));
      return wrong && `${shown(wrong)} is no e-mail address`;
    },
  },
  {
    id: 'rfc5280.uri',
    source: 'RFC 5280, 4.2.1.6; RFC 3986, 4.3',
    check: (one) => {
      const wrong = ofType(one, 'uri').find(({ value }) => !isValid('uri', value));
      return wrong && `${shown(wrong)} is no absolute URI of a host`;
    },
  },
  {
    id: 'rfc6125.common_name',
    source: 'RFC 6125, 6.4.4; CA/Browser Forum, Baseline Requirements, 7.1.4.3',
    check: (one) => {
      const { known, subject } = one;
      if (!known.extendedKeyUsages?.includes(EXTENDED_KEY_USAGES.serverAuth) || one.isCa) return undefined;
      const names = [...ofType(one, 'dns'), ...ofType(one, 'ip')].map(({ value }) => value.toLowerCase());
      const commonName = subject?.find(({ type }) => type === COMMON_NAME)?.text?.toLowerCase();
      if (commonName === undefined || names.length === 0) return undefined;
      const address = readAddress(commonName);
      const isAmong = names.includes(address ? writeAddress(address) : commonName);
      return when(!isAmong, 'The common name of a server is not among its alternative names');
    },
  },
  {
    id: 'rfc6125.server_name',
    source: 'RFC 6125, 6.4.4; RFC 9525, 2',
    severity: 'warning',
    check: (one) =>
      when(
        !one.isCa &&
          one.known.extendedKeyUsages?.includes(EXTENDED_KEY_USAGES.serverAuth) &&
          one.known.altNames === undefined,
        'A server without alternative names is not accepted by current clients',
      ),
  },
  {
    id: 'rfc5280.name_constraints_ca',
    source: 'RFC 5280, 4.2.1.10',
    check: ({ known, isCa }) => when(known.nameConstraints && !isCa, 'Name constraints are only for CA certificates'),
  },
  {
    id: 'rfc5280.name_constraints_critical',
    source: 'RFC 5280, 4.2.1.10',
    check: (one) =>
      when(extensionOf(one, EXTENSIONS.nameConstraints)?.critical === false, 'Name constraints are not critical'),
  },
  {
    id: 'rfc5280.name_constraints_form',
    source: 'RFC 5280, 4.2.1.10',
    check: ({ known: { nameConstraints: constraints } }) => {
      if (!constraints) return undefined;
      const all = [...constraints.permitted, ...constraints.excluded];
      return when(all.length === 0 || !all.every(isWellFormed), 'Name constraints are empty or malformed');
    },
  },
];

function isValid(type: AltName['type'], value: string): boolean {
  try {
    return readAltName(type, value).value.toLowerCase() === value.toLowerCase();
  } catch {
    return false;
  }
}

/** A mask is ones and then zeros; a domain is valid, with a leading dot except for DNS names. */
function isWellFormed({ base, hasDistance }: Subtree): boolean {
  if (hasDistance) return false;
  if (base.tag === GENERAL_NAME.ip) {
    const half = base.content.length / 2;
    if (half !== 4 && half !== 16) return false;
    const bits = Array.from(base.content.subarray(half), (octet) => octet.toString(2).padStart(8, '0')).join('');
    return /^1*0*$/.test(bits) && readAddress(ipText(base.content.subarray(0, half))) !== undefined;
  }
  const text = base.content.toString('latin1');
  if (base.tag === GENERAL_NAME.dns) return text === '' || isDnsName(text.toLowerCase());
  if (base.tag === GENERAL_NAME.email && text.includes('@')) return isValid('email', text);
  if (base.tag === GENERAL_NAME.email || base.tag === GENERAL_NAME.uri) {
    return uriHost(`x://${text.replace(/^\./, '')}`) !== undefined;
  }
  return base.tag === GENERAL_NAME.directory;
}
