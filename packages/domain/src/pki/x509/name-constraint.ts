import { MalformedBer } from '../../crypto/index.ts';
import { readAddress } from '../../kernel/address.ts';
import { uriHost } from './alt-name.ts';
import { TAG, within } from './der.ts';
import {
  GENERAL_NAME,
  readGeneralName,
  understand,
  type Extensions,
  type ReadGeneralName,
  type Subtree,
} from './extension.ts';
import { attributesOf, textOf } from './name.ts';
import { readEnvelope, readTbs, type TbsStructure } from './structure.ts';

// Name constraints (RFC 5280, section 4.2.1.10): which names the certificates below an authority may have.

const COMMON_NAME = '2.5.4.3';

/** Whether a common name is one that clients take for a host's, or for hosts', where nothing else names any. */
export const isHostName = (text: string): boolean =>
  /^[a-z0-9_*-]{1,63}(?:\.[a-z0-9_-]{1,63})+\.?$/i.test(text) && !/^[\d.]+$/.test(text);

/** What the certificate of an authority says of the names below it. */
export type NameSubtrees = NonNullable<Extensions['nameConstraints']>;

/** Those of a certificate (DER), if it has any. @throws MalformedBer */
export const subtreesOf = (der: Buffer): NameSubtrees | undefined =>
  understand(readTbs(readEnvelope(der).tbs).extensions).nameConstraints;

/**
 * All names that constraints are about. The common name of what is no authority is asked like a DNS name, where it reads as
 * one.
 *
 * @throws MalformedBer
 */
export function namesOf({ subjectName, extensions }: TbsStructure): ReadGeneralName[] {
  const { altNames = [], basicConstraints } = understand(extensions);
  if (within(subjectName, TAG.sequence).length === 0) return [...altNames];
  const subject = { tag: GENERAL_NAME.directory, content: subjectName, whole: subjectName };
  const hosts = basicConstraints?.isCa ? [] : commonNames(subjectName).filter(isHostName);
  return [...altNames, ...hosts.map(asDnsName), readGeneralName(subject)];
}

/** Comparisons for one certificate and one authority: each may have thousands, of which the product takes minutes. */
const MAX_COMPARISONS = 100_000;

/**
 * The first of these names that lies outside of what an authority above allows; `undefined` where there is none.
 *
 * @throws MalformedBer for names or constraints that cannot be compared, or are too many.
 */
export function nameOutside(names: readonly ReadGeneralName[], subtrees: NameSubtrees): string | undefined {
  if (names.length * (subtrees.permitted.length + subtrees.excluded.length) > MAX_COMPARISONS)
    throw new MalformedBer('There are too many names and constraints on names');
  return names.find((name) => !isAllowed(name, subtrees))?.value;
}

const commonNames = (name: Buffer): string[] =>
  attributesOf(name).flatMap(({ type, value }) => (type === COMMON_NAME ? (textOf(value) ?? []) : []));

function asDnsName(text: string): ReadGeneralName {
  const content = Buffer.from(text.replace(/\.$/, ''), 'latin1');
  return readGeneralName({ tag: GENERAL_NAME.dns, content, whole: content });
}

function isAllowed(name: ReadGeneralName, { permitted, excluded }: NameSubtrees): boolean {
  const sameKind = ({ base }: Subtree) => base.tag === name.element.tag;
  // What cannot be compared is taken as excluded, and never as permitted.
  const matches = ({ base, hasDistance }: Subtree) =>
    hasDistance || !COMPARED.has(base.tag) || !isComparable(name) || isWithin(name, base) || isCovered(name, base);
  if (excluded.some((subtree) => sameKind(subtree) && matches(subtree))) return false;
  const own = permitted.filter(sameKind);
  return own.length === 0 || own.some((subtree) => !subtree.hasDistance && isWithin(name, subtree.base));
}

const COMPARED: ReadonlySet<number> = new Set(Object.values(GENERAL_NAME));

/** A URI whose host is no domain is outside of every constraint on URIs. */
const isComparable = ({ element, value }: ReadGeneralName): boolean =>
  element.tag !== GENERAL_NAME.uri || hostOf(value) !== undefined;

function hostOf(uri: string): string | undefined {
  const host = uriHost(uri);
  return host === undefined || readAddress(host) ? undefined : host;
}

const textBase = ({ content }: Subtree['base']): string => content.toString('latin1').toLowerCase();

/** The rest of a name whose first label is, or has, an asterisk. */
const afterWildcard = (name: string): string | undefined => /^[^.]*\*[^.]*\.(.*)$/.exec(name)?.[1];

/** Whether a wildcard stands for an excluded host: some clients refuse it, and others take it for that host. */
function isCovered({ element, value }: ReadGeneralName, base: Subtree['base']): boolean {
  const rest = element.tag === GENERAL_NAME.dns ? afterWildcard(value.toLowerCase()) : undefined;
  return (
    rest !== undefined &&
    textBase(base)
      .replace(/^\./, '')
      .replace(/^[^.]+\./, '') === rest
  );
}

function isWithin({ element, value }: ReadGeneralName, base: Subtree['base']): boolean {
  const constraint = textBase(base);
  switch (base.tag) {
    case GENERAL_NAME.dns: {
      const name = value.toLowerCase();
      return isBelow(afterWildcard(name) ?? name, constraint.replace(/^\./, ''));
    }
    case GENERAL_NAME.email: {
      const [local, domain] = [
        value.slice(0, value.lastIndexOf('@')),
        value.slice(value.lastIndexOf('@') + 1).toLowerCase(),
      ];
      if (!constraint.includes('@')) return isHost(domain, constraint);
      const at = constraint.lastIndexOf('@');
      return local === base.content.toString('latin1').slice(0, at) && domain === constraint.slice(at + 1);
    }
    case GENERAL_NAME.uri: {
      const host = hostOf(value);
      return host !== undefined && isHost(host, constraint);
    }
    case GENERAL_NAME.ip: {
      const half = base.content.length / 2;
      const [address, mask] = [base.content.subarray(0, half), base.content.subarray(half)];
      return (
        element.content.length === half && element.content.every((octet, i) => ((octet ^ address[i]!) & mask[i]!) === 0)
      );
    }
    case GENERAL_NAME.directory: {
      const [prefix] = within(base.whole, GENERAL_NAME.directory);
      if (!prefix) throw new MalformedBer('A constraint on names is empty');
      const parts = within(element.content, TAG.sequence);
      return within(prefix.whole, TAG.sequence).every(({ whole }, i) => parts[i]?.whole.equals(whole) ?? false);
    }
    default:
      return false;
  }
}

const isBelow = (name: string, domain: string) => domain === '' || name === domain || name.endsWith(`.${domain}`);
/** E-mail and URIs: a host alone is that host, a dot before it all that is below it. */
const isHost = (host: string, constraint: string) =>
  constraint === '' || (constraint.startsWith('.') ? host.endsWith(constraint) : host === constraint);
