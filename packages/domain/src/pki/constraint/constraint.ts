import {
  isWildcard,
  keyAlgorithmOf,
  type AltName,
  type CertificateContent,
  type ExtendedKeyUsage,
  type Finding,
  type KeyAlgorithm,
  type KeyUsage,
  type SignatureAlgorithm,
  type Subject,
} from '../x509.ts';
import { LONGEST_COMMON_NAME, LONGEST_HOST, meansWildcard } from './asterisk.ts';
import { hostBeside } from './host-named.ts';
import type { Matcher } from './matcher.ts';
import type { MatchingCost } from './matching-cost.ts';

/** The permitted values of one type of name. */
export interface NameRule {
  /** Each value must match one of these or one of `required`. Absent: any. */
  readonly allowed?: readonly Matcher[] | undefined;
  /** Each of these must be matched by at least one value. */
  readonly required?: readonly Matcher[] | undefined;
  /** No value may match one of these, whatever allows it; a wildcard matches if one of its covered names does. */
  readonly denied?: readonly Matcher[] | undefined;
}

/** The same for usages, which are enumerations. With restrictions, an empty list of usages is not allowed. */
export interface UsageRule<Usage extends string> {
  /** Absent: any. Empty: none is named. */
  readonly allowed?: readonly Usage[] | undefined;
  readonly required?: readonly Usage[] | undefined;
  readonly denied?: readonly Usage[] | undefined;
}

/** The attributes of a subject: `domainComponents` has each component as a value. */
export type SubjectField = keyof Subject;

/**
 * The permitted content of certificates, compiled from templates and policies. Checked for everything that is signed,
 * from any source.
 */
export interface Constraints {
  /** With what the names of its rules begin: `template`, `policy`. */
  readonly origin: string;
  readonly subject: {
    readonly rules: { readonly [Field in SubjectField]?: NameRule };
    /** Whether values without a rule above are allowed. */
    readonly others: 'allowed' | 'denied';
  };
  readonly altNames: {
    readonly rules: { readonly [Type in AltName['type']]?: NameRule };
    readonly others: 'allowed' | 'denied';
  };
  readonly keyUsages?: UsageRule<KeyUsage> | undefined;
  readonly extendedKeyUsages?: UsageRule<ExtendedKeyUsage> | undefined;
  /** Absent: all that are taken here. */
  readonly keyAlgorithms?: readonly KeyAlgorithm[] | undefined;
  readonly signatureAlgorithms?: readonly SignatureAlgorithm[] | undefined;
  /** Milliseconds from its beginning to its end, `BACKDATED` not counted. */
  readonly maxValidity?: number | undefined;
  /** Whether it may be a CA's. Absent: no. `required`: it has to be. */
  readonly ca?: { readonly required: boolean; readonly maxPathLength?: number | undefined } | undefined;
}

/** How long before its issue a certificate begins, for clocks that are behind, in milliseconds. */
export const BACKDATED = 60_000;

/**
 * The violations of these constraints by a certificate of this content. Each finding's rule is the origin and the
 * subject: `template.common_name`, `policy.key_usage`.
 *
 * @param cost Charged for the comparison of names; shared by all constraints on one certificate.
 * @param signature The algorithm by which it is signed; absent where the authority decides, which is elsewhere.
 * @throws DomainError 400 `certificate.too_costly`
 */
export async function check(
  constraints: Constraints,
  content: CertificateContent,
  cost: MatchingCost,
  signature?: string,
): Promise<Finding[]> {
  const { origin } = constraints;
  return [
    ...(await namesFound(constraints, content, cost)),
    ...hostFound(constraints, content, cost),
    ...usagesFound(`${origin}.key_usage`, 'key usage', constraints.keyUsages, content.keyUsages),
    ...usagesFound(
      `${origin}.extended_key_usage`,
      'extended key usage',
      constraints.extendedKeyUsages,
      content.extendedKeyUsages,
    ),
    ...algorithmsFound(constraints, content, signature),
    ...validityFound(constraints, content),
    ...caFound(constraints, content),
  ];
}

const error = (rule: string, message: string): Finding => ({ rule, severity: 'error', message });

interface Kind {
  /** The end of the rule's name. */
  readonly rule: string;
  /** For messages. */
  readonly called: string;
}

