import { failure } from '../exit.ts';
import type { Io } from '../io.ts';
import { variableOf, type Variable } from '../variables.ts';
import { dotenvValue, isReadOtherwise } from './quote.ts';

/**
 * Lines of a dotenv file, which a shell may source as well. `nameOf` may admit further names that run nothing.
 *
 * @throws CommandError for a name that is none of a variable, and for a value that readers do not agree on.
 */
export const dotenvOf = (
  variables: readonly Variable[],
  io: Pick<Io, 'say'>,
  nameOf: (name: string) => string = variableOf,
): string => variables.map((one) => `${nameOf(one.secretKey)}=${dotenvValueOf(one, io)}\n`).join('');

function dotenvValueOf({ secretKey, secretValue }: Variable, io: Pick<Io, 'say'>): string {
  const value = dotenvValue(secretValue);
  if (value === undefined)
    throw failure(
      `The value of ${secretKey} has no form that all readers of dotenv files agree on: it has single quotes beside $, ", \` or \\`,
      'Use the form json or yaml, or for shells coffer export --format dotenv-eval',
    );
  if (secretValue.includes('\r'))
    io.say('warn', `${secretKey} has carriage returns, which readers of dotenv files drop`);
  if (isReadOtherwise(secretValue))
    io.say(
      'warn',
      `${secretKey} has backslashes or \${…}, which Python's dotenv replaces; shells and Node read the value`,
    );
  return value;
}
