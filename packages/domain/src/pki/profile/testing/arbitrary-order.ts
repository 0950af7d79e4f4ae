import fc from 'fast-check';
import { isPossible } from '../../certificate/testing/arbitrary-order.ts';
import type { CertificatePolicy } from '../../policy/index.ts';
import {
  EXTENDED_KEY_USAGES,
  KEY_USAGES,
  signatureAlgorithmOf,
  type AltName,
  type ExtendedKeyUsage,
  type KeyAlgorithm,
  type KeyUsage,
} from '../../x509.ts';
import type { ProfileDefaults } from '../profile.ts';
import {
  altNameRule,
  broken,
  FIELDS,
  includes,
  isAllowed,
  isUsable,
  subjectRule,
  type Attribute,
  type Content,
  type Lists,
} from './naive-policy.ts';

// Orders by profiles, together with what ought to come of them.

export const AUTHORITY_DAYS = 3_650;
const USUAL_DAYS = 90;
export const KEYS = ['EC_prime256v1', 'EC_secp384r1', 'ED25519', 'RSA_2048'] as const satisfies readonly KeyAlgorithm[];

const POOLS: Readonly<Record<Attribute, readonly string[]>> = {
  commonName: [
    ...['a.example.com', 'A.example.com', '*.example.com', 'admin.example.com', 'x.y.example.com', 'x.b.example.com'],
    ...['evil.org', 'vault', '10.1.2.3', 'ann@example.com', 'Ann Lee'],
  ],
  organization: ['Example Ltd', 'Example Söhne', 'Evil Ltd'],
  organizationalUnit: ['Curves', 'Administrators'],
  country: ['DE', 'FR'],
  state: ['Bavaria', 'Texas'],
  locality: ['Köln', 'Rome'],
};

/** An ordered name, its form in certificates, or the rule that rejects it. */
export interface Given extends AltName {
  readonly given?: string;
  readonly impossible?: string;
}
const NAMES: readonly Given[] = [
  ...['a.example.com', 'b.example.com', 'x.y.example.com', 'x.b.example.com', 'admin.example.com', 'evil.org'].map(
    (value) => ({ type: 'dns', value }) as const,
  ),
  ...['*.example.com', '*.b.example.com', '*.internal.example.com', 'db.internal.example.com', '*.evil.org'].map(
    (value) => ({ type: 'dns', value }) as const,
  ),
  { type: 'dns', value: 'a.example.com', given: 'A.Example.COM.' },
  { type: 'dns', value: 'xn--bcher-kva.example.com', given: 'bücher.example.com' },
  { type: 'dns', value: '', given: 'a_b.example.com', impossible: 'alt_name.dns' },
  { type: 'dns', value: '', given: 'f*.example.com', impossible: 'alt_name.wildcard' },
  ...['10.1.2.3', '10.9.2.3', '192.168.0.1'].map((value) => ({ type: 'ip', value }) as const),
  { type: 'ip', value: '2001:db8::1', given: '2001:0DB8:0::0:1' },
  { type: 'ip', value: '', given: '10.1.2', impossible: 'alt_name.ip' },
  { type: 'email', value: 'ann@example.com', given: 'ann@Example.com' },
  { type: 'email', value: 'root@example.com' },
  { type: 'email', value: 'ann@evil.org' },
  { type: 'uri', value: 'spiffe://example.com/a' },
  { type: 'uri', value: 'spiffe://evil.org/a' },
  { type: 'uri', value: 'http://a.example.com/x' },
];

export interface Place {
  readonly called: string;
  readonly profileId: string;
  readonly authority: KeyAlgorithm;
  readonly policy: CertificatePolicy;
  readonly defaults: ProfileDefaults;
}
export interface Ordered {
  readonly place: Place;
  readonly csr?:
    | { key: KeyAlgorithm; names: { readonly [A in Attribute]?: string | undefined }; altNames: readonly Given[] }
    | undefined;
  readonly subject: { readonly [A in Attribute]?: string | undefined };
  readonly domainComponents?: string[] | undefined;
  readonly altNames?: readonly Given[] | undefined;
  readonly keyUsages?: readonly KeyUsage[] | undefined;
  readonly extendedKeyUsages?: readonly ExtendedKeyUsage[] | undefined;
  readonly keyAlgorithm?: KeyAlgorithm | undefined;
  readonly signatureAlgorithm?: string | undefined;
  /** `start`: days from now. */
  readonly time?: { readonly days: number; readonly start: number | undefined; readonly isTtl: boolean } | undefined;
}

