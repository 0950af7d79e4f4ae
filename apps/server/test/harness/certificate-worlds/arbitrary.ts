import fc from 'fast-check';
import { maybe, present, some } from '../worlds.ts';

// Worlds in which certificates are ordered: rules of the caller, what restricts the certificates, and orders. Few names in many
// forms, so that most rules speak of most orders.

export interface CertificateRule {
  readonly subject: string;
  readonly action: string;
  readonly inverted?: boolean;
  readonly conditions?: Readonly<Record<string, unknown>>;
}

export interface NameLimits {
  readonly type: string;
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
}
/** A policy as it is published. */
export interface Policy {
  readonly subject?: readonly NameLimits[];
  readonly sans?: readonly NameLimits[];
  readonly extendedKeyUsages?: { readonly allowed?: readonly string[]; readonly denied?: readonly string[] };
  readonly validity?: { readonly max: string };
}
export interface Template {
  readonly commonName: string;
  readonly subjectAlternativeName: string;
  readonly ttl: string;
  readonly extendedKeyUsages: readonly string[];
}
export interface Order {
  readonly commonName: string;
  readonly altNames: readonly string[];
  readonly extendedKeyUsages?: readonly string[] | undefined;
  readonly days: number;
  readonly organization?: string | undefined;
}
/** What restricts certificates besides the rules of whoever asks for them. */
export interface Restrictions {
  readonly policy: Policy;
  readonly template: Template;
}
export interface World {
  readonly nameConstraints?: object | undefined;
  readonly before: Restrictions;
  /** Each by another caller. */
  readonly orders: readonly { readonly order: Order; readonly rules: readonly CertificateRule[] }[];
  /** When certificates are renewed, by a caller with these rules. */
  readonly after: Restrictions;
  readonly rules: readonly CertificateRule[];
}

/** For which clients ask. */
export const HOSTS = ['admin.example.com', 'app.example.com', 'my_db.example.com', 'admin.example.org', 'vault'];
export const ADDRESSES = ['10.0.0.1'];
export const MAILBOXES = ['ann@example.com', 'admin@example.com'];

// One name most often, in all forms that clients take for it: of it most rules speak.
const ADMIN = ['admin.example.com', 'ADMIN.example.com', '*.example.com'];
const COMMON_NAMES = [
  ...[...ADMIN, ...ADMIN, 'admin.example.com.', ' admin.example.com', '*.EXAMPLE.com', 'a*.example.com'],
  ...[...HOSTS, 'Vault', '10.0.0.1', 'Ann Lee', 'ann', 'ann', ''],
];
const ALT_NAMES = [
  ...[...ADMIN, 'app.example.com', 'admin.example.org', '10.0.0.1', 'ann@example.com', 'Admin@Example.com'],
  ...['spiffe://prod/admin', 'spiffe://prod/%61dmin'],
];
const TEXTS = [
  ...Array<string>(6).fill('admin.example.com'),
  ...['*.example.com', '*.example.com', 'app.example.com', 'my_db.example.com', 'vault', '10.0.0.1', 'ann'],
  ...['ann@example.com', 'admin@example.com', 'spiffe://prod/admin'],
];
const GLOBS = [
  '*',
  '*.example.com',
  'admin.*',
  '{admin,my_db}.example.com',
  '[!b]*.example.com',
  '?.example.com',
  '10.*',
];
const PATTERNS = ['*', '*.example.com', 'admin.*', 'app.example.com', '10.*', '*admin*'];
const EXPRESSIONS = [
  '.*',
  String.raw`.*\.example\.com`,
  String.raw`[^.]{1,8}\.example\.com`,
  String.raw`(?i)a.*|vault`,
];
const USAGES = ['serverAuth', 'clientAuth', 'codeSigning'];

const condition = fc.oneof(
  fc.constantFrom(...TEXTS),
  some(TEXTS, 4)
    .filter((texts) => texts.length > 0)
    .map(($in) => ({ $in })),
  fc.constantFrom(...GLOBS).map(($glob) => ({ $glob })),
  fc.constantFrom(...TEXTS).map(($ne) => ({ $ne })),
  fc.tuple(fc.constantFrom(...GLOBS), fc.constantFrom(...TEXTS)).map(([$glob, $ne]) => ({ $glob, $ne })),
);
const organization = fc.constantFrom('Example', 'system:masters');
const create = (conditions: Readonly<Record<string, unknown>>, inverted: boolean): CertificateRule => ({
  subject: 'certificates',
  action: 'create',
  ...(inverted && { inverted }),
  ...(Object.keys(conditions).length > 0 && { conditions }),
});
const ofNames = fc
  .tuple(
    present(fc.record({ commonName: maybe(condition), altNames: maybe(condition) })),
    fc.option(organization, { nil: undefined, freq: 4 }),
    fc.constantFrom(false, false, true),
  )
  .map(([names, named, inverted]) => create({ ...names, ...(named && { organization: named }) }, inverted));
const issuing = some(['certificate-templates', 'certificate-profiles', 'pki-subscribers'], 3).map((subjects) =>
  subjects.map((subject): CertificateRule => ({ subject, action: 'issue-cert' })),
);
const rules = fc
  .tuple(fc.boolean(), fc.array(ofNames, { maxLength: 3 }), issuing)
  .map(([isGeneral, names, others]) => [...(isGeneral ? [create({}, false)] : []), ...names, ...others]);

const limits = (type: string): fc.Arbitrary<NameLimits> =>
  present(
    fc.record({ type: fc.constant(type), allowed: maybe(some(PATTERNS)), denied: maybe(some(PATTERNS.slice(1), 1)) }),
  ) as fc.Arbitrary<NameLimits>;
const named = (usages: readonly string[]) => usages.map((usage) => usage.replace('Auth', '_auth').replace('S', '_s'));
const ttl = fc.constantFrom('1d', '30d', '400d');
const policy = present(
  fc.record({
    subject: maybe(fc.tuple(limits('common_name')).map((all) => [...all])),
    sans: maybe(some(['dns_name', 'ip_address', 'email', 'uri'], 3).chain((types) => fc.tuple(...types.map(limits)))),
    extendedKeyUsages: maybe(
      present(fc.record({ allowed: maybe(some(named(USAGES))), denied: maybe(some(named(USAGES), 1)) })),
    ),
    validity: maybe(ttl.map((max) => ({ max }))),
  }),
) as fc.Arbitrary<Policy>;
const template: fc.Arbitrary<Template> = fc.record({
  commonName: fc.constantFrom(...EXPRESSIONS),
  subjectAlternativeName: fc.constantFrom(...EXPRESSIONS),
  ttl,
  extendedKeyUsages: some(USAGES),
});
const restrictions: fc.Arbitrary<Restrictions> = fc.record({ policy, template });

const order: fc.Arbitrary<Order> = fc.record({
  commonName: fc.constantFrom(...COMMON_NAMES),
  altNames: some(ALT_NAMES),
  extendedKeyUsages: maybe(some(USAGES)),
  days: fc.constantFrom(1, 1, 30, 400),
  organization: fc.option(organization, { nil: undefined, freq: 2 }),
});
const constrained = fc.constantFrom(
  { permitted: [{ type: 'dns', value: 'example.com' }] },
  { excluded: [{ type: 'dns', value: 'admin.example.com' }] },
  { excluded: [{ type: 'ip', value: '10.0.0.0/8' }] },
);

export const worlds: fc.Arbitrary<World> = fc.record({
  nameConstraints: maybe(constrained),
  before: restrictions,
  orders: fc.array(fc.record({ order, rules }), { minLength: 8, maxLength: 12 }),
  after: restrictions,
  rules,
});
