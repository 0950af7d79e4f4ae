import fc from 'fast-check';
import { parseDuration } from '../../../kernel/index.ts';
import { expression, glob, type Constraints, type Matcher } from '../../constraint/index.ts';
import {
  KEY_ALGORITHMS,
  KEY_USAGES,
  type AltName,
  type ExtendedKeyUsage,
  type KeyAlgorithm,
  type KeyUsage,
  type Subject,
} from '../../x509.ts';

// Generated orders with their templates and policies, and the expected result, computed independently of the product.

/** A pattern, and by plain text operations whether it means a value. */
interface Pattern {
  readonly matcher: () => Matcher;
  readonly means: (value: string) => boolean;
}
const pattern = (matcher: () => Matcher, means: (value: string) => boolean): Pattern => ({ matcher, means });

const PATTERNS: readonly Pattern[] = [
  pattern(
    () => expression('.*'),
    () => true,
  ),
  pattern(
    () => expression('.*\\.example\\.com'),
    (value) => value.endsWith('.example.com'),
  ),
  pattern(
    () => expression('[a-z]+\\.example\\.com|evil\\.org'),
    (value) => ['a.example.com', 'b.example.com', 'evil.org'].includes(value),
  ),
  pattern(
    () => expression('10\\..*'),
    (value) => value.startsWith('10.'),
  ),
  pattern(
    () => expression('(?i)A\\.EXAMPLE\\.COM'),
    (value) => value === 'a.example.com',
  ),
  pattern(
    () => glob('*'),
    () => true,
  ),
  pattern(
    () => glob('*.example.com'),
    (value) => value.toLowerCase().endsWith('.example.com'),
  ),
  pattern(
    () => glob('a.*.com'),
    (value) => value.startsWith('a.') && value.endsWith('.com'),
  ),
  pattern(
    () => glob('a.example.com'),
    (value) => value.toLowerCase() === 'a.example.com',
  ),
];

const NAMES: readonly AltName[] = [
  ...[
    'a.example.com',
    'b.example.com',
    'x.y.example.com',
    '*.example.com',
    'evil.org',
    'a.example.com.evil.org',
    'xn--bcher-kva.example.com',
  ].map((value) => ({ type: 'dns', value }) as const),
  ...['10.1.2.3', '192.168.0.1', '2001:db8::1'].map((value) => ({ type: 'ip', value }) as const),
  { type: 'email', value: 'ann@example.com' },
  { type: 'uri', value: 'https://a.example.com/x' },
  { type: 'uri', value: 'spiffe://example.com/a' },
];
const HOSTS = ['a.example.com', 'evil.org'];
const ADDRESS = '10.1.2.3';
const COMMON_NAMES = [...HOSTS, ADDRESS, 'Ann Lee', 'Bücher', undefined];
const EXTENDED = [
  'clientAuth',
  'serverAuth',
  'codeSigning',
  'emailProtection',
  'timeStamping',
  'ocspSigning',
] as const satisfies readonly ExtendedKeyUsage[];

interface NameLimits {
  readonly allowed?: readonly Pattern[] | undefined;
  readonly required?: readonly Pattern[] | undefined;
  readonly denied?: readonly Pattern[] | undefined;
}
interface UsageLimits<Usage> {
  readonly allowed?: readonly Usage[] | undefined;
  readonly required?: readonly Usage[] | undefined;
  readonly denied?: readonly Usage[] | undefined;
}

/** A template or policy before compilation. */
export interface Limits {
  readonly commonName: NameLimits | undefined;
  readonly organization: NameLimits | undefined;
  readonly organizationalUnit: NameLimits | undefined;
  /** What sources other than the template or policy allow. */
  readonly allowed: readonly Subject[];
  readonly altNames: Readonly<Record<AltName['type'], NameLimits | undefined>>;
  readonly others: 'allowed' | 'denied';
  readonly keyUsages: UsageLimits<KeyUsage> | undefined;
  readonly extendedKeyUsages: UsageLimits<ExtendedKeyUsage> | undefined;
  readonly keyAlgorithms: readonly KeyAlgorithm[] | undefined;
  readonly maxDays: number | undefined;
}

/** A certificate order. */
export interface Ordered {
  readonly authority: KeyAlgorithm;
  readonly key: KeyAlgorithm;
  readonly subject: Subject;
  readonly altNames: readonly AltName[];
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly days: number;
}

const some = <T>(values: readonly T[], maxLength = 3) => fc.uniqueArray(fc.constantFrom(...values), { maxLength });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

