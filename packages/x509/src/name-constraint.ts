import { berElements, MalformedBer } from './ber.ts';
import { isIPv4, readAddress, type IpAddress } from './ip-address.ts';
import { MAX_DOMAIN, MAX_EMAIL, MAX_URI, uriHost } from './alt-name.ts';
import { content, TAG, within } from './der.ts';
import { GENERAL_NAME, readGeneralName, understand, type ReadGeneralName, type Subtree } from './extension.ts';
import { attributesOf, textOf } from './name.ts';
import { readEnvelope, readTbs, type TbsStructure } from './structure.ts';

// Name constraints (RFC 5280, section 4.2.1.10): which names the certificates below an authority may have.

const COMMON_NAME = '2.5.4.3';

/** Whether clients use a common name as a host name, or wildcard, if there are no other host names. */
export const isHostName = (text: string): boolean =>
  /^[a-z0-9_*-]{1,63}(?:\.[a-z0-9_-]{1,63})+\.?$/i.test(text) && !/^[\d.]+$/.test(text);

/** A name of one label, as hosts have it inside of a cluster; it may be any other name, too. */
export const isHostLabel = (text: string): boolean =>
  /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i.test(text) && !/^\d+$/.test(text);

/** The name constraints of an authority's certificate: its subtrees by the tag of their type. */
export interface NameSubtrees {
  readonly permitted: ReadonlyMap<number, readonly ComparedSubtree[]>;
  readonly excluded: ReadonlyMap<number, readonly ComparedSubtree[]>;
}

/** A name in the form in which it is compared, made once for all subtrees. */
export interface ComparedName {
  readonly tag: number;
  readonly value: string;
  /** Absent if it cannot be compared: too long, of another type, a URI without a domain. */
  readonly form?: NameForm;
}

interface NameForm {
  /** In lower case: a DNS name, the domain of an address, or the host of a URI. */
  readonly host: string;
  /** The local part of an e-mail address. */
  readonly local?: string;
  /** Of a DNS name: what follows a first label with an asterisk; of a subtree, what follows its first label. */
  readonly rest?: string | undefined;
  /** An IP address, with its mask in a subtree; the parts of a directory name. */
  readonly octets: Buffer;
}

interface ComparedSubtree extends NameForm {
  readonly hasDistance: boolean;
}

/** Names of this many octets are compared, by their tag. No name of DNS is longer (RFC 1035, section 2.3.4). */
const MAX_OCTETS = new Map<number, number>([
  [GENERAL_NAME.dns, MAX_DOMAIN],
  [GENERAL_NAME.email, MAX_EMAIL],
  [GENERAL_NAME.uri, MAX_URI],
  [GENERAL_NAME.ip, 16],
  [GENERAL_NAME.directory, 8192],
]);

/** Maximum number of comparisons of names with subtrees in one chain: each certificate may have thousands of both. */
const MAX_COMPARISONS = 100_000;

/** Counts the comparisons of one chain. */
export class Comparisons {
  #left = MAX_COMPARISONS;

  /** @throws MalformedBer beyond the limit */
  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new MalformedBer('There are too many names and constraints on names');
  }
}

/** The constraints of a certificate (DER), if it has any. @throws MalformedBer */
export function subtreesOf(der: Buffer): NameSubtrees | undefined {
  const { nameConstraints } = understand(readTbs(readEnvelope(der).tbs).extensions);
  return (
    nameConstraints && { permitted: byKind(nameConstraints.permitted), excluded: byKind(nameConstraints.excluded) }
  );
}

function byKind(subtrees: readonly Subtree[]): Map<number, ComparedSubtree[]> {
  const kinds = new Map<number, ComparedSubtree[]>();
  for (const { base, hasDistance } of subtrees) {
    const kind = kinds.get(base.tag);
    const subtree = { ...formOfBase(base), hasDistance };
    if (kind) kind.push(subtree);
    else kinds.set(base.tag, [subtree]);
  }
  return kinds;
}

/**
 * All names that constraints apply to. The common name of an end-entity certificate counts as a DNS name if it looks
 * like one, and as an address if it is one.
 *
 * @throws MalformedBer
 */
export function namesOf({ subjectName, extensions }: TbsStructure): ComparedName[] {
  const { altNames = [], basicConstraints } = understand(extensions);
  if (within(subjectName, TAG.sequence).length === 0) return altNames.map(compared);
  const subject = { tag: GENERAL_NAME.directory, content: subjectName, whole: subjectName };
  const common = basicConstraints?.isCa ? [] : commonNames(subjectName);
  const has = (wanted: ReadGeneralName['type']) => altNames.some(({ type }) => type === wanted);
  const hosts = common.filter((text) => isHostName(text) || (isIPv4(text) && !has('dns')));
  const addresses = has('ip') ? [] : common.flatMap((text) => readAddress(text.trim()) ?? []);
  return [...altNames, ...hosts.map(asDnsName), ...addresses.map(asAddress), readGeneralName(subject)].map(compared);
}

/**
 * The first of these names that violates the constraints of an authority above; `undefined` if there is none.
 *
 * @throws MalformedBer if there are too many to compare.
 */
