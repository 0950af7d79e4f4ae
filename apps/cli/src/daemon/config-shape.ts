import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { usage } from '../exit.ts';
import { nearest } from '../parse.ts';
import { parseDuration } from './duration.ts';

/** Where a part of a file is, and what is wrong with it. */
export interface At {
  /** The names that lead here: `templates[0].config`. */
  readonly path: string;
  readonly fault: (message: string, node?: Node | null) => void;
  /** A place below this one. @param within Where to point at what is missing there. */
  readonly below: (name: string, within?: Node | null) => At;
}

/** Reads a part of a file; `undefined` after a fault, which is then reported. */
export type Shape<Read> = (node: Node | null | undefined, at: At) => Read;

/**
 * Reads a YAML file by its shape.
 *
 * @param name For messages.
 * @throws CommandError with all faults, each with its line.
 */
export function readYaml<Read>(name: string, source: string, shape: Shape<Read>): Read {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter });
  const faults: string[] = [];
  const lineOf = (offset: number): number => lineCounter.linePos(offset).line;
  for (const { message, pos } of [...document.errors, ...document.warnings])
    faults.push(`line ${lineOf(pos[0])}: ${message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '')}`);
  if (!faults.length) {
    const place = (path: string, within: Node | null): At => ({
      path,
      fault(message, node) {
        const line = lineOf((isNothing(node) ? within : node)?.range?.[0] ?? 0);
        faults.push(`line ${line}: ${path ? `${path} ` : ''}${message}`);
      },
      below: (part, node) => place(path && !part.startsWith('[') ? `${path}.${part}` : path + part, node ?? within),
    });
    const read = shape(document.contents, place('', document.contents));
    if (!faults.length) return read;
  }
  throw usage([`${name} is not valid:`, ...faults.map((fault) => `  ${fault}`)].join('\n'));
}

/** A text; numbers and booleans are read as they are written. */
export const text: Shape<string | undefined> = (node, at) => {
  if (isNothing(node)) return undefined;
  if (isScalar(node) && typeof node.value !== 'object') return node.source ?? '';
  at.fault('has to be a text', node);
  return undefined;
};

const textOr =
  <Otherwise>(
    otherwise: Otherwise,
    isValid: (value: string) => boolean = () => true,
    wanted = '',
  ): Shape<string | Otherwise> =>
  (node, at) => {
    const value = text(node, at);
    if (value !== undefined && !isValid(value)) at.fault(`has to be ${wanted}`, node);
    return value ?? otherwise;
  };

/** A text that has to be there. */
export const needed: Shape<string> = (node, at) => {
  const value = text(node, at);
  if (isNothing(node) || value === '') at.fault('is missing', node);
  return value ?? '';
};

export const oneOf = <Choice extends string>(choices: readonly Choice[]): Shape<Choice> =>
  textOr(
    choices[0]!,
    (value) => (choices as readonly string[]).includes(value),
    `one of: ${choices.join(', ')}`,
  ) as Shape<Choice>;

/** Milliseconds of a duration. */
export const duration =
  <Otherwise>(otherwise: Otherwise, least = 0): Shape<number | Otherwise> =>
  (node, at) => {
    const given = text(node, at);
    if (given === undefined) return otherwise;
    const ms = parseDuration(given);
    if (ms === undefined) at.fault(`is ${given}; it has to be a duration, such as 30s, 5m or 1h`, node);
    else if (ms < least) at.fault(`is ${given}; it has to be at least ${least / 1000}s`, node);
    return ms ?? otherwise;
  };

export const count =
  <Otherwise>(otherwise: Otherwise): Shape<number | Otherwise> =>
  (node, at) => {
    const given = text(node, at);
    if (given === undefined) return otherwise;
    if (!/^\d{1,9}$/.test(given)) at.fault(`is ${given}; it has to be a whole number`, node);
    return Number(given);
  };

export const flag =
  <Otherwise>(otherwise: Otherwise): Shape<boolean | Otherwise> =>
  (node, at) => {
    const given = text(node, at);
    if (given === undefined) return otherwise;
    if (given !== 'true' && given !== 'false') at.fault(`is ${given}; it has to be true or false`, node);
    return given === 'true';
  };

/** Permissions of a file, such as 0640. */
export const permission: Shape<number | undefined> = (node, at) => {
  const given = text(node, at);
  if (given === undefined) return undefined;
  if (!/^(?:0o?)?[0-7]{3}$/.test(given)) at.fault(`is ${given}; it has to be like 0640`, node);
  return Number.parseInt(given.replace(/^0o?/, ''), 8);
};

export const listOf =
  <Item>(item: Shape<Item>): Shape<readonly Item[]> =>
  (node, at) => {
    if (isNothing(node)) return [];
    if (isSeq(node)) return node.items.map((one, index) => item(one as Node, at.below(`[${index}]`, one as Node)));
    at.fault('has to be a list', node);
    return [];
  };

/** Anything: it is accepted, and has no effect. */
export const anything: Shape<undefined> = () => undefined;

type Fields<Read> = { readonly [Name in keyof Read]: Shape<Read[Name]> };

/** A part with these names, and no others. */
export const object =
  <Read extends object>(fields: Fields<Read>): Shape<Read> =>
  (node, at) => {
    const entries = new Map<string, { readonly key: Node; readonly value: Node | null }>();
    if (isMap(node))
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : '';
        if (Object.hasOwn(fields, name)) entries.set(name, { key: key as Node, value: value as Node | null });
        else unknown(name, Object.keys(fields), at, key as Node);
      }
    else if (!isNothing(node)) at.fault('has to have names and values', node);
    const read = Object.entries<Shape<unknown>>(fields).map(([name, shape]) => {
      const entry = entries.get(name);
      const value = entry && isNothing(entry.value) ? null : entry?.value;
      return [name, shape(value, at.below(name, entry?.key ?? node))] as const;
    });
    return Object.fromEntries(read) as Read;
  };

function unknown(name: string, names: readonly string[], at: At, key: Node): void {
  const near = nearest(name, names);
  at.below(name).fault(`is not known${near ? `; did you mean ${near}?` : ''}`, key);
}

const isNothing = (node: Node | null | undefined): node is null | undefined =>
  node === null || node === undefined || (isScalar(node) && node.value === null);

/** The name of a part, to point at it. */
export const nameIn = (node: Node | null | undefined, name: string): Node | undefined =>
  isMap(node)
    ? (node.items.find(({ key }) => isScalar(key) && key.value === name)?.key as Node | undefined)
    : undefined;