const SUBJECT: { readonly [Field in SubjectField]-?: Kind } = {
  commonName: { rule: 'common_name', called: 'common name' },
  organization: { rule: 'organization', called: 'organization' },
  organizationalUnit: { rule: 'organizational_unit', called: 'organizational unit' },
  country: { rule: 'country', called: 'country' },
  province: { rule: 'province', called: 'province' },
  locality: { rule: 'locality', called: 'locality' },
  domainComponents: { rule: 'domain_component', called: 'domain component' },
};
const ALT_NAMES: { readonly [Type in AltName['type']]: Kind } = {
  dns: { rule: 'dns', called: 'DNS name' },
  ip: { rule: 'ip', called: 'IP address' },
  email: { rule: 'email', called: 'e-mail address' },
  uri: { rule: 'uri', called: 'URI' },
};

async function namesFound(
  { origin, subject, altNames }: Constraints,
  content: CertificateContent,
  cost: MatchingCost,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [field, { rule, called }] of Object.entries(SUBJECT) as [SubjectField, Kind][]) {
    const values = valuesOf(content.subject, field);
    const longest = field === 'commonName' ? LONGEST_COMMON_NAME : LONGEST_HOST;
    const asked = { allowing: subject.rules[field], others: subject.others, values, longest };
    findings.push(...(await nameFound(`${origin}.${rule}`, called, asked, cost)));
  }
  for (const [type, { rule, called }] of Object.entries(ALT_NAMES) as [AltName['type'], Kind][]) {
    const values = content.altNames.filter((name) => name.type === type).map(({ value }) => value);
    const asked = { allowing: altNames.rules[type], others: altNames.others, values, longest: LONGEST_HOST };
    findings.push(...(await nameFound(`${origin}.${rule}`, called, asked, cost)));
  }
  return findings;
}

/**
 * Clients use subject attributes for authorization, for example Kubernetes the organization. Each attribute except the
 * common name must be allowed by a rule of a policy, or by one of `allowed`: the values of the issuing configuration,
 * and those of the caller's own rules.
 */
export function attributesFound(
  constraints: readonly Constraints[],
  { subject }: CertificateContent,
  allowed: readonly Subject[],
): Finding[] {
  return (Object.entries(SUBJECT) as [SubjectField, Kind][]).flatMap(([field, { rule, called }]) => {
    const values = valuesOf(subject, field);
    if (field === 'commonName' || values.length === 0) return [];
    // These constraints report it themselves.
    if (constraints.some((one) => one.subject.rules[field] || one.subject.others === 'denied')) return [];
    const said = JSON.stringify(values);
    if (allowed.some((one) => JSON.stringify(valuesOf(one, field)) === said)) return [];
    return [error(`certificate.${rule}`, `No policy allows the ${called} "${values.join(', ')}"`)];
  });
}

const valuesOf = (subject: Subject, field: SubjectField): string[] =>
  [subject[field] ?? []].flat().filter((value) => value !== '');

/**
 * Without a DNS name, clients take the common name for the host: the rule for such names must not deny it, and must allow it
 * unless there is a rule for common names. Certificates that are not for servers are accepted for no host.
 */
function hostFound(
  { origin, subject, altNames }: Constraints,
  content: CertificateContent,
  cost: MatchingCost,
): Finding[] {
  const { commonName = '' } = content.subject;
  const host = hostBeside(commonName, content.altNames);
  const rule = host && (altNames.rules[host.type] ?? (altNames.others === 'denied' ? NONE : undefined));
  if (!rule || !isForServers(content)) return [];
  if (allowsName(subject.rules.commonName ? { denied: rule.denied } : rule, host.value, cost)) return [];
  const { rule: end, called } = SUBJECT.commonName;
  return [
    error(`${origin}.${end}`, `The ${called} "${commonName}" is not allowed as a ${ALT_NAMES[host.type].called}`),
  ];
}

/** Without extended key usages, a certificate is for everything. */
const isForServers = ({ extendedKeyUsages }: CertificateContent): boolean =>
  extendedKeyUsages.length === 0 || extendedKeyUsages.includes('serverAuth');

/** Allows no name. */
const NONE: NameRule = { allowed: [] };

interface Asked {
  readonly allowing: NameRule | undefined;
  readonly others: 'allowed' | 'denied';
  readonly values: readonly string[];
  /** The maximum length of such a name. */
  readonly longest: number;
}

