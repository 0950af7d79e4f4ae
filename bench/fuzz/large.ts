import type { Random } from '../chaos/random.ts';
import type { Schema } from './document.ts';

/**
 * Large values in formats that servers parse: rules, keys and certificates, JSON, lists, references. If one blocks the
 * event loop, so can its sender.
 */

const times = <T>(count: number, one: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => one(n));
const SUBJECTS = ['secrets', 'secrets', 'secret-folders', 'certificates'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  secrets: ['secretName', 'secretPath', 'environment', 'secretTags'],
  'secret-folders': ['secretPath', 'environment'],
  certificates: ['commonName', 'serialNumber', 'friendlyName'],
};
const GLOBS: readonly ((n: number) => string)[] = [
  (n) => `${'*A'.repeat(450)}B${n}*`,
  (n) => `/**/${'*a'.repeat(60)}${n}/**`,
  (n) => `${'{a,b}'.repeat(6)}${n}`,
  (n) => `{${'a,'.repeat(99)}b}{${'c,'.repeat(300)}d}${n}.example.com`,
  (n) => `${'[!a-z]'.repeat(80)}${n}*`,
  (n) => `${'{'.repeat(500)}${n}`,
  (n) => `${'{{a'.repeat(300)}${n}`,
  (n) => `{{identity.metadata.${'a'.repeat(200)}}}${n}`,
];
const UNICODE = [
  'e\u0301'.repeat(300),
  '\u202e\u2066'.repeat(300),
  '\ud800'.repeat(300),
  'a\0'.repeat(300),
  '\ufdfa'.repeat(300),
];

/** A condition on a field, with about the maximum number of texts or globs. */
function condition(random: Random, field: string): unknown {
  const glob = random.pick(GLOBS);
  const count = random.pick([20, 200, 1000, 1001]);
  const texts = times(count, (n) => random.pick([() => `text ${n}`, () => '{'.repeat(1000), () => glob(n)])());
  const operators: Record<string, () => unknown> = {
    glob: () => ({ $glob: glob(random.whole(0, 1e6)) }),
    in: () => ({ $in: texts }),
    all: () => ({ $all: texts }),
    ne: () => ({ $ne: glob(0) }),
    unicode: () => ({ $in: times(200, () => random.pick(UNICODE)) }),
  };
  if (field === 'metadata')
    return { $elemMatch: { key: { $in: texts }, value: { $glob: glob(random.whole(0, 1e6)) } } };
  return random.pick(Object.values(operators))();
}

const rules = (random: Random): unknown[] => {
  const subject = random.pick(SUBJECTS);
  const fields = FIELDS[subject]!;
  const conditions = Object.fromEntries(
    fields.slice(0, random.whole(1, 3)).map((field) => [field, condition(random, field)]),
  );
  const isLarge = JSON.stringify(conditions).length > 5000;
  return times(random.pick(isLarge ? [1, 5, 20] : [20, 300, 1000]), (n) => ({
    subject,
    action:
      subject === 'secrets' ? ['describeSecret', 'readValue', 'create', 'edit', 'delete'] : ['read', 'create', 'edit'],
    conditions: {
      ...conditions,
      ...(random.next() < 0.5 && { [fields[0]!]: { $glob: random.pick(GLOBS)(n) } }),
    },
    ...(random.next() < 0.3 && { inverted: true }),
  }));
};

/** DER: a tag and its content. */
const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  if (length < 128) return Buffer.concat([Buffer.from([tag, length]), content]);
  const bytes = Buffer.from(length.toString(16).padStart(8, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x84]), bytes, content]);
};
const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const integer = (bytes: number): Buffer =>
  der(2, Buffer.concat([Buffer.from([0x7f]), Buffer.alloc(bytes, 0xa5), Buffer.from([1])]));
const oid = (hex: string): Buffer => der(6, Buffer.from(hex, 'hex'));
const NULL = Buffer.from([5, 0]);
const bits = (content: Buffer): Buffer => der(3, Buffer.from([0]), content);

