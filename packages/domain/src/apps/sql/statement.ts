import {
  addText,
  beginsBraces,
  placeholderAt,
  renderTemplate,
  type Placeholder,
  type Refuse,
  type TemplateValues,
  type TextTemplate,
} from '../../kernel/index.ts';

/**
 * Statements of owners with placeholders: `CREATE ROLE "{{username}}" PASSWORD '{{password}}'`. A placeholder is inside
 * a string, inside a quoted identifier, or unquoted; its value is escaped so that it stays there, whatever it contains.
 */
export type Dialect = 'postgres' | 'mysql' | 'mssql' | 'cql';

/** The context of a placeholder: without quotes, names are inserted as identifiers, other values as strings. */
const NAMES: ReadonlySet<string> = new Set(['username', 'database', 'keyspace']);

type Place = 'bare' | 'string' | 'escaped-string' | 'identifier' | 'backticks' | 'brackets' | 'nested';

interface PlacedPlaceholder extends Placeholder {
  readonly place: Place;
}

/** A statement that was read: texts and placeholders in their order. */
export interface SqlTemplate {
  readonly dialect: Dialect;
  readonly pieces: TextTemplate<PlacedPlaceholder>;
}

const WORD = /[A-Za-z0-9_$\u0080-\uffff]/;
const DOLLAR = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y;

/**
 * Parses statements as their server would with default settings: PostgreSQL with `standard_conforming_strings`, MySQL
 * with backslash escapes and double quotes for strings (no `NO_BACKSLASH_ESCAPES`, no `ANSI_QUOTES`), SQL Server with
 * `QUOTED_IDENTIFIER`, Cassandra's CQL. Senders must set the session accordingly.
 *
 * @throws the result of `refuse`, for an unknown placeholder, one at an unsafe position, and unterminated quotes or
 * comments.
 */
export function readSql(text: string, dialect: Dialect, known: readonly string[], refuse: Refuse): SqlTemplate {
  return new Reader(text, dialect, known, refuse).read();
}

/** A statement of Coffer itself. */
export const ownSql = (text: string, dialect: Dialect, known: readonly string[]): SqlTemplate =>
  readSql(text, dialect, known, (why) => new Error(`A statement of Coffer cannot be read: ${why}`));

/**
 * The same for databases that run one statement at a time: each by itself, without the semicolons between them.
 *
 * @throws as `readSql`
 */
export function readStatements(
  text: string,
  dialect: Dialect,
  known: readonly string[],
  refuse: Refuse,
): SqlTemplate[] {
  return new Reader(text, dialect, known, refuse).readEach();
}

/**
 * Inserts the values.
 *
 * @throws Error for a value that cannot be inserted safely: in a placeholder inside `$$ … $$`, which the server parses
 * again, only letters, digits and `_ . : -` are allowed.
 */
export const renderSql = ({ pieces, dialect }: SqlTemplate, values: TemplateValues): string =>
  renderTemplate(pieces, values, (value, placeholder) => escape(dialect, placeholder, value));

function escape(dialect: Dialect, { name, place }: PlacedPlaceholder, value: string): string {
  // oxlint-disable-next-line no-control-regex -- they mean something to servers and terminals, and nobody needs them
  if (/[\u0000-\u001f\u007f]/.test(value) || !value.isWellFormed()) throw unfit(name);
  switch (place) {
    case 'string':
      return value.replaceAll("'", "''");
    case 'escaped-string':
      return value.replaceAll('\\', '\\\\').replaceAll("'", "''");
    case 'identifier':
      return dialect === 'mysql' ? value.replaceAll('\\', '\\\\').replaceAll('"', '""') : value.replaceAll('"', '""');
    case 'backticks':
      return value.replaceAll('`', '``');
    case 'brackets':
      return value.replaceAll(']', ']]');
    case 'nested':
      if (!/^[A-Za-z0-9_.:-]*$/.test(value) || value.includes('--')) throw unfit(name);
      return value;
    case 'bare':
      return bare(dialect, name, value);
  }
}