const nameLimits: fc.Arbitrary<NameLimits | undefined> = maybe(
  fc.record({
    allowed: fc.option(some(PATTERNS), { nil: undefined }),
    required: fc.option(some(PATTERNS, 1), { nil: undefined, freq: 1 }),
    denied: fc.option(some(PATTERNS.slice(1), 1), { nil: undefined, freq: 1 }),
  }),
);
const usageLimits = <Usage extends string>(usages: readonly Usage[]) =>
  maybe(
    fc.record({
      allowed: fc.option(some(usages, usages.length), { nil: undefined }),
      required: fc.option(some(usages, 1), { nil: undefined, freq: 1 }),
      denied: fc.option(some(usages, 1), { nil: undefined, freq: 1 }),
    }),
  );

const ORGANIZATIONS = ['a.example.com', 'Example & Söhne', 'system:masters'];
const someAttributes = fc
  .record({
    organization: fc.constantFrom(undefined, undefined, undefined, ...ORGANIZATIONS),
    organizationalUnit: fc.constantFrom(undefined, undefined, undefined, 'b.example.com'),
    country: fc.constantFrom(undefined, undefined, undefined, 'DE', 'FR'),
    province: fc.constantFrom(undefined, undefined, undefined, 'Bavaria'),
    locality: fc.constantFrom(undefined, undefined, undefined, 'Köln'),
    domainComponents: fc.constantFrom(undefined, undefined, undefined, ['example', 'com']),
  })
  .map((one): Subject => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)));
/** All attributes, so that most generated subjects are covered. */
const ANY: readonly Subject[] = ORGANIZATIONS.flatMap((organization) =>
  ['DE', 'FR'].map((country) => ({
    ...{ organization, country, organizationalUnit: 'b.example.com', province: 'Bavaria', locality: 'Köln' },
    domainComponents: ['example', 'com'],
  })),
);

export const limits: fc.Arbitrary<Limits> = fc.record({
  commonName: nameLimits,
  organization: nameLimits,
  organizationalUnit: nameLimits,
  allowed: fc.oneof(fc.array(someAttributes, { maxLength: 2 }), fc.constant(ANY)),
  altNames: fc.record({ dns: nameLimits, ip: nameLimits, email: nameLimits, uri: nameLimits }),
  others: fc.constantFrom('allowed', 'allowed', 'denied'),
  keyUsages: usageLimits(KEY_USAGES.slice(0, 5)),
  extendedKeyUsages: usageLimits(EXTENDED),
  keyAlgorithms: fc.option(some(KEY_ALGORITHMS, 6), { nil: undefined, freq: 1 }),
  maxDays: maybe(fc.constantFrom(1, 30, 365)),
});

export const ordered: fc.Arbitrary<Ordered> = fc.record({
  authority: fc.constantFrom('EC_prime256v1', 'EC_secp384r1', 'ED25519', 'RSA_2048'),
  key: fc.constantFrom(...KEY_ALGORITHMS),
  subject: fc
    .tuple(fc.constantFrom(...COMMON_NAMES), fc.oneof(fc.constant({}), someAttributes))
    .map(([commonName, more]): Subject => ({ ...(commonName !== undefined && { commonName }), ...more })),
  altNames: some(NAMES, 4),
  keyUsages: some(KEY_USAGES),
  extendedKeyUsages: some(EXTENDED),
  days: fc.constantFrom(1, 30, 31, 365, 4_000),
});

/** The limits as the product has them. */
export function compiled(given: Limits): Constraints {
  const { commonName, organization, organizationalUnit, altNames, others, ...more } = given;
  const { keyUsages, extendedKeyUsages, keyAlgorithms, maxDays } = more;
  const matchers = (patterns: readonly Pattern[] | undefined) => patterns?.map(({ matcher }) => matcher());
  const rule = (name: NameLimits | undefined) =>
    name && { allowed: matchers(name.allowed), required: matchers(name.required), denied: matchers(name.denied) };
  const { dns, ip, email, uri } = altNames;
  return {
    origin: 'template',
    subject: {
      rules: {
        commonName: rule(commonName),
        organization: rule(organization),
        organizationalUnit: rule(organizationalUnit),
      },
      others,
    },
    altNames: { rules: { dns: rule(dns), ip: rule(ip), email: rule(email), uri: rule(uri) }, others },
    keyUsages,
    extendedKeyUsages,
    keyAlgorithms,
    maxValidity: maxDays === undefined ? undefined : parseDuration(`${maxDays}d`),
  };
}

