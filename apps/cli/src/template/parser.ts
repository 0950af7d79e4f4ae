import { TemplateError } from './error.ts';
import { lex, type Piece, type Token } from './lexer.ts';
import type { Branch, Command, Node, Operand, Pipe, Templates } from './node.ts';

/**
 * Parses a template in the language of Go's text/template. https://pkg.go.dev/text/template
 *
 * @param isFunction Whether there is a function of this name.
 * @throws TemplateError with the line.
 */
export function parse(source: string, isFunction: (name: string) => boolean): Templates {
  const parser = new Parser(lex(source), isFunction);
  const main = parser.list('', []);
  if (!parser.templates.has('')) parser.templates.set('', main.nodes);
  return parser.templates;
}

interface List {
  readonly nodes: readonly Node[];
  /** The action that ended it: `end`, `else` with the rest of its tokens; nothing at the end of the source. */
  readonly end: Action | undefined;
}

interface Action {
  readonly word: string;
  readonly tokens: Tokens;
  readonly line: number;
}

const KEYWORDS = new Set(['if', 'with', 'range', 'else', 'end', 'define', 'block', 'template', 'break', 'continue']);

class Parser {
  readonly templates = new Map<string, readonly Node[]>();
  readonly #pieces: readonly Piece[];
  readonly #isFunction: (name: string) => boolean;
  #at = 0;
  #loops = 0;

  constructor(pieces: readonly Piece[], isFunction: (name: string) => boolean) {
    this.#pieces = pieces;
    this.#isFunction = isFunction;
  }

  /** Nodes up to an `end` or `else`. @param within What is open; empty at the top. */
  list(within: string, variables: readonly string[], line = 1): List {
    const nodes: Node[] = [];
    const known = [...variables];
    for (let piece = this.#next(); piece; piece = this.#next()) {
      if (piece.kind === 'text') {
        nodes.push(piece);
        continue;
      }
      const action = this.#open(piece);
      if (action.word === 'end' || action.word === 'else') {
        if (!within) throw new TemplateError(`${action.word} without an open action`, action.line);
        return { nodes, end: action };
      }
      const node = this.#node(action, known, within);
      if (node) nodes.push(node);
    }
    if (within) throw new TemplateError(`${within} has no end`, line);
    return { nodes, end: undefined };
  }

  #next = (): Piece | undefined => this.#pieces[this.#at++];

