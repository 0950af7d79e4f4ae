import { usage } from './exit.ts';
import { globalFlags, type Command, type Flag, type Flags } from './table/command.ts';

/** A command line, read by the table of commands. */
export interface Parsed {
  /** The command, and those above it. */
  readonly path: readonly Command[];
  readonly args: readonly string[];
  readonly flags: Readonly<Record<string, unknown>>;
  /** Names of flags that were given, on the command line or by variables. */
  readonly given: ReadonlySet<string>;
  /** Flags with a secret that were given on the command line. */
  readonly exposed: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of the first of some variables that is set, and not empty. */
export const firstSet = (env: Environment, names: readonly string[]): string | undefined =>
  names.map((name) => env[name]).find((value) => value);

/**
 * Reads a command line.
 *
 * @param defaults Values of flags of a command in a project file, by its path (`secrets get`).
 * @throws CommandError with the exit code for usage.
 */
export function parse(
  root: Command,
  argv: readonly string[],
  env: Environment,
  defaults: (command: string) => Readonly<Record<string, unknown>> = () => ({}),
): Parsed {
  const path: Command[] = [root];
  const args: string[] = [];
  const raw = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index]!;
    const command = path.at(-1)!;
    if (word === '--') {
      args.push(...argv.slice(index + 1));
      break;
    }
    if (word.startsWith('-') && word !== '-') {
      const { name, flag, value } = readFlag(word, flagsOf(path), nameOf(path));
      const needsNext = value === undefined && flag.type !== 'switch';
      if (needsNext && index + 1 >= argv.length) throw usage(`--${name} needs a value`, helpHint(path));
      const text = needsNext ? argv[++index]! : (value ?? 'true');
      raw.set(name, [...(raw.get(name) ?? []), text]);
      continue;
    }
    const sub = args.length ? undefined : command.commands?.find((one) => one.name === word);
    if (sub) path.push(sub);
    else {
      args.push(word);
      if (command.passesArguments) {
        args.push(...argv.slice(index + 1));
        break;
      }
    }
  }
  return { path, args, ...valuesOf(path, raw, env, defaults(nameOf(path))) };
}

/** The flags of a command, with those of all commands. */
export const flagsOf = (path: readonly Command[]): Flags => ({ ...globalFlags, ...path.at(-1)!.flags });

/** The words of a command, without the program: `secrets get`. */
export const nameOf = (path: readonly Command[]): string =>
  path
    .slice(1)
    .map(({ name }) => name)
    .join(' ');

const helpHint = (path: readonly Command[]): string =>
  `See: coffer ${[...path.slice(1).map(({ name }) => name), '--help'].join(' ')}`;

/** `projectId` and `project-id` are the same flag. */
const canonical = (name: string): string => name.toLowerCase().replaceAll('-', '');

function readFlag(
  word: string,
  flags: Flags,
  command: string,
): { name: string; flag: Flag; value?: string | undefined } {
  const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=([^]*))?$/.exec(word) ?? [];
  const found =
    dashes === '--'
      ? Object.entries(flags).find(([known]) => canonical(known) === canonical(name))
      : Object.entries(flags).find(([, { short }]) => short === name[0]);
  if (!found) {
    const near = dashes === '--' ? nearest(name, Object.keys(flags)) : undefined;
    const meant = near ? `; did you mean --${near}?` : '';
    throw usage(
      `${command ? `coffer ${command}` : 'coffer'} has no flag ${dashes}${name}${meant}`,
      `See: coffer ${command ? `${command} ` : ''}--help`,
    );
  }
  const [known, flag] = found;
  // -ofile and -e=dev
  const attached = dashes === '-' && name.length > 1 ? name.slice(1) : undefined;
  if (attached !== undefined && flag.type === 'switch') throw usage(`-${name[0]} takes no value`);
  return {
    name: known,
    flag,
    value: attached === undefined ? value : attached + (value === undefined ? '' : `=${value}`),
  };
}

function valuesOf(
  path: readonly Command[],
  raw: ReadonlyMap<string, readonly string[]>,
  env: Environment,
  defaults: Readonly<Record<string, unknown>>,
): Pick<Parsed, 'flags' | 'given' | 'exposed'> {
  const flags: Record<string, unknown> = {};
  const given = new Set<string>();
  const exposed: string[] = [];
  for (const [name, flag] of Object.entries(flagsOf(path))) {
    const texts = raw.get(name) ?? fromEnvironment(flag, env);
    if (texts) given.add(name);
    if (raw.has(name) && flag.secret) exposed.push(name);
    if (defaults[name] !== undefined && (flag.secret || flag.byCaller))
      throw usage(`A project file cannot set --${name}`, 'Remove it there, and pass it or set its variable');
    const stored = texts ?? fromFile(defaults[name]);
    flags[name] = stored ? valueOf(name, flag, stored) : flag.default;
  }
  return { flags, given, exposed };
}

function fromEnvironment({ env: names = [] }: Flag, env: Environment): readonly string[] | undefined {
  const value = firstSet(env, names);
  return value === undefined ? undefined : [value];
}

function fromFile(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  return (Array.isArray(value) ? value : [value]).map(String);
}

function valueOf(name: string, flag: Flag, texts: readonly string[]): unknown {
  if (flag.type === 'list') return texts;
  const text = texts.at(-1)!;
  if (flag.choices && !flag.choices.includes(text))
    throw usage(`--${name} is ${text}; it can be ${flag.choices.join(', ')}`);
  if (flag.type === 'switch') return booleanOf(name, text);
  if (flag.type === 'number') return numberOf(name, flag, text);
  return text;
}

const TRUE = new Set(['true', '1', 't', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'f', 'no', 'off']);

function booleanOf(name: string, text: string): boolean {
  const value = text.toLowerCase();
  if (TRUE.has(value)) return true;
  if (FALSE.has(value)) return false;
  throw usage(`--${name} is ${text}; it can be true or false`);
}

function numberOf(name: string, { min }: Flag, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw usage(`--${name} is ${text}; it has to be a whole number`);
  const value = Number(text);
  if (min !== undefined && value < min) throw usage(`--${name} is ${text}; the minimum is ${min}`);
  return value;
}

/** The nearest of some names, if one is near enough for a typing error. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(word.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined;
}

/** The number of typing errors between two words of at most 40 characters: one more, one less, another one, two swapped. */
function distanceOf(a: string, b: string): number {
  if (a.length > 40 || b.length > 40) return Infinity;
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const [row, before] = [rows.at(-1)!, rows.at(-2)];
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const another = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = before && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, another, isSwapped ? before[j - 2]! + 1 : Infinity));
    }
    rows.push(next);
  }
  return rows.at(-1)!.at(-1)!;
}
