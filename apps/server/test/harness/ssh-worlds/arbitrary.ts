import type { Rule } from '@coffer/domain';
import fc from 'fast-check';
import { anyPlayer, maybe, present, some, type Rights } from '../worlds.ts';

// Worlds in which SSH certificates are ordered, revoked, and lose the trust of hosts. Few names, so that most patterns and rules speak
// of most of them.

export type Options = Readonly<Record<string, string>>;

export interface NewTemplate {
  /** Which authority. */
  readonly ca: number;
  readonly ttl: string;
  readonly maxTTL: string;
  readonly allowedUsers: readonly string[];
  readonly allowedHosts: readonly string[];
  readonly allowUserCertificates: boolean;
  readonly allowHostCertificates: boolean;
  readonly allowCustomKeyIds: boolean;
  readonly allowedCriticalOptions: readonly string[];
  readonly defaultCriticalOptions: Options;
  readonly allowedExtensions: readonly string[];
}

/** Null is inherited. */
export interface Settings {
  readonly principalMode: string | null;
  /** Which authority. */
  readonly userCa: number | null;
  /** Who is mapped: people by their number, and whether the team is. */
  readonly mappings: readonly {
    readonly loginUser: string;
    readonly people: readonly number[];
    readonly isTeam: boolean;
  }[];
}
export interface NewHost extends Settings {
  readonly hostname: string;
  readonly userCertTtl: string;
  readonly hostCertTtl: string;
  readonly hostCa: number;
}

export interface Order {
  readonly certType: 'user' | 'host';
  readonly principals: readonly string[];
  readonly ttl?: string | undefined;
  readonly keyId?: string | undefined;
  readonly criticalOptions?: Options | undefined;
  readonly extensions?: Options | undefined;
}

export interface Step {
  /** An operation, or what happens besides. */
  readonly what: string;
  readonly by: number;
  /** Which authority, template, host or certificate. */
  readonly which: number;
  readonly isTrpc: boolean;
  /** What is of this order, the rest is what its template allows; `everything`: all of it. */
  readonly odd: 'nothing' | 'everything' | keyof Order;
  readonly order: Order;
  readonly template: Partial<Omit<NewTemplate, 'ca'>> & { readonly status?: string };
  readonly host: NewHost;
  readonly loginUser: string;
  readonly isOn: boolean;
  readonly rotation: { readonly overlap?: string; readonly signAfter?: string };
  readonly rights: Rights;
}

export interface World {
  readonly templates: readonly NewTemplate[];
  readonly hosts: readonly NewHost[];
  readonly group: Settings;
  readonly callers: readonly Rights[];
  readonly steps: readonly Step[];
}

const HOSTNAMES = ['a.example.com', 'b.example.com', 'db.example.org'];
export const LOGIN_USERS = ['deploy', 'root'];

const SUBJECTS: readonly Rule[] = [
  { subject: 'ssh-certificates', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'ssh-certificate-templates', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'ssh-certificate-authorities', action: ['read', 'create', 'edit', 'delete'] },
  { subject: 'ssh-hosts', action: ['read', 'create', 'edit', 'delete', 'issue-host-cert'] },
];
export const EVERYTHING = SUBJECTS;

const hostname = fc.oneof(
  fc.constantFrom(...HOSTNAMES),
  fc.constantFrom('*', '*.example.com', '[!a]*', '{a,db}.example.*').map(($glob) => ({ $glob })),
  fc.constantFrom(...HOSTNAMES).map(($ne) => ({ $ne })),
);
const rule = fc
  .tuple(fc.constantFrom(...SUBJECTS), fc.boolean(), fc.constantFrom(false, false, false, true), hostname)
  .chain(([{ subject, action }, isLimited, inverted, name]) =>
    fc
      .oneof(fc.constant(action as string[]), fc.subarray(action as string[], { minLength: 1, maxLength: 2 }))
      .map((actions): Rule => ({
        ...{ subject, action: actions },
        ...(inverted && { inverted }),
        ...(subject === 'ssh-hosts' && isLimited && { conditions: { hostname: name } }),
      })),
  );
const rules = (maxLength: number) => fc.array(rule, { maxLength });
/** Everything, but not on one host, or not one subject. */
const allButOne = fc
  .tuple(fc.constantFrom(...SUBJECTS, ...Array<Rule>(4).fill(SUBJECTS.at(-1)!)), fc.constantFrom(...HOSTNAMES))
  .map(([one, name]): Rule[] => [
    ...SUBJECTS,
    { ...one, inverted: true, ...(one.subject === 'ssh-hosts' && { conditions: { hostname: name } }) },
  ]);
const rights: fc.Arbitrary<Rights> = fc.record({
  lasting: fc.oneof(
    rules(4),
    rules(2).map((more) => [...SUBJECTS, ...more]),
    allButOne,
  ),
  temporary: fc.oneof(fc.constant([]), fc.constant([...SUBJECTS]), rules(2)),
});

