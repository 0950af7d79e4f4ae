import { dotenvValue } from './quote.ts';
import { text, type Flags } from '../table/command.ts';

/** Forms of results for programs, besides the table for people. */
export const outputFlags = {
  output: text('form of the result', { short: 'o', choices: ['json', 'yaml', 'dotenv'] }),
} as const satisfies Flags;

/** The form that was asked for; `--json` is the same as `--output json`. */
export const formOf = (flags: { readonly output: string | undefined; readonly json: boolean }): string | undefined =>
  flags.output ?? (flags.json ? 'json' : undefined);

/**
 * Renders records.
 *
 * @param pair The fields whose values are the name and the value in dotenv.
 */
export async function render(
  form: string,
  records: readonly Readonly<Record<string, unknown>>[] | Readonly<Record<string, unknown>>,
  pair?: readonly [string, string],
): Promise<string> {
  if (form === 'yaml') return (await import('./yaml.ts')).yamlOf(records);
  if (form === 'json') return `${JSON.stringify(records, undefined, 2)}\n`;
  const all = (Array.isArray(records) ? records : [records]) as readonly Readonly<Record<string, unknown>>[];
  const pairs = pair ? all.map((one) => [one[pair[0]], one[pair[1]]]) : all.flatMap((one) => Object.entries(one));
  return pairs
    .map(([name, value]) => [textOf(name), textOf(value)] as const)
    .map(([name, value]) => `${name}=${dotenvValue(value) ?? JSON.stringify(value)}\n`)
    .join('');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? ''));