const KEYS: Readonly<Record<string, (bytes: number) => { algorithm: Buffer; secret: Buffer; known: Buffer }>> = {
  rsa: (n) => ({
    algorithm: sequence(oid('2a864886f70d010101'), NULL),
    secret: sequence(der(2, Buffer.from([0])), ...times(8, () => integer(n))),
    known: sequence(integer(n), integer(Math.min(n, 2000))),
  }),
  dsa: (n) => ({
    algorithm: sequence(oid('2a8648ce380401'), sequence(integer(n), integer(n), integer(n))),
    secret: integer(n),
    known: integer(n),
  }),
  dh: (n) => ({
    algorithm: sequence(oid('2a864886f70d010301'), sequence(integer(n), integer(n))),
    secret: integer(n),
    known: integer(n),
  }),
  // A curve by its numbers, which may be any.
  ec: (n) => ({
    algorithm: sequence(
      oid('2a8648ce3d0201'),
      sequence(
        der(2, Buffer.from([1])),
        sequence(oid('2a8648ce3d0101'), integer(n)),
        sequence(der(4, Buffer.alloc(n, 1)), der(4, Buffer.alloc(n, 2))),
        der(4, Buffer.concat([Buffer.from([4]), Buffer.alloc(2 * n, 3)])),
        integer(n),
        der(2, Buffer.from([1])),
      ),
    ),
    secret: sequence(der(2, Buffer.from([1])), der(4, Buffer.alloc(n, 5))),
    known: Buffer.concat([Buffer.from([4]), Buffer.alloc(2 * n, 3)]),
  }),
};

const pem = (label: string, content: Buffer): string =>
  `-----BEGIN ${label}-----\n${content.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`;

/** Names of a certificate or CSR: some hundreds, or a very long one. */
const names = (random: Random): Buffer =>
  sequence(
    ...random.pick([
      () => times(1000, (n) => der(0x82, Buffer.from(`h${n}.b.example`))),
      () => [der(0x82, Buffer.from('*'.repeat(20_000)))],
      () => times(300, (n) => der(0x82, Buffer.from(`*.${'a.'.repeat(100)}${n}`))),
      () => times(500, () => der(0x87, Buffer.alloc(4, 1))),
    ])(),
  );
const TIME = der(0x18, Buffer.from('99991231235959Z'));
const attribute = (text: string): Buffer => der(0x31, sequence(oid('550403'), der(12, Buffer.from(text))));

function certificate(random: Random, isRequest: boolean): string {
  const { algorithm, known } = random.pick(Object.values(KEYS))(random.pick([31, 256, 1000, 4000]));
  const spki = sequence(algorithm, bits(known));
  const subject = sequence(...times(random.pick([1, 50, 1000]), (n) => attribute(`name ${n}`)));
  const constraints = sequence(der(0xa0, ...times(1000, (n) => sequence(der(0x82, Buffer.from(`s${n}.example`))))));
  const extension = (id: string, value: Buffer) => sequence(oid(id), der(4, value));
  const extensions = sequence(extension('551d11', names(random)), extension('551d1e', constraints));
  const signature = [sequence(oid('2a8648ce3d040302')), bits(Buffer.alloc(70, 1))];
  const version = der(2, Buffer.from([0]));
  const body = isRequest
    ? sequence(version, subject, spki, der(0xa0, sequence(oid('2a864886f70d01090e'), der(0x31, extensions))))
    : sequence(
        der(0xa0, der(2, Buffer.from([2]))),
        integer(random.pick([8, 20, 2000])),
        sequence(oid('2a8648ce3d040302')),
        subject,
        sequence(TIME, TIME),
        subject,
        spki,
        der(0xa3, extensions),
      );
  return pem(isRequest ? 'CERTIFICATE REQUEST' : 'CERTIFICATE', sequence(body, ...signature));
}

function key(random: Random, isPrivate: boolean): string {
  const { algorithm, secret, known } = random.pick(Object.values(KEYS))(random.pick([31, 256, 1000, 2000, 5000]));
  return isPrivate
    ? pem('PRIVATE KEY', sequence(der(2, Buffer.from([0])), algorithm, der(4, secret)))
    : pem('PUBLIC KEY', sequence(algorithm, bits(known)));
}

/** Deeply nested values. */
function nest(depth: number, wrap: (inner: Buffer) => Buffer): Buffer {
  let value: Buffer = Buffer.from([5, 0]);
  for (let n = 0; n < depth; n++) value = wrap(value);
  return value;
}

const PEMS: readonly ((random: Random) => string)[] = [
  (random) => certificate(random, false),
  (random) => certificate(random, true),
  (random) => times(21, () => certificate(random, false)).join(''),
  (random) => key(random, true),
  (random) => key(random, false),
  (random) =>
    pem(random.pick(['CERTIFICATE', 'CERTIFICATE REQUEST', 'PRIVATE KEY', 'PUBLIC KEY']), nest(3000, sequence)),
  () => '-----BEGIN CERTIFICATE-----\n'.repeat(2000),
];