const criticalOptions = fc.constantFrom<Options>(
  {},
  {},
  { 'force-command': 'uptime' },
  { 'source-address': '10.0.0.0/8' },
  { 'source-address': '0.0.0.0/0' },
);
const names = { 'force-command': '', 'source-address': '' };
const content = {
  ttl: fc.constantFrom('30m', '1h', '2d'),
  maxTTL: fc.constantFrom('1h', '1d', '30d'),
  allowedUsers: fc.oneof(
    {
      weight: 5,
      arbitrary: fc.subarray(['deploy', 'root', 'app-*', 'host:*', 'r*', '*'], { minLength: 1, maxLength: 3 }),
    },
    { weight: 1, arbitrary: fc.constant<string[]>([]) },
  ),
  allowedHosts: some(['a.example.com', '*.example.com', 'A*', '*b*', '*'], 2),
  allowUserCertificates: fc.constantFrom(true, true, true, false),
  allowHostCertificates: fc.boolean(),
  allowCustomKeyIds: fc.boolean(),
  allowedCriticalOptions: some(Object.keys(names), 2),
  defaultCriticalOptions: criticalOptions,
  allowedExtensions: some(['permit-pty', 'login@example.com'], 2),
};
const newTemplate: fc.Arbitrary<NewTemplate> = fc
  .record({ ca: fc.nat(1), ...content })
  .map((all) => (all.ttl === '2d' ? { ...all, maxTTL: '30d' } : all));

const settings = {
  principalMode: fc.constantFrom('login-user', 'host-bound', null),
  userCa: fc.constantFrom(0, 1, null),
  mappings: fc.uniqueArray(
    fc.record({ loginUser: fc.constantFrom(...LOGIN_USERS), people: some([0, 1], 2), isTeam: fc.boolean() }),
    { maxLength: 2, selector: (one) => one.loginUser },
  ),
};
const newHost: fc.Arbitrary<NewHost> = fc.record({
  ...settings,
  hostname: fc.constantFrom(...HOSTNAMES),
  userCertTtl: fc.constantFrom('30m', '8h', '3d'),
  hostCertTtl: fc.constantFrom('6h', '3d', '90d'),
  hostCa: fc.nat(1),
});

const users = [
  'deploy',
  'deploy',
  'root',
  'app-1',
  'Deploy',
  'Deploy',
  'Root',
  'app-*',
  '*',
  '',
  'de ploy',
  'root,deploy',
];
const hosts = [...HOSTNAMES, '*.example.com', '*', 'A.example.com', '*a*.example.com', 'a.example.com.evil.org'];
const order: fc.Arbitrary<Order> = fc
  .constantFrom('user' as const, 'user' as const, 'host' as const)
  .chain((certType) =>
    fc.record({
      certType: fc.constant(certType),
      principals: fc.oneof(
        fc.constantFrom(...(certType === 'user' ? users : hosts)).map((one) => [one]),
        fc.array(fc.constantFrom(...(certType === 'user' ? users : hosts)), { maxLength: 3 }),
      ),
      ttl: maybe(fc.constantFrom('5m', '1h', '2h', '1d', '40d')),
      keyId: fc.constantFrom(undefined, undefined, undefined, 'custom', 'two\nlines'),
      criticalOptions: maybe(
        fc.oneof(
          criticalOptions,
          fc.constantFrom<Options>({ 'source-address': '10.0.0.1/8' }, { 'verify-required': '' }),
        ),
      ),
      extensions: fc.constantFrom<Options | undefined>(
        ...[undefined, undefined, undefined, {}, { 'permit-pty': '' }, { 'permit-pty': 'yes' }],
        ...[{ 'permit-everything': '' }, { 'login@example.com': 'ann' }],
      ),
    }),
  );

const WHAT = [
  ...['issue', 'issue', 'issue', 'sign', 'sign', 'login', 'login', 'login', 'login', 'host-cert', 'host-cert'],
  ...[
    'revoke',
    'revoke',
    'read',
    'list',
    'template',
    'template',
    'delete-template',
    'authority',
    'authority',
    'rotate',
    'rotate',
  ],
  ...[
    'delete-authority',
    'host',
    'host',
    'delete-host',
    'membership',
    'team',
    'group',
    'join',
    'default',
    'other rights',
    'an hour',
    'a day',
  ],
];
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(...WHAT),
  by: anyPlayer,
  which: fc.nat(20),
  isTrpc: fc.boolean(),
  odd: fc.constantFrom(
    ...(['nothing', 'nothing', 'nothing', 'principals', 'principals', 'principals', 'ttl', 'ttl'] as const),
    ...(['keyId', 'criticalOptions', 'criticalOptions', 'extensions', 'everything', 'everything'] as const),
  ),
  order,
  template: fc.record({ ...content, status: fc.constantFrom('active', 'active', 'disabled') }, { requiredKeys: [] }),
  host: newHost,
  loginUser: fc.constantFrom(...LOGIN_USERS),
  isOn: fc.boolean(),
  rotation: present(
    fc.record({
      overlap: fc.constantFrom(undefined, '1s', '10m', '1h', '1h', '1d', '60d'),
      signAfter: fc.constantFrom(undefined, undefined, '30m', '2h'),
    }),
  ) as fc.Arbitrary<Step['rotation']>,
  rights,
});

export const worlds: fc.Arbitrary<World> = fc.record({
  templates: fc.array(newTemplate, { minLength: 2, maxLength: 3 }),
  hosts: fc.uniqueArray(newHost, { minLength: 2, maxLength: 2, selector: (one) => one.hostname }),
  group: fc.record(settings),
  callers: fc.array(rights, { minLength: 3, maxLength: 3 }),
  steps: fc.array(step, { minLength: 25, maxLength: 40 }),
});