async function nameFound(
  rule: string,
  called: string,
  { allowing, others, values, longest }: Asked,
  cost: MatchingCost,
): Promise<Finding[]> {
  if (!allowing) return others === 'denied' && values.length ? [error(rule, `A ${called} is not allowed`)] : [];
  const findings: Finding[] = [];
  for (const value of values) {
    if (!allowsName(allowing, value, cost, longest))
      findings.push(error(rule, `The ${called} "${value}" is not allowed`));
    await cost.rest();
  }
  for (const matcher of allowing.required ?? []) {
    if (!values.some((value) => matcher.matches(value, cost)))
      findings.push(error(rule, `A ${called} that matches "${matcher.text}" is required`));
    await cost.rest();
  }
  return findings;
}

/**
 * Whether a name is allowed, independent of others. For several names, yield with `cost` in between.
 *
 * @throws DomainError 400 `certificate.too_costly`
 */
export function allowsName(
  { allowed, required = [], denied = [] }: NameRule,
  value: string,
  cost: MatchingCost,
  longest = LONGEST_HOST,
): boolean {
  const matches = (matchers: readonly Matcher[]) => matchers.some((matcher) => means(matcher, value, cost, longest));
  return !isDenied(denied, value, cost) && (!allowed || matches(allowed) || matches(required));
}

/** Whether a pattern matches, and not only because it takes the asterisk of a wildcard for a character. */
const means = (matcher: Matcher, value: string, cost: MatchingCost, longest: number): boolean =>
  matcher.matches(value, cost) &&
  (!matcher.hasCharacters ||
    !isWildcard(value) ||
    meansWildcard(value, longest, (name) => matcher.matches(name, cost)));

const isDenied = (denied: readonly Matcher[], value: string, cost: MatchingCost): boolean =>
  denied.some(
    (matcher) =>
      matcher.matches(value, cost) || (value.startsWith('*.') && matcher.matchesBelow?.(value.slice(1), cost)),
  );

function usagesFound<Usage extends string>(
  rule: string,
  called: string,
  usage: UsageRule<Usage> | undefined,
  values: readonly Usage[],
): Finding[] {
  if (!usage) return [];
  const { allowed, required = [], denied = [] } = usage;
  const isWanted = (value: Usage) => !allowed || allowed.includes(value) || required.includes(value);
  // RFC 5280, sections 4.2.1.3 and 4.2.1.12: what names none is for all.
  if (values.length === 0 && required.length === 0 && (allowed?.length || denied.length))
    return [
      error(rule, `A ${called} is required: a certificate without any is valid for all, and not all are allowed`),
    ];
  return [
    ...values
      .filter((value) => denied.includes(value) || !isWanted(value))
      .map((value) => error(rule, `The ${called} "${value}" is not allowed`)),
    ...required
      .filter((value) => !values.includes(value))
      .map((value) => error(rule, `The ${called} "${value}" is required`)),
  ];
}

function algorithmsFound(
  { origin, keyAlgorithms, signatureAlgorithms }: Constraints,
  { publicKey }: CertificateContent,
  signature: string | undefined,
): Finding[] {
  const findings: Finding[] = [];
  const key = keyAlgorithms && keyAlgorithmOf(publicKey);
  if (keyAlgorithms && (!key || !keyAlgorithms.includes(key)))
    findings.push(error(`${origin}.key_algorithm`, `Keys of the kind ${key ?? 'unknown'} are not allowed`));
  if (signatureAlgorithms && signature !== undefined && !signatureAlgorithms.some((one) => one === signature))
    findings.push(
      error(`${origin}.signature_algorithm`, `The authority signs with ${signature}, which is not allowed`),
    );
  return findings;
}

function validityFound({ origin, maxValidity }: Constraints, { notBefore, notAfter }: CertificateContent): Finding[] {
  if (maxValidity === undefined || notAfter.getTime() - notBefore.getTime() <= maxValidity + BACKDATED) return [];
  const longest = maxValidity % 86_400_000 ? `${maxValidity / 1_000} seconds` : `${maxValidity / 86_400_000} days`;
  return [error(`${origin}.validity`, `The maximum validity is ${longest}, counted from now`)];
}

function caFound({ origin, ca: allowed }: Constraints, { ca }: CertificateContent): Finding[] {
  const rule = `${origin}.ca`;
  if (!ca) return allowed?.required ? [error(rule, 'A CA certificate is required')] : [];
  if (!allowed) return [error(rule, 'A CA certificate is not allowed')];
  const { maxPathLength } = allowed;
  if (maxPathLength === undefined || (ca.pathLength !== undefined && ca.pathLength <= maxPathLength)) return [];
  return [error(rule, `The maximum path length is ${maxPathLength}`)];
}
