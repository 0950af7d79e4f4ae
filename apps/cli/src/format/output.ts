import type { Io } from '../io.ts';
import { labelOf, settable, variableOf } from '../variables.ts';
import { dotenvOf } from './dotenv.ts';
import { text, type Flags } from '../table/command.ts';

/** Forms of results for programs, besides the table for people. */
export const outputFlags = {
  output: text('form of the result', { short: 'o', choices: ['json', 'yaml', 'dotenv'] }),
} as const satisfies Flags;

/** The form that was asked for; `--json` is the same as `--output json`. */
export const formOf = (flags: { readonly output: string | undefined; readonly json: boolean }): string | undefined =>
  flags.output ?? (flags.json ? 'json' : undefined);

interface RenderOptions {
  /** The fields whose values are the name and the value in dotenv. */
  readonly pair?: readonly [string, string];
  /** Whether the names are of other things than secrets, such as IDs. */
  readonly areLabels?: boolean;
  /** Of a command with this flag: whether variables that make programs load code stay in dotenv. */
  readonly keepsLoaders?: boolean;
}

/**
 * Renders records.
 *
 * @throws CommandError for what dotenv cannot hold.
 */
export async function render(
  form: string,
  records: readonly Readonly<Record<string, unknown>>[] | Readonly<Record<string, unknown>>,
  io: Pick<Io, 'say'>,
  { pair, areLabels = false, keepsLoaders }: RenderOptions = {},
): Promise<string> {
  if (form === 'yaml') return (await import('./yaml.ts')).yamlOf(records);
  if (form === 'json') return `${JSON.stringify(records, undefined, 2)}\n`;
  const all = (Array.isArray(records) ? records : [records]) as readonly Readonly<Record<string, unknown>>[];
  const pairs = pair ? all.map((one) => [one[pair[0]], one[pair[1]]]) : all.flatMap((one) => Object.entries(one));
  const variables = pairs.map(([name, value]) => ({ secretKey: textOf(name), secretValue: textOf(value) }));
  const toKeep = keepsLoaders === undefined ? { toKeep: 'The forms json and yaml have it' } : {};
  const kept = settable(variables, { keepsLoaders: keepsLoaders ?? false, ...toKeep }, io);
  return dotenvOf(kept, io, areLabels ? labelOf : variableOf);
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