  #open({ tokens, line }: Extract<Piece, { kind: 'action' }>): Action {
    const rest = new Tokens(tokens, line);
    const word = rest.peek()?.kind === 'identifier' && KEYWORDS.has(rest.peek()!.text) ? rest.take().text : '';
    return { word, tokens: rest, line };
  }

  #node(action: Action, known: string[], within: string): Node | undefined {
    const { word, tokens, line } = action;
    switch (word) {
      case 'if':
      case 'with':
      case 'range':
        return { kind: word, ...this.#branch(word, tokens, known, line) };
      case 'define':
        return this.#define(tokens, within, line);
      case 'block':
        return this.#block(tokens, known, line);
      case 'template': {
        const name = nameOf(tokens, line);
        return { kind: 'template', name, pipe: tokens.isEmpty ? undefined : this.#whole(tokens, known), line };
      }
      case 'break':
      case 'continue':
        if (!this.#loops) throw new TemplateError(`${word} outside of range`, line);
        tokens.requireEnd();
        return { kind: word, line };
      default:
        return { kind: 'print', pipe: this.#whole(tokens, known, { declares: true }), line };
    }
  }

  #branch(word: 'if' | 'with' | 'range', tokens: Tokens, outer: readonly string[], line: number): Branch {
    const known = [...outer];
    const pipe = this.#whole(tokens, known, { declares: true, isRange: word === 'range' });
    if (word === 'range') this.#loops++;
    const { nodes: body, end } = this.list(word, known, line);
    if (word === 'range') this.#loops--;
    return { pipe, body, otherwise: this.#otherwise(word, end!, known), line };
  }

  /** What follows `else`: nodes, or for `else if` and `else with` another action, which ends with this one. */
  #otherwise(word: 'if' | 'with' | 'range', { word: ended, tokens, line }: Action, known: readonly string[]): Node[] {
    if (ended === 'end') {
      tokens.requireEnd();
      return [];
    }
    const next = tokens.peek()?.text;
    if (!tokens.isEmpty && next === word && word !== 'range') {
      tokens.take();
      return [{ kind: word, ...this.#branch(word, tokens, known, line) }];
    }
    tokens.requireEnd();
    const { nodes, end } = this.list(word, known, line);
    if (end!.word !== 'end') throw new TemplateError(`${word} has a second else`, end!.line);
    end!.tokens.requireEnd();
    return [...nodes];
  }

  #define(tokens: Tokens, within: string, line: number): undefined {
    if (within) throw new TemplateError('define is only at the top of a template', line);
    const name = nameOf(tokens, line);
    tokens.requireEnd();
    this.#keep(name, this.#body('define', ['$'], line));
  }

  #block(tokens: Tokens, known: string[], line: number): Node {
    const name = nameOf(tokens, line);
    const pipe = this.#whole(tokens, known);
    this.#keep(name, this.#body('block', ['$'], line));
    return { kind: 'template', name, pipe, line };
  }

  #body(word: string, known: readonly string[], line: number): readonly Node[] {
    const loops = this.#loops;
    this.#loops = 0;
    const { nodes, end } = this.list(word, known, line);
    this.#loops = loops;
    if (end!.word !== 'end') throw new TemplateError(`${word} has no else`, end!.line);
    return nodes;
  }

  /** The last definition wins, unless it has nothing but blanks. */
  #keep(name: string, nodes: readonly Node[]): void {
    const isBlank = nodes.every((node) => node.kind === 'text' && !node.text.trim());
    if (!isBlank || !this.templates.has(name)) this.templates.set(name, nodes);
  }

  #whole(tokens: Tokens, known: string[], options: { declares?: boolean; isRange?: boolean } = {}): Pipe {
    const pipe = this.#pipe(tokens, known, options);
    tokens.requireEnd();
    return pipe;
  }

  #pipe(tokens: Tokens, known: string[], { declares = false, isRange = false } = {}): Pipe {
    const { line } = tokens;
    const { variables, isAssignment } = declares ? tokens.declaration(isRange) : { variables: [], isAssignment: false };
    for (const name of isAssignment ? variables : []) requireKnown(name, known, line);
    const commands = [this.#command(tokens, known)];
    while (tokens.takeMark('|')) commands.push(this.#command(tokens, known));
    for (const { operands } of commands.slice(1))
      if (operands[0]!.kind === 'constant' || operands[0]!.kind === 'dot')
        throw new TemplateError('only a function can follow |', line);
    if (!isAssignment) known.push(...variables);
    return { variables, isAssignment, commands, line };
  }

  #command(tokens: Tokens, known: string[]): Command {
    const { line } = tokens;
    const operands: Operand[] = [];
    for (let operand = this.#operand(tokens, known); operand; operand = this.#operand(tokens, known)) {
      operands.push(operand);
      const next = tokens.peek();
      if (next && !next.space && next.text !== ')' && next.text !== '|')
        throw new TemplateError(`unexpected ${next.text}: a blank is missing`, line);
    }
    if (!operands.length) throw new TemplateError('a value is missing', line);
    const [first, ...rest] = operands;
    const isFunction = first!.kind === 'call';
    if (!isFunction && rest.length) throw new TemplateError('what is no function takes no arguments', line);
    return { operands, line };
  }

  #operand(tokens: Tokens, known: string[]): Operand | undefined {
    const token = tokens.peek();
    if (!token || token.text === '|' || token.text === ')') return undefined;
    const term = this.#term(tokens, tokens.take(), known);
    const names: string[] = [];
    for (let next = tokens.peek(); next?.kind === 'field' && !next.space; next = tokens.peek())
      names.push(tokens.take().text.slice(1));
    if (!names.length) return term;
    if (term.kind === 'fields') return { ...term, names: [...term.names, ...names] };
    if (term.kind === 'constant' || term.kind === 'call' || term.kind === 'dot')
      throw new TemplateError(`unexpected .${names[0]!}`, token.line);
    return { kind: 'fields', of: term, names };
  }

  #term(tokens: Tokens, token: Token, known: string[]): Operand {
    const { kind, text, line } = token;
    if (kind === 'text' || kind === 'number') return { kind: 'constant', value: token.value! };
    if (kind === 'field') return { kind: 'fields', of: { kind: 'dot' }, names: [text.slice(1)] };
    if (kind === 'variable') {
      requireKnown(text, known, line);
      return { kind: 'variable', name: text };
    }
    if (kind === 'identifier') return this.#word(text, line);
    if (text === '.') return { kind: 'dot' };
    if (text !== '(') throw new TemplateError(`unexpected ${text}`, line);
    const pipe = this.#pipe(tokens, known);
    if (!tokens.takeMark(')')) throw new TemplateError('a ) is missing', line);
    return { kind: 'pipe', pipe };
  }

  #word(text: string, line: number): Operand {
    if (text === 'true' || text === 'false') return { kind: 'constant', value: text === 'true' };
    if (text === 'nil') return { kind: 'constant', value: null };
    if (!this.#isFunction(text)) throw new TemplateError(`there is no function ${text}`, line);
    return { kind: 'call', name: text };
  }
}