/** How values are quoted that are not quoted in the statement: names, and other values. */
const BARE: Record<Dialect, Record<'name' | 'value', readonly [begin: string, place: Place, end: string]>> = {
  postgres: { name: ['"', 'identifier', '"'], value: ["'", 'string', "'"] },
  mysql: { name: ['`', 'backticks', '`'], value: ["'", 'escaped-string', "'"] },
  mssql: { name: ['[', 'brackets', ']'], value: ["N'", 'string', "'"] },
  cql: { name: ['"', 'identifier', '"'], value: ["'", 'string', "'"] },
};

function bare(dialect: Dialect, name: string, value: string): string {
  const [begin, place, end] = BARE[dialect][NAMES.has(name) ? 'name' : 'value'];
  return begin + escape(dialect, { name, place }, value) + end;
}

const unfit = (name: string) => new Error(`The ${name} has characters that are not allowed in this statement`);

class Reader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #known: readonly string[];
  readonly #refuse: Refuse;
  #pieces: (string | PlacedPlaceholder)[] = [];
  /** Statements that are complete, where these are divided. */
  #statements: SqlTemplate[] | undefined;
  /** Whether the statement has only blanks and comments. */
  #isEmpty = true;
  #at = 0;
  /** Whether only blanks and comments follow a string: PostgreSQL continues the string with the next one. */
  #continues = false;

  constructor(text: string, dialect: Dialect, known: readonly string[], refuse: Refuse) {
    this.#text = text;
    this.#dialect = dialect;
    this.#known = known;
    this.#refuse = refuse;
  }

  read(): SqlTemplate {
    while (this.#at < this.#text.length) this.#step();
    return { dialect: this.#dialect, pieces: this.#pieces };
  }

  readEach(): SqlTemplate[] {
    this.#statements = [];
    this.read();
    this.#divide();
    return this.#statements;
  }

  /** Ends a statement, unless there is none. */
  #divide(): void {
    if (!this.#isEmpty) this.#statements!.push({ dialect: this.#dialect, pieces: this.#pieces });
    this.#pieces = [];
    this.#isEmpty = true;
  }

  get #isMysql(): boolean {
    return this.#dialect === 'mysql';
  }

  get #nestsComments(): boolean {
    return this.#isPostgres || this.#dialect === 'mssql';
  }

  get #isPostgres(): boolean {
    return this.#dialect === 'postgres';
  }

  #step(): void {
    const wasString = this.#continues;
    const begin = this.#at;
    this.#readOne();
    const taken = this.#text.slice(begin, this.#at);
    const isBlank = /^(?:\s|--|#|\/\*|\/\/)/.test(taken);
    this.#isEmpty &&= isBlank || taken === ';';
    this.#continues = (taken.length > 1 && taken.startsWith("'")) || (wasString && isBlank);
  }

  #readOne(): void {
    const rest = (length: number) => this.#text.slice(this.#at, this.#at + length);
    const character = rest(1);
    if (beginsBraces(this.#text, this.#at)) return this.#bare();
    if (character === "'") return this.#quoted("'", this.#stringPlace());
    if (character === '"') return this.#quoted('"', this.#escapesUnicode ? undefined : 'identifier');
    if (character === '`' && this.#isMysql) return this.#quoted('`', 'backticks');
    if (character === '[' && this.#dialect === 'mssql') return this.#quoted(']', 'brackets');
    if (character === ';' && this.#statements) {
      this.#at++;
      return this.#divide();
    }
    if (
      character === '$' &&
      (this.#isPostgres || this.#dialect === 'cql') &&
      !WORD.test(this.#text[this.#at - 1] ?? '')
    )
      return this.#dollar();
    if (this.#beginsLineComment()) return this.#lineComment();
    if (rest(2) === '/*') return this.#comment();
    this.#take(1);
  }

  /** `undefined` if nothing can be inserted. */
  #stringPlace(): Place | undefined {
    if (!this.#isPostgres) return this.#isMysql ? 'escaped-string' : 'string';
    if (this.#escapesUnicode) return undefined;
    if (this.#continues) return 'nested';
    return /(?:^|[^A-Za-z0-9_$\u0080-\uffff])[eE]$/.test(this.#text.slice(Math.max(0, this.#at - 2), this.#at))
      ? 'escaped-string'
      : 'string';
  }

  /** `U&'…'` and `U&"…"`, in which a backslash starts an escape, or any other character after UESCAPE. */
  get #escapesUnicode(): boolean {
    const before = this.#text.slice(Math.max(0, this.#at - 3), this.#at);
    return this.#isPostgres && /(?:^|[^A-Za-z0-9_$\u0080-\uffff])[uU]&$/.test(before);
  }

  #bare(): void {
    const before = this.#text[this.#at - 1] ?? ' ';
    const name = this.#placeholder();
    const after = this.#text[this.#at] ?? ' ';
    if (WORD.test(before) || WORD.test(after) || /['"`{&@]/.test(before) || /['"`{]/.test(after))
      throw this.#refuse(`quote {{${name}}}: it adjoins other text`);
    if (this.#continues) throw this.#refuse(`{{${name}}} adjoins a string literal, as if it were a part of it`);
    this.#pieces.push({ name, place: 'bare' });
  }

  /** @param quote The one that ends it. */
  #quoted(quote: string, place: Place | undefined): void {
    const backslashes = place === 'escaped-string' || (this.#isMysql && quote === '"');
    this.#take(1);
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) throw this.#refuse(`a ${quote} is not closed`);
      if (backslashes && character === '\\') this.#take(2);
      else if (character === quote && this.#text[this.#at + 1] === quote) this.#take(2);
      else if (character === quote) return this.#take(1);
      else if (beginsBraces(this.#text, this.#at)) this.#putIn(place);
      else this.#take(1);
    }
  }

  #putIn(place: Place | undefined): void {
    const name = this.#placeholder();
    if (!place) throw this.#refuse(`{{${name}}} is not allowed in a U& string literal`);
    this.#pieces.push({ name, place });
  }

  /** `$tag$ … $tag$`: a body that the server reads once more. */
  #dollar(): void {
    DOLLAR.lastIndex = this.#at;
    const tag = DOLLAR.exec(this.#text)?.[0];
    if (tag === undefined) return this.#take(1);
    const end = this.#text.indexOf(tag, this.#at + tag.length);
    if (end < 0) throw this.#refuse(`${tag} is not closed`);
    this.#take(tag.length);
    while (this.#at < end) {
      if (beginsBraces(this.#text, this.#at)) this.#pieces.push({ name: this.#placeholder(), place: 'nested' });
      else this.#take(1);
    }
    this.#take(tag.length);
  }

  #beginsLineComment(): boolean {
    const rest = this.#text.slice(this.#at, this.#at + 3);
    if (this.#dialect === 'cql') return /^(?:--|\/\/)/.test(rest);
    if (!this.#isMysql) return rest.startsWith('--');
    return rest.startsWith('#') || /^--(?:\s|$)/.test(rest);
  }

  #lineComment(): void {
    const end = this.#text.slice(this.#at).search(/[\r\n]/);
    this.#passComment(end < 0 ? this.#text.length : this.#at + end);
  }

  /** Comments of PostgreSQL and SQL Server nest. MySQL's executable comments (with `!`) count as comments: nothing is inserted. */
  #comment(): void {
    let depth = 0;
    let at = this.#at;
    do {
      if (this.#text.startsWith('/*', at) && (depth === 0 || this.#nestsComments)) [depth, at] = [depth + 1, at + 2];
      else if (this.#text.startsWith('*/', at)) [depth, at] = [depth - 1, at + 2];
      else at++;
      if (at > this.#text.length) throw this.#refuse('a comment is not closed');
    } while (depth > 0);
    this.#passComment(at);
  }

  #passComment(end: number): void {
    if (this.#text.slice(this.#at, end).includes('{{')) throw this.#refuse('a placeholder is within a comment');
    this.#take(end - this.#at);
  }

  #placeholder(): string {
    const { name, end } = placeholderAt(this.#text, this.#at, this.#known, this.#refuse);
    this.#at = end;
    return name;
  }

  #take(length: number): void {
    const taken = this.#text.slice(this.#at, this.#at + length);
    addText(this.#pieces, taken);
    this.#at += length;
  }
}
