/**
 * Templates: text with `{{name}}` placeholders. A template is parsed once, before values are known. Inserted values are
 * escaped by the caller and never parsed again.
 *
 * Each caller has its own grammar: the known names, their positions, and the escaping.
 */
export type TextTemplate<P extends object = Placeholder> = readonly (string | P)[];

export interface Placeholder<Name extends string = string> {
  readonly name: Name;
}

/** The content of double braces: from `{{` to the next `}}`. */
export interface Braces {
  /** Without the braces and the blanks inside of them; empty where the braces are not closed. */
  readonly expression: string;
  /** The beginning of it as it was written, with its braces. */
  readonly shown: string;
  /** The position after the braces; `undefined` if they are not closed. */
  readonly end: number | undefined;
}

const OPEN = '{{';
const CLOSE = '}}';
/** Characters that a message shows. */
const MAX_SHOWN = 40;

export const beginsBraces = (text: string, at: number): boolean => text.startsWith(OPEN, at);

/** The braces that begin at a place of a text. */
export const bracesAt = (text: string, at: number): Braces => bracesUpTo(text, at, text.indexOf(CLOSE, at + 2));

function bracesUpTo(text: string, at: number, close: number): Braces {
  const end = close === -1 ? undefined : close + 2;
  const expression = end === undefined ? '' : text.slice(at + 2, close).trim();
  return { expression, shown: text.slice(at, Math.min(end ?? Infinity, at + MAX_SHOWN)), end };
}

/** Adds text to a template that is being read. */
export function addText(pieces: (string | object)[], text: string): void {
  const last = pieces.at(-1);
  if (typeof last === 'string') pieces[pieces.length - 1] = last + text;
  else pieces.push(text);
}

/**
 * Parses a text. `read` returns a placeholder, throws where it is not permitted, and returns nothing if the braces are
 * plain text. `literal`, a sticky regular expression, matches text without placeholders.
 */
export function readTemplate<P extends object>(
  text: string,
  read: (braces: Braces) => P | undefined,
  literal?: RegExp,
): TextTemplate<P> {
  const pieces: (string | P)[] = [];
  let begin = 0;
  let at = nextFrom(text, 0, literal);
  for (let close = 0; at < text.length; at = nextFrom(text, at, literal)) {
    if (!beginsBraces(text, at)) continue;
    if (close !== -1 && close < at + 2) close = text.indexOf(CLOSE, at + 2);
    const braces = bracesUpTo(text, at, close);
    const placeholder = read(braces);
    if (!placeholder || braces.end === undefined) {
      at++;
      continue;
    }
    if (at > begin) pieces.push(text.slice(begin, at));
    pieces.push(placeholder);
    begin = at = braces.end;
  }
  if (begin < text.length) pieces.push(text.slice(begin));
  return pieces;
}

/** The next place at which braces may begin, from here on. */
function nextFrom(text: string, from: number, literal?: RegExp): number {
  let at = from;
  while (at < text.length && !beginsBraces(text, at)) {
    if (!literal) {
      const open = text.indexOf(OPEN, at);
      return open === -1 ? text.length : open;
    }
    literal.lastIndex = at;
    at = literal.test(text) ? literal.lastIndex : at + 1;
  }
  return at;
}

/** The fault of a text, by what is wrong with it. */
export type Refuse = (why: string) => Error;

/**
 * Parses braces with one of these names.
 *
 * @throws the result of `refuse` for any other. With `ignoreCase`, `{{Username}}` is `{{username}}`.
 */
export const oneOf =
  <Name extends string>(known: readonly Name[], refuse: Refuse, { ignoreCase = false } = {}) =>
  ({ expression, shown }: Braces): Placeholder<Name> => {
    const folded = (name: string) => (ignoreCase ? name.toLowerCase() : name);
    const name = known.find((one) => folded(one) === folded(expression));
    if (name !== undefined) return { name };
    const others = known.length > 0 ? `, but ${known.map((one) => `{{${one}}}`).join(', ')}` : ' here, nor any other';
    throw refuse(`it does not know ${shown}${others}`);
  };

/**
 * The placeholder at a place of a text where braces begin, and the place behind it. @throws what `refuse` makes, for a name
 * that is not known
 */
export function placeholderAt<Name extends string>(
  text: string,
  at: number,
  known: readonly Name[],
  refuse: Refuse,
): Placeholder<Name> & { readonly end: number } {
  const braces = bracesAt(text, at);
  return { ...oneOf(known, refuse)(braces), end: braces.end! };
}

export const placeholdersIn = <P extends object>(template: TextTemplate<P>): P[] =>
  template.filter((piece): piece is P => typeof piece !== 'string');

/** The text with the result of `put` for each placeholder. */
export const fillTemplate = <P extends object>(
  template: TextTemplate<P>,
  put: (placeholder: P) => string,
  putText: (text: string) => string = (text) => text,
): string => template.map((piece) => (typeof piece === 'string' ? putText(piece) : put(piece))).join('');

export type TemplateValues<Name extends string = string> = Readonly<Partial<Record<Name, string>>>;

/** The text with values, each as `escape` writes it in its place. @throws Error for a placeholder without a value */
export const renderTemplate = <P extends Placeholder>(
  template: TextTemplate<P>,
  values: TemplateValues,
  escape: (value: string, placeholder: P) => string,
): string => fillTemplate(template, (placeholder) => escape(valueFor(placeholder, values), placeholder));

/** @throws Error if there is none */
export function valueFor({ name }: Placeholder, values: TemplateValues): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (value === undefined) throw new Error(`There is no ${name} for a template`);
  return value;
}
