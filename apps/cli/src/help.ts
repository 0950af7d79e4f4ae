import { flagsOf } from './parse.ts';
import type { Argument, Command, Flag } from './table/command.ts';

/** The help of a command: what it does, how it is written, its commands and flags. */
export function helpOf(path: readonly Command[]): string {
  const command = path.at(-1)!;
  const own = Object.entries(command.flags ?? {});
  const inherited = Object.entries(flagsOf(path)).filter(([name]) => !Object.hasOwn(command.flags ?? {}, name));
  return [
    command.description ?? sentence(command.summary),
    section('Usage', [usageOf(path)]),
    section('Examples', command.examples ?? []),
    section(
      'Commands',
      columns((command.commands ?? []).filter(isOffered).map(({ name, summary }) => [name, summary])),
    ),
    section('Arguments', columns((command.args ?? []).map((one) => [argumentOf(one), one.summary]))),
    section('Flags', columns(own.map(flagRow))),
    section('Flags of every command', columns(inherited.map(flagRow))),
  ]
    .filter(Boolean)
    .join('\n\n')
    .concat('\n');
}

export const isOffered = ({ notOffered }: Command): boolean => !notOffered;

export function usageOf(path: readonly Command[]): string {
  const { load, args = [], commands = [] } = path.at(-1)!;
  const words = path.map(({ name }) => name).join(' ');
  const rest = args.map(argumentOf);
  if (load) return [words, '[flags]', ...rest].join(' ');
  return `${words} ${commands.length ? '<command>' : ''}`.trim();
}

function argumentOf({ name, optional, many }: Argument): string {
  const whole = many ? `${name}…` : name;
  return optional ? `[${whole}]` : `<${whole}>`;
}

/** `-e, --env <text>` */
export const flagWords = (name: string, { type, short, placeholder }: Flag): string =>
  `${short ? `-${short}, ` : '    '}--${name}${type === 'switch' ? '' : ` <${placeholder ?? (type === 'number' ? 'number' : 'text')}>`}`;

/** What a flag means, with its default, values and variables. */
export function flagMeaning({ summary, default: value, choices, env }: Flag): string {
  const facts = [
    choices && `one of ${choices.join(', ')}`,
    isWorthSaying(value) && `default ${JSON.stringify(value).replaceAll('"', '')}`,
    env?.length && `or ${env[0]}`,
  ].filter(Boolean);
  return facts.length ? `${summary} (${facts.join('; ')})` : summary;
}

const sentence = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}.`;

const isWorthSaying = (value: unknown): boolean =>
  value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && !value.length);

const flagRow = ([name, flag]: readonly [string, Flag]): [string, string] => [flagWords(name, flag), flagMeaning(flag)];

const section = (title: string, lines: readonly string[]): string =>
  lines.length ? `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}` : '';

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(0, ...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `${left.padEnd(width)}  ${right}`);
}
