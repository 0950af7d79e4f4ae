import { builtins } from './builtin.ts';
import { atLine, TemplateError } from './error.ts';
import { plain } from './format.ts';
import type { Functions } from './functions.ts';
import type { Branch, Command, Node, Operand, Pipe, Templates } from './node.ts';
import { parse } from './parser.ts';
import { fieldOf, isList, isMap, isTrue, sortedEntries, typeOf, type Value } from './value.ts';

/** How deep templates may call one another. */
const DEEPEST = 1000;

/** A template that is parsed. */
export interface Template {
  /** Its text with these values. @throws TemplateError with the line, or the error of a function as it is. */
  render(data?: Value): Promise<string>;
}

/**
 * Compiles a template in the language of Go's text/template. Where Go would print `<no value>`, rendering fails: a file with
 * secrets is right or not written.
 *
 * @throws TemplateError with the line.
 */
export function compile(source: string, more: Functions = {}): Template {
  const functions: Functions = { ...builtins, ...more };
  const templates = parse(source, (name) => Object.hasOwn(functions, name));
  return { render: (data = null) => new Evaluation(templates, functions).run('', data) };
}

interface Variable {
  readonly name: string;
  value: Value;
}

class LoopEnd extends Error {
  readonly kind: 'break' | 'continue';

  constructor(kind: 'break' | 'continue') {
    super(kind);
    this.kind = kind;
  }
}

class Evaluation {
  readonly #templates: Templates;
  readonly #functions: Functions;
  #parts: string[] = [];
  #variables: Variable[] = [];
  #depth = 0;

  constructor(templates: Templates, functions: Functions) {
    this.#templates = templates;
    this.#functions = functions;
  }

  async run(name: string, data: Value): Promise<string> {
    this.#variables = [{ name: '$', value: data }];
    await this.#nodes(this.#templates.get(name)!, data);
    return this.#parts.join('');
  }

