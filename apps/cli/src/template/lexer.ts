import { TemplateError } from './error.ts';
import { unquote } from './quote.ts';

/** A token of an action. `space` is whether blanks are before it, which decides between `.a.b` and `.a .b`. */
export interface Token {
  readonly kind: 'identifier' | 'field' | 'variable' | 'text' | 'number' | 'mark';
  readonly text: string;
  readonly value?: string | number;
  readonly space: boolean;
  readonly line: number;
}

/** Text that is written as it is, or an action between `{{` and `}}`. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'action'; readonly tokens: readonly Token[]; readonly line: number };

const SPACE = ' \t\r\n';

/** Takes a template apart, as text/template of Go does: comments are left out, and `{{-` and `-}}` trim the text beside them. */
export function lex(source: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let trims = false;
  for (;;) {
    const open = source.indexOf('{{', at);
    const raw = source.slice(at, open < 0 ? undefined : open);
    const trimsBefore = open >= 0 && source[open + 2] === '-' && isSpace(source[open + 3]);
    const text = trimmed(raw, trims, trimsBefore);
    if (text) pieces.push({ kind: 'text', text });
    if (open < 0) return pieces;
    const scanner = new Scanner(source, open + (trimsBefore ? 4 : 2), lineAt(source, open));
    const tokens = scanner.action();
    if (tokens) pieces.push({ kind: 'action', tokens, line: lineAt(source, open) });
    ({ at, trims } = scanner);
  }
}

const isSpace = (char: string | undefined): boolean => char !== undefined && SPACE.includes(char);
const trimmed = (text: string, start: boolean, end: boolean): string => {
  const from = start ? text.replace(/^[ \t\r\n]+/, '') : text;
  return end ? trimEnd(from) : from;
};

/** Without a pattern, which would look again from each blank of a long run. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

function lineAt(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf('\n'); at >= 0 && at < offset; at = source.indexOf('\n', at + 1)) line++;
  return line;
}

const FORMS: readonly (readonly [Token['kind'], RegExp])[] = [
  ['variable', /\$[\p{L}\p{Nd}_]*/uy],
  ['field', /\.[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ['number', /[+-]?(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y],
  ['identifier', /[\p{L}_][\p{L}\p{Nd}_]*/uy],
  ['text', /"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)+'/y],
  ['mark', /:=|[().|,=]/y],
];

class Scanner {
  readonly #source: string;
  readonly #opened: number;
  at: number;
  trims = false;

  constructor(source: string, at: number, line: number) {
    this.#source = source;
    this.#opened = line;
    this.at = at;
  }

  /** The tokens of an action; `undefined` for a comment. */
  action(): Token[] | undefined {
    if (this.#source.startsWith('/*', this.at)) return this.#comment();
    const tokens: Token[] = [];
    for (;;) {
      const space = this.#blanks();
      if (this.#isClosed(space)) return tokens;
      tokens.push(this.#token(space || !tokens.length));
    }
  }

  #comment(): undefined {
    const end = this.#source.indexOf('*/', this.at);
    if (end < 0) throw new TemplateError('the comment has no end', this.#opened);
    this.at = end + 2;
    if (!this.#isClosed(this.#blanks())) throw new TemplateError('a comment ends right before }}', this.#opened);
  }

  #blanks(): boolean {
    const from = this.at;
    while (isSpace(this.#source[this.at])) this.at++;
    return this.at > from;
  }

  #isClosed(space: boolean): boolean {
    if (this.at >= this.#source.length) throw new TemplateError('the action has no }}', this.#opened);
    const trims = space && this.#source.startsWith('-}}', this.at);
    if (!trims && !this.#source.startsWith('}}', this.at)) return false;
    this.trims = trims;
    this.at += trims ? 3 : 2;
    return true;
  }

  #token(space: boolean): Token {
    const line = lineAt(this.#source, this.at);
    for (const [kind, form] of FORMS) {
      form.lastIndex = this.at;
      const text = form.exec(this.#source)?.[0];
      if (text === undefined || (kind === 'number' && !/\d/.test(text))) continue;
      this.at += text.length;
      return valued({ kind, text, space, line });
    }
    throw new TemplateError(`unexpected ${JSON.stringify(this.#source[this.at])}`, line);
  }
}

function valued(token: Token): Token {
  const { kind, text, line } = token;
  if (kind === 'number') return { ...token, value: numberOf(text, line) };
  if (kind !== 'text') return token;
  try {
    return { ...token, value: unquote(text) };
  } catch {
    throw new TemplateError(`${text} is no text of Go`, line);
  }
}

function numberOf(text: string, line: number): number {
  const sign = text.startsWith('-') ? -1 : 1;
  const digits = text.replaceAll('_', '').replace(/^[+-]/, '');
  // Octal numbers of C.
  const value = sign * (/^0\d+$/.test(digits) ? Number.parseInt(digits, 8) : Number(digits));
  if (Number.isNaN(value)) throw new TemplateError(`${text} is no number`, line);
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && !/[.eE]/.test(text))
    throw new TemplateError(`${text} is too large`, line);
  return value;
}