export const EXTENDED = Object.keys(EXTENDED_KEY_USAGES) as ExtendedKeyUsage[];
const usagesOf = (names: readonly string[]) => KEY_USAGES.filter((usage) => includes(names, usage));
const extendedOf = (names: readonly string[]) => EXTENDED.filter((usage) => includes(names, usage));

/** The order's content, with the defaults of the profile. */
export function wanted({ place, csr, subject, domainComponents = [], altNames, ...asked }: Ordered): Content {
  const { policy, defaults, authority } = place;
  const key = csr?.key ?? asked.keyAlgorithm ?? (defaults.keyAlgorithm as KeyAlgorithm) ?? authority;
  const names = altNames?.length ? altNames : (csr?.altNames ?? []);
  const fields = FIELDS.map(({ short, attribute }): [string, string[]] => {
    const value = subject[attribute] ?? csr?.names[attribute] ?? defaults[attribute];
    return [short, value === undefined ? [] : [value]];
  });
  const usual = <Usage extends string>(usages: readonly Usage[], lists: Lists | null, all: readonly Usage[]) => {
    const usable = all.filter((one) => isUsable(lists ?? {}, one));
    const named = usable.filter((one) => usages.includes(one) || includes(lists?.required, one));
    return named.length > 0 || !lists?.allowed ? named : usable;
  };
  const canDo = (usage: KeyUsage) =>
    isPossible({ ...NOTHING, key, keyUsages: [usage], authority, subject: { commonName: 'x' } });
  const usualDays = Math.min(defaults.ttlDays ?? USUAL_DAYS, Number.parseInt(policy.validity?.max ?? '9999d', 10));
  return {
    subject: Object.fromEntries([...fields, ['DC', domainComponents.toReversed()]]),
    altNames: [...new Map(names.map(({ type, value }) => [type + value, { type, value }])).values()],
    keyUsages:
      asked.keyUsages ??
      usual(
        usagesOf(defaults.keyUsages ?? ['digitalSignature', 'keyEncipherment']).filter(canDo),
        policy.keyUsages,
        KEY_USAGES.filter((usage) => canDo(usage) || includes(policy.keyUsages?.required, usage)),
      ),
    extendedKeyUsages:
      asked.extendedKeyUsages ??
      usual(extendedOf(defaults.extendedKeyUsages ?? []), policy.extendedKeyUsages, EXTENDED),
    key,
    signature: signatureAlgorithmOf(authority),
    days: asked.time?.days ?? usualDays,
  };
}
const NOTHING = { altNames: [], extendedKeyUsages: [], days: 1 };

export const IMPOSSIBLE = 'impossible';
/** The rules by which an order must be rejected; none if it must be issued. */
export function forbidden(one: Ordered): Set<string> {
  const content = wanted(one);
  const { place, csr, altNames = [], keyAlgorithm, signatureAlgorithm, time } = one;
  const unreadable = altNames.flatMap(({ impossible }) => impossible ?? []);
  const commonName = one.subject.commonName ?? csr?.names.commonName;
  const isName = commonName !== undefined && !commonName.includes(' ');
  const isAmong = content.altNames.some(({ value }) => value === commonName?.toLowerCase());
  const { start = 0 } = time ?? {};
  const called = {
    commonName: content.subject['CN']![0]?.toLowerCase(),
    organization: Object.values(content.subject).flat()[0],
  };
  const { key, days, ...usages } = content;
  const isSound = isPossible({ ...usages, authority: place.authority, key, subject: called, days: 1 });
  const { commonName: _, ...defaults } = place.defaults;
  const usual = (attribute: string) => Object.entries(defaults).find(([name]) => name === attribute)?.[1];
  const unnamed = [
    ...FIELDS.slice(1),
    { rule: 'domain_component', type: 'domaincomponent', attribute: '', short: 'DC' },
  ]
    .filter(({ type, attribute, short }) => {
      const [value] = content.subject[short] ?? [];
      return value !== undefined && !subjectRule(place.policy, type) && usual(attribute) !== value;
    })
    .map(({ rule }) => `certificate.${rule}`);
  return new Set([
    // A validity counts from now.
    ...broken(place.policy, { ...content, days: Math.max(start, 0) + days }),
    ...unnamed,
    ...(content.extendedKeyUsages.includes('ocspSigning') && start + days > 90 ? ['certificate.ocsp_signing'] : []),
    ...unreadable,
    ...(isSound ? [] : [IMPOSSIBLE]),
    ...(csr && isName && content.altNames.length > 0 && !isAmong ? ['csr.common_name'] : []),
    ...(csr && keyAlgorithm && keyAlgorithm !== csr.key ? ['csr.key_algorithm'] : []),
    ...(signatureAlgorithm && signatureAlgorithm !== content.signature ? ['certificate.signature_algorithm'] : []),
    ...(start < 0 || start + days > AUTHORITY_DAYS ? ['certificate.validity'] : []),
  ]);
}