  async #nodes(nodes: readonly Node[], dot: Value): Promise<void> {
    for (const node of nodes) {
      if (node.kind === 'text') {
        this.#parts.push(node.text);
        continue;
      }
      try {
        await this.#node(node, dot);
      } catch (error) {
        throw atLine(error, node.line);
      }
    }
  }

  async #node(node: Exclude<Node, { kind: 'text' }>, dot: Value): Promise<void> {
    switch (node.kind) {
      case 'print':
        return this.#print(node.pipe, dot);
      case 'if':
      case 'with':
        return this.#scoped(() => this.#branch(node, node.kind === 'with', dot));
      case 'range':
        return this.#scoped(() => this.#range(node, dot));
      case 'template':
        return this.#template(node.name, node.pipe ? await this.#pipe(node.pipe, dot) : null);
      default:
        throw new LoopEnd(node.kind);
    }
  }

  async #print(pipe: Pipe, dot: Value): Promise<void> {
    const value = await this.#pipe(pipe, dot);
    if (pipe.variables.length) return;
    if (value === undefined || value === null) throw new TemplateError('there is no value to print');
    this.#parts.push(plain(value));
  }

  async #branch({ pipe, body, otherwise }: Branch, isWith: boolean, dot: Value): Promise<void> {
    const value = await this.#pipe(pipe, dot);
    if (isTrue(value)) return this.#nodes(body, isWith ? value : dot);
    return this.#nodes(otherwise, dot);
  }

  async #range({ pipe, body, otherwise }: Branch, dot: Value): Promise<void> {
    const list = await this.#pipe({ ...pipe, variables: [] }, dot);
    const entries = entriesOf(list);
    for (const [key, value] of entries)
      try {
        await this.#scoped(() => {
          this.#set(pipe, pipe.variables.length === 1 ? [value] : [key, value]);
          return this.#nodes(body, value);
        });
      } catch (error) {
        if (!(error instanceof LoopEnd)) throw error;
        if (error.kind === 'break') break;
      }
    if (!entries.length) await this.#nodes(otherwise, dot);
  }

  async #template(name: string, data: Value): Promise<void> {
    const nodes = this.#templates.get(name);
    if (!nodes) throw new TemplateError(`there is no template ${name}`);
    if (this.#depth >= DEEPEST) throw new TemplateError(`the template ${name} calls itself too often`);
    const outer = this.#variables;
    this.#variables = [{ name: '$', value: data }];
    this.#depth++;
    try {
      await this.#nodes(nodes, data);
    } finally {
      this.#variables = outer;
      this.#depth--;
    }
  }

  async #scoped(work: () => Promise<void>): Promise<void> {
    const known = this.#variables.length;
    try {
      await work();
    } finally {
      this.#variables.length = known;
    }
  }

  #set({ variables, isAssignment }: Pipe, values: readonly Value[]): void {
    for (const [index, name] of variables.entries()) {
      const value = values[index];
      if (isAssignment) this.#variable(name).value = value;
      else this.#variables.push({ name, value });
    }
  }

  #variable(name: string): Variable {
    const found = this.#variables.findLast((one) => one.name === name);
    if (!found) throw new TemplateError(`the variable ${name} is not defined`);
    return found;
  }

  async #pipe(pipe: Pipe, dot: Value): Promise<Value> {
    let value: Value;
    for (const [index, command] of pipe.commands.entries())
      value = await this.#command(command, dot, index > 0 ? [value] : []);
    this.#set(pipe, [value]);
    return value;
  }

  async #command({ operands, line }: Command, dot: Value, last: readonly Value[]): Promise<Value> {
    try {
      const [first, ...rest] = operands as [Operand, ...Operand[]];
      if (first.kind === 'call') return await this.#call(first.name, rest, dot, last);
      if (last.length) throw new TemplateError('only a function can follow |');
      return await this.#operand(first, dot);
    } catch (error) {
      throw atLine(error, line);
    }
  }

  async #call(name: string, operands: readonly Operand[], dot: Value, last: readonly Value[]): Promise<Value> {
    if ((name === 'and' || name === 'or') && operands.length) return this.#shortcut(name, operands, dot, last);
    const args: Value[] = [];
    for (const operand of operands) args.push(await this.#operand(operand, dot));
    try {
      return await this.#functions[name]!([...args, ...last]);
    } catch (error) {
      if (!(error instanceof TemplateError) || error.line !== undefined) throw error;
      throw new TemplateError(`${name}: ${error.message}`);
    }
  }

  /** `and` ends with the first value that is empty, `or` with the first that is not. */
  async #shortcut(
    name: 'and' | 'or',
    operands: readonly Operand[],
    dot: Value,
    last: readonly Value[],
  ): Promise<Value> {
    let value: Value;
    for (const operand of operands) {
      value = await this.#operand(operand, dot);
      if (isTrue(value) === (name === 'or')) return value;
    }
    return last.length ? last[0] : value;
  }

  async #operand(operand: Operand, dot: Value): Promise<Value> {
    switch (operand.kind) {
      case 'constant':
        return operand.value;
      case 'dot':
        return dot;
      case 'variable':
        return this.#variable(operand.name).value;
      case 'call':
        return this.#call(operand.name, [], dot, []);
      case 'pipe':
        return this.#pipe(operand.pipe, dot);
      case 'fields':
        return operand.names.reduce<Value>(fieldOf, await this.#operand(operand.of, dot));
    }
  }
}

function entriesOf(value: Value): (readonly [Value, Value])[] {
  if (isList(value)) return [...value.entries()];
  if (isMap(value)) return sortedEntries(value);
  if (value === null || value === undefined) return [];
  if (typeof value === 'number' && Number.isInteger(value) && value <= 1_000_000)
    return Array.from({ length: Math.max(value, 0) }, (_, index) => [index, index] as const);
  throw new TemplateError(`range cannot go over ${typeOf(value)}`);
}
