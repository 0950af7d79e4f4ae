import type { CertificatePolicy } from '../../policy/index.ts';
import type { AltName, ExtendedKeyUsage, KeyAlgorithm, KeyUsage } from '../../x509.ts';

// Published policies, implemented from their documentation, independently of the product.

/** The rule that a refusal names, the type in a policy, the attribute of an order, and what OpenSSL calls it. */
export const FIELDS = [
  { rule: 'common_name', type: 'commonname', attribute: 'commonName', short: 'CN' },
  { rule: 'organization', type: 'organization', attribute: 'organization', short: 'O' },
  { rule: 'organizational_unit', type: 'organizationalunit', attribute: 'organizationalUnit', short: 'OU' },
  { rule: 'country', type: 'country', attribute: 'country', short: 'C' },
  { rule: 'province', type: 'state', attribute: 'state', short: 'ST' },
  { rule: 'locality', type: 'locality', attribute: 'locality', short: 'L' },
] as const;
export type Attribute = (typeof FIELDS)[number]['attribute'];

/** The content of a certificate as far as policies use it. Subjects with OpenSSL's attribute names. */
export interface Content {
  readonly subject: Readonly<Record<string, readonly string[]>>;
  readonly altNames: readonly AltName[];
  readonly keyUsages: readonly KeyUsage[];
  readonly extendedKeyUsages: readonly ExtendedKeyUsage[];
  readonly key: KeyAlgorithm;
  readonly signature: string;
  readonly days: number;
}

export const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
export const includes = (names: readonly string[] | undefined, name: string) =>
  names?.some((one) => letters(one) === letters(name)) ?? false;

export interface Lists {
  readonly allowed?: readonly string[] | undefined;
  readonly required?: readonly string[] | undefined;
  readonly denied?: readonly string[] | undefined;
}

const means = (pattern: string, value: string) =>
  new RegExp(`^${pattern.replaceAll(/[.+?^$()|[\]{}\\/]/g, '\\$&').replaceAll('*', '.*')}$`, 'is').test(value);
/** For a wildcard, also some covered names: those that the pattern may match. */
const namesOf = (value: string, pattern: string) => {
  if (!value.startsWith('*.')) return [value];
  const [label = ''] = pattern.split('.');
  return [value, ...['any', label.replaceAll('*', ''), label.replaceAll('*', 'x')].map((one) => one + value.slice(1))];
};
export const isAllowed = ({ allowed, required = [], denied = [] }: Lists, value: string) =>
  !denied.some((pattern) => namesOf(value, pattern).some((name) => means(pattern, name))) &&
  (!allowed || [...allowed, ...required].some((pattern) => means(pattern, value)));
const isKept = (lists: Lists, values: readonly string[]) =>
  values.every((value) => isAllowed(lists, value)) &&
  (lists.required ?? []).every((pattern) => values.some((value) => means(pattern, value)));
export const isUsable = ({ allowed, required, denied }: Lists, usage: string) =>
  !includes(denied, usage) && (!allowed || includes(allowed, usage) || includes(required, usage));
/** A certificate that names none is for all. */
const areUsable = (lists: Lists, usages: readonly string[]) =>
  (usages.length > 0 || (!lists.allowed?.length && !lists.denied?.length)) &&
  usages.every((usage) => isUsable(lists, usage)) &&
  (lists.required ?? []).every((usage) => includes(usages, usage));

export const subjectRule = ({ subject }: CertificatePolicy, name: string) =>
  subject?.find(({ type }) => letters(type) === name);
export const altNameRule = ({ sans }: CertificatePolicy, kind: string): Lists | undefined =>
  sans?.length ? (sans.find(({ type }) => type.startsWith(kind)) ?? { allowed: [] }) : undefined;

/** The rules of a published policy that a certificate of this content violates, by its documentation. */
export function broken(policy: CertificatePolicy, content: Content): string[] {
  const valuesOf = (kind: string) => content.altNames.filter(({ type }) => type === kind).map(({ value }) => value);
  const [host = ''] = content.subject['CN'] ?? [];
  const isLabel = /^[a-z]\w*$/i.test(host);
  const isAddress = /^[\d.]+$/.test(host);
  const isHost = isLabel || isAddress || (/[a-z]$/i.test(host) && /^[^ @]+\.[^ @]+$/.test(host));
  const isForServers = content.extendedKeyUsages.length === 0 || includes(content.extendedKeyUsages, 'serverAuth');
  const hostKind = isAddress ? 'ip' : 'dns';
  const hostRule = altNameRule(policy, hostKind);
  const hasHost = isForServers && isHost && ['dns', hostKind].every((one) => valuesOf(one).length === 0);
  const ofHost = subjectRule(policy, 'commonname') ? { denied: hostRule?.denied } : hostRule;
  const { algorithms, validity, keyUsages, extendedKeyUsages, basicConstraints } = policy;
  const kept: [string, boolean][] = [
    ...FIELDS.map(({ rule, type, short }): [string, boolean] => [
      rule,
      isKept(subjectRule(policy, type) ?? {}, content.subject[short] ?? []),
    ]),
    ['domain_component', isKept(subjectRule(policy, 'domaincomponent') ?? {}, content.subject['DC'] ?? [])],
    ...['dns', 'ip', 'email', 'uri'].map((kind): [string, boolean] => [
      kind,
      isKept(altNameRule(policy, kind) ?? {}, valuesOf(kind)),
    ]),
    // Clients take it for the name of the host.
    ['common_name', !hasHost || !hostRule || isAllowed(ofHost!, host)],
    ['key_usage', areUsable(keyUsages ?? {}, content.keyUsages)],
    ['extended_key_usage', areUsable(extendedKeyUsages ?? {}, content.extendedKeyUsages)],
    ['key_algorithm', !algorithms?.keyAlgorithm || includes(algorithms.keyAlgorithm, content.key)],
    ['signature_algorithm', !algorithms?.signature || includes(algorithms.signature, content.signature)],
    ['validity', content.days <= Number.parseInt(validity?.max ?? '9999d', 10)],
    ['ca', basicConstraints?.isCA !== 'required'],
  ];
  return kept.flatMap(([rule, isSo]) => (isSo ? [] : [`policy.${rule}`]));
}
