const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gs;

/** The value of a text of Go: "interpreted", `raw`, or a character in single quotes, which is its number. */
export function unquote(text: string): string | number {
  const inner = text.slice(1, -1);
  if (text.startsWith('`')) return inner.replaceAll('\r', '');
  const value = inner.replaceAll(ESCAPE, (whole, x?: string, u?: string, U?: string, octal?: string, char = '') => {
    const hex = x ?? u ?? U;
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (octal) return String.fromCodePoint(Number.parseInt(octal, 8));
    const known = ESCAPES[char];
    if (known === undefined) throw new SyntaxError(`unknown escape ${whole}`);
    return known;
  });
  if (!text.startsWith("'")) return value;
  if (Array.from(value).length !== 1) throw new SyntaxError('not one character');
  return value.codePointAt(0)!;
}

const NAMES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** As strconv.Quote of Go writes a text. */
export function quote(text: string): string {
  let quoted = '';
  for (const char of text) quoted += NAMES[char] ?? (isPrintable(char) ? char : escaped(char.codePointAt(0)!));
  return `"${quoted}"`;
}

const isPrintable = (char: string): boolean => char === ' ' || /^[\p{L}\p{M}\p{N}\p{P}\p{S}]$/u.test(char);

function escaped(code: number): string {
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}