/** `without`: the probability that it is absent. */
const maybe = <T>(one: fc.Arbitrary<T>, without = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ arbitrary: one, weight: 2 }, { arbitrary: fc.constant(undefined), weight: without });
const oneOf = <T>(values: readonly T[], without?: number): fc.Arbitrary<T | undefined> =>
  values.length === 0 ? fc.constant(undefined) : maybe(fc.constantFrom(...values), without);
const some = <T>(values: readonly T[], maxLength = 3) =>
  fc.subarray([...values], { maxLength: Math.min(maxLength, values.length) });

/** Orders by one profile; `isWithin`: with names and usages that its policy allows. */
export function orders(place: Place, isWithin: boolean): fc.Arbitrary<Ordered> {
  const { policy, defaults, authority } = place;
  const allowed = <T>(values: readonly T[], isSo: (value: T) => boolean) => (isWithin ? values.filter(isSo) : values);
  const pools = FIELDS.map(({ attribute, type }) => {
    const values = allowed(POOLS[attribute], (value) => {
      const rule = subjectRule(policy, type);
      if (rule || attribute === 'commonName') return isAllowed(rule ?? {}, value);
      return defaults[attribute] === value;
    });
    return [attribute, oneOf(values, attribute === 'commonName' ? 1 : 4)] as const;
  });
  const subject = fc.record(Object.fromEntries(pools)) as fc.Arbitrary<Ordered['subject']>;
  const names = allowed(
    NAMES,
    (name) => !name.impossible && isAllowed(altNameRule(policy, name.type) ?? {}, name.value),
  );
  const usages = <U extends string>(values: readonly U[], lists: Lists | null) =>
    some(allowed(values, (usage) => isUsable(lists ?? {}, usage))).map((drawn) =>
      isWithin ? values.filter((usage) => drawn.includes(usage) || includes(lists?.required, usage)) : drawn,
    );
  const keys = allowed(
    KEYS,
    (key) => !policy.algorithms?.keyAlgorithm || includes(policy.algorithms.keyAlgorithm, key),
  );
  const max = Number.parseInt(policy.validity?.max ?? '9999', 10);
  const times = fc.record({
    days: fc.constantFrom(...allowed([1, 30, 60, 61, 365, 4_000], (days) => days <= max)),
    start: fc.constantFrom(undefined, undefined, 0, 1, ...(isWithin ? [] : [-400])),
    isTtl: fc.boolean(),
  });
  const time = times.filter(({ days, start = 0 }) => !isWithin || start + days <= max);
  const csr = fc.record({
    key: fc.constantFrom(...keys),
    names: subject,
    altNames: some(names.filter(({ impossible }) => !impossible)),
  });
  return fc
    .record({
      csr: maybe(csr, 2),
      subject: fc.oneof(fc.constant({}), subject),
      domainComponents: oneOf([['example', 'com'], ...(isWithin ? [] : [['evil', 'org']])], 6),
      altNames: maybe(some(names)),
      keyUsages: maybe(usages(KEY_USAGES, policy.keyUsages), 2),
      extendedKeyUsages: maybe(usages(EXTENDED, policy.extendedKeyUsages), 2),
      keyAlgorithm: oneOf(keys, 2),
      signatureAlgorithm: oneOf(['ECDSA-SHA256'], 20),
      time: maybe(time),
      mayBeSlow: fc.nat(29).map((drawn) => drawn === 0),
    })
    .map(({ csr: drawn, mayBeSlow, keyAlgorithm, ...one }): Ordered => {
      const made = keyAlgorithm ?? defaults.keyAlgorithm ?? authority;
      // Generating an RSA key takes as long as a hundred certificates.
      const key = !drawn && made === 'RSA_2048' && !mayBeSlow ? 'EC_prime256v1' : keyAlgorithm;
      if (!drawn) return { place, ...one, keyAlgorithm: key };
      return { place, ...one, keyAlgorithm: key, csr: drawn };
    })
    .filter((one) => !isWithin || forbidden(one).size === 0);
}
