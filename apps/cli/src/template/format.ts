import { quote } from './quote.ts';
import { isList, isMap, sortedEntries, typeOf, type Value } from './value.ts';

/** A value as `%v` of Go's fmt writes it, which is how templates print. https://pkg.go.dev/fmt */
export function plain(value: Value, { names = false, quoted = false } = {}): string {
  const options = { names, quoted };
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return quoted ? quote(value) : value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (isList(value)) return `[${value.map((one) => plain(one, options)).join(' ')}]`;
  if (isMap(value))
    return `map[${sortedEntries(value)
      .map(([name, one]) => `${plain(name, options)}:${plain(one, options)}`)
      .join(' ')}]`;
  const fields = Object.entries(value.fields);
  return `{${fields.map(([name, one]) => (names ? `${name}:` : '') + plain(one, options)).join(' ')}}`;
}

/** Numbers with exponents from 1e21 and below 1e-4. */
function numberText(value: number): string {
  if (!Number.isFinite(value)) return special(value);
  const size = Math.abs(value);
  if (value === 0 || (size >= 1e-4 && size < 1e21)) return String(value);
  return exponent(value.toExponential());
}

const special = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');
/** Exponents of Go have two digits at least. */
const exponent = (text: string): string => text.replace(/e([+-])(\d)$/, 'e$10$2');

/** Values side by side, with a blank between two that are no texts, as fmt.Sprint. */
export const print = (values: readonly Value[]): string =>
  values
    .map((value, index) => {
      const spaced = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string';
      return (spaced ? ' ' : '') + plain(value);
    })
    .join('');

const VERB = /%([-+# 0]*)(\*|\d+)?(?:\.(\*|\d*))?(.)/gsu;

/** The widest that a value is filled up to. */
const WIDEST = 1_000_000;

/** As fmt.Sprintf: what does not fit a verb is written as `%!verb(type=value)`. */
export function printf(format: string, values: readonly Value[]): string {
  let used = 0;
  const next = (): Value => values[used++];
  const done = format.replaceAll(VERB, (_whole, flags: string, width, precision, verb: string) => {
    if (verb === '%') return '%';
    const wide = count(width as string | undefined, next);
    const exact = precision === '' ? 0 : count(precision as string | undefined, next);
    if (used >= values.length) return `%!${verb}(MISSING)`;
    return pad(verbText(verb, next(), { flags, precision: exact }), wide, flags, verb);
  });
  const whole = /(?:^|[^%])(?:%%)*%$/.test(format) ? `${done.slice(0, -1)}%!(NOVERB)` : done;
  if (used >= values.length) return whole;
  const extra = values.slice(used).map((value) => `${typeOf(value)}=${plain(value)}`);
  return `${whole}%!(EXTRA ${extra.join(', ')})`;
}

function count(given: string | undefined, next: () => Value): number | undefined {
  if (given === undefined) return undefined;
  const value = given === '*' ? next() : Number(given);
  return typeof value === 'number' && Math.abs(value) <= WIDEST ? value : undefined;
}

interface Options {
  readonly flags: string;
  readonly precision: number | undefined;
}

function verbText(verb: string, value: Value, options: Options): string {
  const write = VERBS[verb];
  const written = write?.(value, options);
  if (written !== undefined) return written;
  return value === null || value === undefined ? `%!${verb}(<nil>)` : `%!${verb}(${typeOf(value)}=${plain(value)})`;
}

/** Each verb; `undefined` for a value of another type. */
const VERBS: Readonly<Record<string, (value: Value, options: Options) => string | undefined>> = {
  v: (value, { flags }) => {
    if (flags.includes('#')) return plain(value, { names: true, quoted: true });
    return signed(value, plain(value, { names: flags.includes('+') }), flags);
  },
  T: (value) => (value === null || value === undefined ? '<nil>' : typeOf(value)),
  t: (value) => (typeof value === 'boolean' ? String(value) : undefined),
  s: (value, { precision }) =>
    typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined
      ? undefined
      : Array.from(plain(value)).slice(0, precision).join(''),
  q: (value, { precision }) => {
    if (typeof value === 'number') return `'${String.fromCodePoint(value)}'`;
    if (typeof value === 'string') return quote(Array.from(value).slice(0, precision).join(''));
    return isList(value) || isMap(value) ? plain(value, { quoted: true }) : undefined;
  },
  d: (value, { flags }) => whole(value, (one) => signed(one, String(one), flags)),
  b: (value) => whole(value, (one) => one.toString(2)),
  o: (value) => whole(value, (one) => one.toString(8)),
  c: (value) => whole(value, (one) => String.fromCodePoint(one)),
  U: (value) => whole(value, (one) => `U+${one.toString(16).toUpperCase().padStart(4, '0')}`),
  x: (value, { flags }) => hex(value, flags),
  X: (value, { flags }) => hex(value, flags)?.toUpperCase(),
  f: (value, { flags, precision = 6 }) =>
    real(value, (one) => signed(one, one.toFixed(Math.min(precision, 100)), flags)),
  F: (value, options) => VERBS['f']!(value, options),
  e: (value, { flags, precision = 6 }) =>
    real(value, (one) => signed(one, exponent(one.toExponential(Math.min(precision, 100))), flags)),
  g: (value, { flags, precision }) =>
    real(value, (one) =>
      signed(
        one,
        precision === undefined
          ? numberText(one)
          : exponent(String(Number(one.toPrecision(Math.min(Math.max(precision, 1), 100))))),
        flags,
      ),
    ),
};

const whole = (value: Value, write: (value: number) => string): string | undefined =>
  typeof value === 'number' && Number.isInteger(value) ? write(value) : undefined;
const real = (value: Value, write: (value: number) => string): string | undefined =>
  typeof value === 'number' ? (Number.isFinite(value) ? write(value) : special(value)) : undefined;

function signed(value: Value, written: string, flags: string): string {
  if (typeof value !== 'number' || value < 0) return written;
  return flags.includes('+') ? `+${written}` : flags.includes(' ') ? ` ${written}` : written;
}

function hex(value: Value, flags: string): string | undefined {
  const prefix = flags.includes('#') ? '0x' : '';
  if (typeof value === 'string') return prefix + Buffer.from(value).toString('hex');
  return whole(value, (one) => (one < 0 ? '-' : '') + prefix + Math.abs(one).toString(16));
}

function pad(written: string, width: number | undefined, flags: string, verb: string): string {
  const missing = Math.abs(width ?? 0) - Array.from(written).length;
  if (missing <= 0) return written;
  if (flags.includes('-') || (width ?? 0) < 0) return written + ' '.repeat(missing);
  if (!flags.includes('0') || 'sqv'.includes(verb)) return ' '.repeat(missing) + written;
  const sign = /^[+-]/.test(written) ? 1 : 0;
  return written.slice(0, sign) + '0'.repeat(missing) + written.slice(sign);
}
