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

interface PlaceholderInWord extends Placeholder {
  /** Whether the server parses the word again, as a script or as a list of rules in parentheses. */
  readonly isNested: boolean;
}
type Word = TextTemplate<PlaceholderInWord>;

/** Parsed commands: words with placeholders. */
export type CommandTemplate = readonly (readonly Word[])[];

/** Commands with a script among their words. */
const RUNS_TEXT = /^(?:EVAL|EVAL_RO|FUNCTION|SCRIPT)$/i;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', a: '\u0007' };

/**
 * Parses commands of owners: `ACL SETUSER {{username}} on >{{password}} ~*`. Commands are separated by `;`, words by
 * blanks and line ends. Words can be quoted as in redis-cli: `"…"` with `\n`, `\"`, `\x00`, `'…'` with `\'`.
 * Placeholders are parsed before values are known: a value never becomes several words.
 *
 * @throws the result of `refuse`, for a placeholder that is unknown or is the command name, unterminated quotes, and
 * without any command.
 */
export function readCommands(text: string, known: readonly string[], refuse: Refuse): CommandTemplate {
  return new Reader(text, known, refuse).read();
}

/**
 * The words of each command with the values inserted.
 *
 * @throws Error for a value that cannot be inserted safely: words that the server parses again accept letters, digits
 * and `_ . : -`.
 */
export const renderCommands = (template: CommandTemplate, values: TemplateValues): string[][] =>
  template.map((command) => command.map((word) => renderTemplate(word, values, requireFit)));

/** A word is sent with its length: nothing in it needs to be escaped. */
function requireFit(value: string, { name, isNested }: PlaceholderInWord): string {
  if (!value.isWellFormed() || (isNested && !/^[A-Za-z0-9_.:-]*$/.test(value)))
    throw new Error(`The ${name} has characters that are not allowed in this command`);
  return value;
}

class Reader {
  readonly #text: string;
  readonly #known: readonly string[];
  readonly #refuse: Refuse;
  readonly #commands: Word[][] = [[]];
  #at = 0;

  constructor(text: string, known: readonly string[], refuse: Refuse) {
    this.#text = text;
    this.#known = known;
    this.#refuse = refuse;
  }

  read(): CommandTemplate {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at]!;
      if (character === ';') this.#commands.push([]);
      if (character === ';' || /\s/.test(character)) this.#at++;
      else this.#commands.at(-1)!.push(this.#word());
    }
    const commands = this.#commands.filter((command) => command.length > 0);
    if (commands.length === 0) throw this.#refuse('it contains no command');
    return commands.map((command) => this.#withNested(command));
  }

  #word(): Word {
    const pieces: (string | PlaceholderInWord)[] = [];
    for (let quote = ''; ;) {
      const character = this.#text[this.#at];
      if (character === undefined && quote) throw this.#refuse(`a ${quote} is not closed`);
      if (character === undefined || (!quote && /[\s;]/.test(character))) break;
      if (beginsBraces(this.#text, this.#at)) pieces.push({ name: this.#placeholder(), isNested: false });
      else if (quote && character === quote) {
        quote = '';
        this.#at++;
        if (/[^\s;]/.test(this.#text[this.#at] ?? ' '))
          throw this.#refuse('text follows a closing quote without a space');
      } else if (!quote && /["']/.test(character)) {
        quote = character;
        addText(pieces, '');
        this.#at++;
      } else addText(pieces, this.#character(quote));
    }
    return pieces;
  }

  /** One unescaped character. */
  #character(quote: string): string {
    const [, hex] = /^\\x([0-9a-fA-F]{2})/.exec(this.#text.slice(this.#at, this.#at + 4)) ?? [];
    if (quote === '"' && hex !== undefined) {
      this.#at += 4;
      const code = Number.parseInt(hex, 16);
      // A byte beyond ASCII is not a complete character.
      if (code > 0x7f) throw this.#refuse(`write \\x${hex} as the character that it is a part of`);
      return String.fromCodePoint(code);
    }
    const character = this.#text[this.#at++]!;
    const next = this.#text[this.#at];
    if (character !== '\\' || next === undefined || !(quote === '"' || (quote === "'" && next === "'")))
      return character;
    this.#at++;
    return ESCAPES[next] ?? next;
  }

  #placeholder(): string {
    const { name, end } = placeholderAt(this.#text, this.#at, this.#known, this.#refuse);
    this.#at = end;
    return name;
  }

  /** Marks words that the server parses again: scripts, and rules from `(` to `)`, which the server joins first. */
  #withNested([command, ...words]: readonly Word[]): Word[] {
    if (command!.some((piece) => typeof piece === 'object'))
      throw this.#refuse('a placeholder cannot be the name of the command');
    const runsText = RUNS_TEXT.test(renderCommands([[command!]], {})[0]![0]!);
    let isOpen = false;
    return [
      command!,
      ...words.map((word) => {
        const [first, last] = [word[0], word.at(-1)];
        isOpen ||= typeof first === 'string' && first.startsWith('(');
        const isNested = runsText || isOpen;
        if (typeof last === 'string' && last.endsWith(')')) isOpen = false;
        return word.map((piece) => (typeof piece === 'string' ? piece : { ...piece, isNested }));
      }),
    ];
  }
}