function requireKnown(name: string, known: readonly string[], line: number): void {
  if (name !== '$' && !known.includes(name)) throw new TemplateError(`the variable ${name} is not defined`, line);
}

function nameOf(tokens: Tokens, line: number): string {
  const token = tokens.peek();
  if (token?.kind !== 'text' || typeof token.value !== 'string')
    throw new TemplateError('the name of a template is missing', line);
  return String(tokens.take().value);
}

/** The tokens of one action that are left. */
class Tokens {
  readonly #tokens: readonly Token[];
  readonly #line: number;
  #at = 0;

  constructor(tokens: readonly Token[], line: number) {
    this.#tokens = tokens;
    this.#line = line;
  }

  peek = (ahead = 0): Token | undefined => this.#tokens[this.#at + ahead];
  take = (): Token => this.#tokens[this.#at++]!;

  get isEmpty(): boolean {
    return this.#at >= this.#tokens.length;
  }

  get line(): number {
    return this.peek()?.line ?? this.#line;
  }

  takeMark(text: string): boolean {
    const isThere = this.peek()?.kind === 'mark' && this.peek()!.text === text;
    if (isThere) this.#at++;
    return isThere;
  }

  requireEnd(): void {
    const token = this.peek();
    if (token) throw new TemplateError(`unexpected ${token.text}`, token.line);
  }

  /** `$a :=`, `$a =`, and with `range` `$a, $b :=`. */
  declaration(isRange: boolean): Pick<Pipe, 'variables' | 'isAssignment'> {
    const [first, mark, second, last] = [this.peek(), this.peek(1), this.peek(2), this.peek(3)];
    if (first?.kind === 'variable' && isDeclaring(mark)) {
      this.#at += 2;
      return { variables: [first.text], isAssignment: mark!.text === '=' };
    }
    if (first?.kind !== 'variable' || mark?.text !== ',') return { variables: [], isAssignment: false };
    if (!isRange || second?.kind !== 'variable' || !isDeclaring(last))
      throw new TemplateError('only range sets two variables', first.line);
    this.#at += 4;
    return { variables: [first.text, second.text], isAssignment: last!.text === '=' };
  }
}

const isDeclaring = (token: Token | undefined): boolean =>
  token?.kind === 'mark' && (token.text === ':=' || token.text === '=');