/** Whether the limits allow the order. */
export function keeps(given: Limits, one: Ordered): boolean {
  const allows = ({ allowed, required = [], denied = [] }: NameLimits, value: string) => {
    const means = (by: Pattern) => by.means(value);
    return !denied.some(means) && (!allowed || [...allowed, ...required].some(means));
  };
  const names = (limit: NameLimits | undefined, values: readonly string[]) => {
    if (!limit) return given.others === 'allowed' || values.length === 0;
    const { required = [] } = limit;
    if (!values.every((value) => allows(limit, value))) return false;
    return required.every((by) => values.some((value) => by.means(value)));
  };
  const usages = <Usage>(limit: UsageLimits<Usage> | undefined, values: readonly Usage[]) =>
    !limit ||
    // Where none is named all are meant.
    ((values.length > 0 || (!limit.allowed?.length && !limit.denied?.length)) &&
      values.every((value) => !limit.denied?.includes(value)) &&
      values.every((value) => !limit.allowed || [...limit.allowed, ...(limit.required ?? [])].includes(value)) &&
      (limit.required ?? []).every((value) => values.includes(value)));
  const { commonName, ...attributes } = one.subject;
  // An attribute without a rule needs a source that allows exactly this value.
  const isNamed = ([field, value]: [string, string | readonly string[]]) => {
    if ((field === 'organization' || field === 'organizationalUnit') && given[field]) return true;
    const isSaid = given.allowed.some((by) => String(by[field as keyof Subject] ?? '') === String(value));
    return given.others === 'allowed' && isSaid;
  };
  // Without other host names, clients use the common name as one (RFC 6125, section 6.4.4); without other addresses, as one.
  const kind = commonName === ADDRESS ? 'ip' : 'dns';
  const isHost = commonName === ADDRESS || HOSTS.includes(commonName ?? '');
  const host = !isHost || one.altNames.some(({ type }) => type === 'dns' || type === kind) ? '' : commonName!;
  const isForServers = one.extendedKeyUsages.length === 0 || one.extendedKeyUsages.includes('serverAuth');
  const hostLimit = given.altNames[kind] ?? (given.others === 'denied' ? { allowed: [] } : undefined);
  return (
    (!host ||
      !isForServers ||
      !hostLimit ||
      allows(given.commonName ? { denied: hostLimit.denied } : hostLimit, host)) &&
    names(given.commonName, commonName ? [commonName] : []) &&
    (['organization', 'organizationalUnit'] as const).every(
      (field) => !given[field] || names(given[field], attributes[field] ? [attributes[field]] : []),
    ) &&
    Object.entries(attributes).every(isNamed) &&
    (['dns', 'ip', 'email', 'uri'] as const).every((type) =>
      names(
        given.altNames[type],
        one.altNames.flatMap((name) => (name.type === type ? [name.value] : [])),
      ),
    ) &&
    usages(given.keyUsages, one.keyUsages) &&
    usages(given.extendedKeyUsages, one.extendedKeyUsages) &&
    (given.keyAlgorithms?.includes(one.key) ?? true) &&
    (given.maxDays === undefined || one.days <= given.maxDays)
  );
}

/** Whether any authority may issue it, by RFC 5280 and the time that authorities of these tests have. */
export function isPossible({ key, subject, altNames, keyUsages, extendedKeyUsages, days }: Ordered): boolean {
  const has = (...wanted: readonly KeyUsage[]) =>
    keyUsages.length === 0 || wanted.some((usage) => keyUsages.includes(usage));
  const needs: Record<ExtendedKeyUsage, boolean> = {
    serverAuth: has('digitalSignature', 'keyEncipherment', 'keyAgreement'),
    clientAuth: has('digitalSignature', 'keyAgreement'),
    codeSigning: has('digitalSignature'),
    emailProtection: has('digitalSignature', 'nonRepudiation', 'keyEncipherment', 'keyAgreement'),
    timeStamping: has('digitalSignature', 'nonRepudiation'),
    ocspSigning: has('digitalSignature', 'nonRepudiation'),
  };
  const impossible: readonly KeyUsage[] = key.startsWith('RSA')
    ? ['keyAgreement', 'encipherOnly', 'decipherOnly']
    : key === 'ED25519'
      ? ['keyEncipherment', 'dataEncipherment', 'keyAgreement', 'encipherOnly', 'decipherOnly']
      : ['keyEncipherment', 'dataEncipherment'];
  const { commonName } = subject;
  const hosts = altNames.flatMap(({ type, value }) => (type === 'dns' || type === 'ip' ? [value] : []));
  const isOneWay = keyUsages.includes('encipherOnly') || keyUsages.includes('decipherOnly');
  return (
    (altNames.length > 0 || Object.values(subject).some((value) => value !== undefined)) &&
    !keyUsages.includes('keyCertSign') &&
    !keyUsages.includes('cRLSign') &&
    !keyUsages.some((usage) => impossible.includes(usage)) &&
    (!isOneWay || keyUsages.includes('keyAgreement')) &&
    extendedKeyUsages.every((usage) => needs[usage]) &&
    // A common name that is a host name must be one of the alternative names, if there are any (RFC 6125, section
    // 6.4.4).
    (!extendedKeyUsages.includes('serverAuth') || hosts.length === 0 || !commonName || hosts.includes(commonName)) &&
    // Without a way to revoke it, it is short.
    (!extendedKeyUsages.includes('ocspSigning') || days <= 90) &&
    days < 3_650
  );
}