const TEXTS: readonly ((random: Random) => string)[] = [
  (random) =>
    random.pick(['{{', '${', '{', '[', '(', '*', '/', '.', 'a@', '=', 'dn: ', '%25', '\\', ' ']).repeat(9_000),
  (random) => random.pick(GLOBS)(7),
  (random) => random.pick(UNICODE).repeat(20),
  () => times(2000, (n) => `\${dev.app.KEY_${n}}`).join(''),
  () => times(20_000, (n) => n.toString(36)).join(''),
  () => times(2000, () => '9'.repeat(9)).join('.'),
  () => `${'9'.repeat(9000)}d`,
  () => '-'.repeat(5000) + '1',
  () => `${'[{"a":'.repeat(5000)}1`,
  () => times(500, (n) => `*.a${n}.example.com`).join(','),
];

const LISTS: readonly ((random: Random) => unknown)[] = [
  () => times(1000, () => 'the same'),
  () => times(1000, () => crypto.randomUUID()),
  () => times(1000, (n) => `${'a'.repeat(200)}${n}`),
  (random) => times(100, () => random.pick(GLOBS)(1)),
  () => times(1000, (n) => ({ key: 'k', value: `v${n}` })),
  () => times(1000, () => ({ key: 'k'.repeat(255), value: 'v'.repeat(1000) })),
  () => times(1000, (n) => ({ secretKey: `K_${n}`, secretValue: '${dev.app.A}'.repeat(50) })),
  () => times(1000, (n) => ({ secretKey: `C_${n}`, secretValue: `\${C_${n + 1}}\${C_${n + 2}}` })),
];

const DATES = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-14:00',
  `2030-01-01T00:00:00.${'9'.repeat(5000)}Z`,
];

/** Whether a schema may be satisfied by a value of this type, and how long that may be. */
function bounds(schema: Schema, type: 'string' | 'array'): number | undefined {
  const { anyOf, oneOf, allOf, maxLength, maxItems } = schema;
  const inner = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])].map((one) => bounds(one, type));
  if (inner.length > 0) return inner.find((one) => one !== undefined);
  if (![schema.type ?? type].flat().includes(type)) return undefined;
  return (type === 'string' ? maxLength : maxItems) ?? 1_000_000;
}

/** Whether a field accepts long text, or a long list. */
export const mayBeLarge = (name: string, schema: Schema): boolean =>
  STRUCTURED.test(name) ||
  (!/^dryRun$|email|slug$/i.test(name) &&
    !JSON.stringify(schema).includes('"enum"') &&
    Math.max(bounds(schema, 'string') ?? 0, bounds(schema, 'array') ?? 0) > 50);

/** Fields that hold rules, keys, certificates or many secrets. */
export const STRUCTURED = /permissions$|pem$|csr|chain|certificate$|cert$|keys?$|jwk|secrets$/i;

/**
 * A large value for a field of this name, mostly no larger than its schema allows; `fitting` makes an element of a list of
 * objects.
 */
export function largeValue(random: Random, name: string, schema: Schema, fitting: () => unknown): unknown {
  const isBounded = random.next() < 0.85;
  const [longest, most] = [bounds(schema, 'string'), bounds(schema, 'array')];
  const one = most === undefined || STRUCTURED.test(name) ? undefined : fitting();
  const value =
    typeof one === 'object' ? times(Math.min(most!, 1000), fitting) : valueFor(random, name, most === undefined);
  if (!isBounded) return value;
  if (typeof value === 'string') return longest === undefined ? value : value.slice(0, longest);
  return Array.isArray(value) && most !== undefined ? (value.slice(0, most) as unknown[]) : value;
}

function valueFor(random: Random, name: string, isText: boolean): unknown {
  if (/permissions$/i.test(name)) return rules(random);
  if (/pem$|csr|chain|certificate$|cert$|publicKeys?$|privateKey|caCert|jwk/i.test(name)) {
    const made = random.pick(PEMS)(random);
    return isText ? made : times(random.pick([1, 20]), () => made);
  }
  if (/secrets$/i.test(name)) return LISTS.at(-random.whole(1, 2))!(random);
  if (/(at|date|before|after|expires.*|ends?|from|to)$/i.test(name) && random.next() < 0.5) return random.pick(DATES);
  return isText ? random.pick(TEXTS)(random) : random.pick(LISTS)(random);
}
