import { createHash, randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { TemplateError } from '../error.ts';
import { alsoAsMust, any, bool, fn, text, variadic, type Functions } from '../functions.ts';
import { fromJson, isEqual, isList, isMap, isTrue, toJson, typeOf, type Value } from '../value.ts';

const hash = (algorithm: string) => fn([text], (from) => createHash(algorithm).update(from).digest('hex'));

function adler32(from: string): string {
  let [a, b] = [1, 0];
  for (const byte of Buffer.from(from)) {
    a = (a + byte) % 65_521;
    b = (b + a) % 65_521;
  }
  return String(b * 65_536 + a);
}

/** RFC 4648. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
function base32(from: string): string {
  const bits = [...Buffer.from(from)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const coded = (bits.match(/.{1,5}/g) ?? []).map((part) => BASE32[Number.parseInt(part.padEnd(5, '0'), 2)]).join('');
  return coded.padEnd(Math.ceil(coded.length / 8) * 8, '=');
}
function fromBase32(from: string): string {
  const bits = Array.from(from.split('=', 1)[0]!).map((char) => {
    const at = BASE32.indexOf(char);
    if (at < 0) throw new TemplateError('the text is not in base 32');
    return at.toString(2).padStart(5, '0');
  });
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((part) => Number.parseInt(part, 2))).toString();
}

function fromBase64(from: string): string {
  if (!/^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(from.replaceAll(/[\r\n]/g, '')))
    throw new TemplateError('the text is not in base 64');
  return Buffer.from(from, 'base64').toString();
}

/** @throws TemplateError without the text, which may be a secret. */
function parseJson(from: string): Value {
  try {
    return fromJson(JSON.parse(from));
  } catch {
    throw new TemplateError('the text is no JSON');
  }
}

/** Go's encoder writes these as escapes, for pages that have JSON in them. */
const forPages = (json: string): string =>
  json.replaceAll(/[<>&\u2028\u2029]/g, (char) => `\\u${char.codePointAt(0)!.toString(16).padStart(4, '0')}`);

const firstTrue = (values: readonly Value[]): Value => values.find(isTrue);
const kindOf = (value: Value): string => {
  if (isMap(value)) return 'map';
  if (isList(value)) return 'slice';
  if (value === null || value === undefined) return 'invalid';
  return value instanceof Object ? 'struct' : typeOf(value);
};

const json: Functions = {
  toJson: fn([any], (value) => forPages(JSON.stringify(toJson(value)))),
  toPrettyJson: fn([any], (value) => forPages(JSON.stringify(toJson(value), undefined, 2))),
  toRawJson: fn([any], (value) => JSON.stringify(toJson(value))),
  fromJson: fn([text], parseJson),
};

/** Defaults, encodings, hashes, paths and types. https://masterminds.github.io/sprig/ */
export const data: Functions = {
  default: variadic([any], any, ([otherwise], [value]) => (isTrue(value) ? value : otherwise)),
  empty: fn([any], (value) => !isTrue(value)),
  coalesce: variadic([], any, (_none, values) => firstTrue(values)),
  all: variadic([], any, (_none, values) => values.every(isTrue)),
  any: variadic([], any, (_none, values) => values.some(isTrue)),
  ternary: fn([any, any, bool], (yes, no, condition) => (condition ? yes : no)),
  fail: fn([text], (message) => {
    throw new TemplateError(message);
  }),
  ...alsoAsMust(json),
  b64enc: fn([text], (from) => Buffer.from(from).toString('base64')),
  b64dec: fn([text], fromBase64),
  b32enc: fn([text], base32),
  b32dec: fn([text], fromBase32),
  sha1sum: hash('sha1'),
  sha256sum: hash('sha256'),
  sha512sum: hash('sha512'),
  adler32sum: fn([text], adler32),
  uuidv4: fn([], () => randomUUID()),
  base: fn([text], (path) => posix.basename(path) || (path.startsWith('/') ? '/' : '.')),
  dir: fn([text], (path) => posix.dirname(path)),
  ext: fn([text], (path) => /\.[^./]*$/.exec(path)?.[0] ?? ''),
  clean: fn([text], (path) => posix.normalize(path).replace(/(?<=.)\/$/, '')),
  isAbs: fn([text], (path) => posix.isAbsolute(path)),
  kindOf: fn([any], kindOf),
  kindIs: fn([text, any], (kind, value) => kindOf(value) === kind),
  typeOf: fn([any], typeOf),
  typeIs: fn([text, any], (type, value) => typeOf(value) === type),
  deepEqual: fn([any, any], isEqual),
  urlParse: fn([text], parseUrl),
};

function parseUrl(from: string): Value {
  if (!URL.canParse(from)) throw new TemplateError('the text is no URL');
  const { protocol, hostname, host, pathname, search, hash: fragment, username, password } = new URL(from);
  return new Map<string, Value>([
    ['scheme', protocol.slice(0, -1)],
    ['host', host],
    ['hostname', hostname],
    ['path', pathname],
    ['query', search.slice(1)],
    ['opaque', ''],
    ['fragment', fragment.slice(1)],
    ['userinfo', username + (password && `:${password}`)],
  ]);
}
