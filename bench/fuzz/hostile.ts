import type { Random } from '../chaos/random.ts';

const LONG = 'x'.repeat(20_000);
/** Maximum length of repeated text; more than a server accepts. */
const MOST_REPEATED = 30_000_000;
const nested = (depth: number): unknown => {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = i % 2 ? [value] : { a: value };
  return value;
};

/** Names with a meaning in JavaScript objects and programs. */
export const RESERVED_NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'then',
  'length',
  'null',
  'undefined',
];

/** Values that often cause errors. */
const VALUES: readonly unknown[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '\u202e\u2066',
  '\u{1f4a5}',
  'İ',
  'ß',
  'ﬁ',
  'é'.normalize('NFD'),
  '\r\nset-cookie: a=b',
  LONG,
  '../../etc/passwd',
  '/../',
  '//',
  '/./',
  '%00',
  '%2e%2e%2f',
  '*',
  '**',
  '/**',
  '{a,b}',
  '[!a]',
  '{a,{b,{c,{d}}}}',
  '{a,b}'.repeat(30),
  '*'.repeat(300) + 'b',
  '(a+)+$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '(?<=a)b',
  '\\',
  "'; drop table secrets; --",
  '${A}',
  '${dev.A}',
  '${dev.app.A}${dev.app.A}',
  '${'.repeat(500),
  '{{identity.name}}',
  '{{',
  '{{7*7}}',
  '-1',
  '0',
  '1e9',
  '9'.repeat(400),
  '1e400',
  'NaN',
  '0x10',
  '1h',
  '-1h',
  '999999999d',
  '0s',
  '1.5h',
  '+275760-09-13T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2030-02-30T00:00:00Z',
  '2030-01-01',
  '2030-01-01T00:00:00',
  '2016-12-31T23:59:60Z',
  '9999-12-31T23:59:59.999999999+23:59',
  'http://127.0.0.1:1/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/',
  'file:///etc/passwd',
  'https://user:password@example.com',
  'javascript:alert(1)',
  'https://example.com\\@127.0.0.1/',
  'https://' + 'a'.repeat(300) + '.example',
  '0.0.0.0/0',
  '::/0',
  '::ffff:127.0.0.1',
  '256.1.1.1',
  '10.0.0.0/33',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  'a@b',
  'a@b.c'.repeat(100),
  '"a b"@example.com',
  'someone@example.com\n',
  '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
  '-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----',
  '=' + 'A'.repeat(7),
  'MAA=',
  'eyJhbGciOiJub25lIn0.e30.',
  -1,
  0,
  1.5,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e-320,
  true,
  false,
  null,
  [],
  [null],
  [[]],
  {},
  { $ne: null },
  { $glob: '*' },
  { toString: 1 },
  { length: 1e9 },
  nested(60),
  nested(2000),
  Array(1001).fill('a'),
  Array(1001).fill(null),
  Array.from({ length: 200 }, () => ({ secretKey: 'A', secretValue: 'b' })),
  ...RESERVED_NAMES,
];

const hostileValue = (random: Random): unknown => structuredClone(random.pick(VALUES));

/** Text for a part of a path. */
export function hostileText(random: Random): string {
  const value = hostileValue(random);
  return typeof value === 'string' ? value.slice(0, 4000) : JSON.stringify(value).slice(0, 4000);
}

/** Makes an input invalid in one or several places. */
export function spoil(random: Random, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const spoiled = structuredClone(input) as Record<string, unknown>;
  for (let left = random.whole(1, 2); left > 0; left--) spoilOnce(random, spoiled);
  return spoiled;
}

function spoilOnce(random: Random, input: Record<string, unknown>): void {
  const [holder, name] = place(random, input);
  const value = name === undefined ? undefined : holder[name];
  switch (random.weighted({ replace: 6, drop: 1, add: 1, rename: 1, repeat: 1, wrap: 1, plan: 0.5 })) {
    case 'replace':
      if (name !== undefined) holder[name] = hostileValue(random);
      break;
    case 'drop':
      if (name !== undefined) delete holder[name];
      break;
    case 'add':
      define(holder, random.pick(RESERVED_NAMES), hostileValue(random));
      break;
    case 'rename':
      if (name === undefined) break;
      delete holder[name];
      define(holder, random.pick([name.toUpperCase(), `${name} `, ...RESERVED_NAMES]), value);
      break;
    case 'repeat':
      if (name !== undefined) holder[name] = Array(Math.min(random.pick([2, 101, 1001]), timesOf(value))).fill(value);
      break;
    case 'wrap':
      if (name !== undefined) holder[name] = random.pick([[value], { value }, JSON.stringify(value) ?? '']);
      break;
    case 'plan':
      input['dryRun'] = random.pick([true, 'true', 'maybe', null, 1]);
  }
}

/** Maximum number of repetitions: repeated text may be repeated again, and must fit into a string. */
const timesOf = (value: unknown): number =>
  Math.max(2, Math.floor(MOST_REPEATED / ((JSON.stringify(value) ?? '').length + 1)));

/** `__proto__` as a name like any other. A list has no names. */
function define(holder: object, name: string, value: unknown): void {
  if (Array.isArray(holder)) return;
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Somewhere in an input, at any depth. */
function place(
  random: Random,
  input: Record<string, unknown>,
): [holder: Record<string, unknown>, name: string | undefined] {
  let holder = input;
  for (;;) {
    const names = Object.keys(holder);
    if (names.length === 0) return [holder, undefined];
    const name = random.pick(names);
    const inner = holder[name];
    if (typeof inner !== 'object' || inner === null || random.next() < 0.4) return [holder, name];
    holder = inner as Record<string, unknown>;
  }
}