export const nameOutside = (
  names: readonly ComparedName[],
  subtrees: NameSubtrees,
  comparisons: Comparisons,
): string | undefined => names.find((name) => !isAllowed(name, subtrees, comparisons))?.value;

const commonNames = (name: Buffer): string[] =>
  attributesOf(name).flatMap(({ type, value }) => (type === COMMON_NAME ? (textOf(value) ?? []) : []));

function asDnsName(text: string): ReadGeneralName {
  const octets = Buffer.from(text.replace(/\.$/, ''), 'latin1');
  return readGeneralName({ tag: GENERAL_NAME.dns, content: octets, whole: octets });
}

function asAddress(address: IpAddress): ReadGeneralName {
  const octets = Buffer.from(address.toByteArray());
  return readGeneralName({ tag: GENERAL_NAME.ip, content: octets, whole: octets });
}

function isAllowed({ tag, form }: ComparedName, subtrees: NameSubtrees, comparisons: Comparisons): boolean {
  const excluded = subtrees.excluded.get(tag) ?? [];
  const permitted = subtrees.permitted.get(tag) ?? [];
  comparisons.spend(1 + excluded.length + permitted.length);
  // What cannot be compared is taken as excluded, and never as permitted.
  if (!form) return excluded.length + permitted.length === 0;
  const isExcluded = (base: ComparedSubtree) => base.hasDistance || isWithin(tag, form, base) || isCovered(form, base);
  const isPermitted = (base: ComparedSubtree) => !base.hasDistance && isWithin(tag, form, base);
  return !excluded.some(isExcluded) && (permitted.length === 0 || permitted.some(isPermitted));
}

const compared = ({ element: { tag, content: octets }, value }: ReadGeneralName): ComparedName => {
  const form = octets.length <= (MAX_OCTETS.get(tag) ?? -1) ? formOf(tag, value, octets) : undefined;
  return { tag, value, ...(form && { form }) };
};

function formOf(tag: number, value: string, octets: Buffer): NameForm | undefined {
  switch (tag) {
    case GENERAL_NAME.dns: {
      const host = value.toLowerCase();
      return { host, rest: afterWildcard(host), octets };
    }
    case GENERAL_NAME.email: {
      const at = value.lastIndexOf('@');
      return { host: value.slice(at + 1).toLowerCase(), local: value.slice(0, at), octets };
    }
    case GENERAL_NAME.uri: {
      // A URI without a domain violates every constraint on URIs.
      const host = uriHost(value);
      return host === undefined || readAddress(host) ? undefined : { host, octets };
    }
    case GENERAL_NAME.directory: {
      const [name, ...others] = berElements(octets);
      return name?.tag === TAG.sequence && others.length === 0 ? { host: '', octets: name.content } : undefined;
    }
    default:
      return { host: '', octets };
  }
}

function formOfBase({ tag, content: octets, whole }: Subtree['base']): NameForm {
  const text = octets.toString('latin1');
  const lower = text.toLowerCase();
  switch (tag) {
    case GENERAL_NAME.dns: {
      const host = lower.replace(/^\./, '');
      return { host, rest: host.slice(host.indexOf('.') + 1), octets };
    }
    case GENERAL_NAME.email: {
      const at = text.lastIndexOf('@');
      return at < 0 ? { host: lower, octets } : { host: lower.slice(at + 1), local: text.slice(0, at), octets };
    }
    case GENERAL_NAME.directory:
      return { host: '', octets: content(within(whole, tag)[0], TAG.sequence) };
    default:
      return { host: lower, octets };
  }
}

/** The rest of a name whose first label is, or has, an asterisk. */
export function afterWildcard(name: string): string | undefined {
  const [asterisk, dot] = [name.indexOf('*'), name.indexOf('.')];
  return asterisk >= 0 && asterisk < dot ? name.slice(dot + 1) : undefined;
}

/** Whether a wildcard covers an excluded host: some clients reject it, and others accept it for that host. */
const isCovered = ({ rest }: NameForm, base: NameForm): boolean => rest !== undefined && rest === base.rest;

/** Whether a name is in a subtree of its kind. */
function isWithin(tag: number, { host, local, rest, octets }: NameForm, base: NameForm): boolean {
  switch (tag) {
    case GENERAL_NAME.dns:
      return isBelow(rest ?? host, base.host);
    case GENERAL_NAME.email:
      return base.local === undefined ? isHost(host, base.host) : local === base.local && host === base.host;
    case GENERAL_NAME.uri:
      return isHost(host, base.host);
    case GENERAL_NAME.ip: {
      const half = base.octets.length / 2;
      const [address, mask] = [base.octets.subarray(0, half), base.octets.subarray(half)];
      return octets.length === half && octets.every((octet, i) => ((octet ^ address[i]!) & mask[i]!) === 0);
    }
    case GENERAL_NAME.directory:
      // A sequence of DER elements begins with the same elements exactly if it begins with their octets.
      return octets.subarray(0, base.octets.length).equals(base.octets);
    default:
      return false;
  }
}

const isBelow = (name: string, domain: string) =>
  domain === '' || (name.endsWith(domain) && (name.length === domain.length || name.at(-domain.length - 1) === '.'));
/** For e-mail and URIs: a host means exactly that host, with a leading dot everything below it. */
const isHost = (host: string, constraint: string) =>
  constraint === '' || (constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint);
