import { failure } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Secret } from '../secrets.ts';
import { csvField, dotenvValue, fishWord, isReadOtherwise, shellWord } from './quote.ts';

interface Format {
  /** The name of a file in a directory that is given for it. */
  readonly file: string;
  /** What reads it, a shell or a program, makes variables of it. */
  readonly setsVariables?: true;
  render(secrets: readonly Secret[], io: Pick<Io, 'say'>): string | Promise<string>;
}

const lines = (all: readonly string[]): string => all.map((line) => `${line}\n`).join('');

/** Commands of a POSIX shell. */
const forShells: Format = {
  file: '.env',
  setsVariables: true,
  render: (secrets) =>
    lines(secrets.map((secret) => `export ${variableOf(secret.secretKey)}=${shellWord(secret.secretValue)}`)),
};

/** What `coffer export` writes, by the published names. */
export const FORMATS: Readonly<Record<string, Format>> = {
  dotenv: {
    file: '.env',
    setsVariables: true,
    render: (secrets, io) =>
      lines(secrets.map((secret) => `${variableOf(secret.secretKey)}=${dotenvValueOf(secret, io)}`)),
  },
  'dotenv-export': forShells,
  'dotenv-eval': forShells,
  fish: {
    file: '.env.fish',
    setsVariables: true,
    render: (secrets) =>
      lines(secrets.map((secret) => `set -gx ${variableOf(secret.secretKey)} ${fishWord(secret.secretValue)}`)),
  },
  docker: {
    file: '.env',
    setsVariables: true,
    render: (secrets) => lines(secrets.map((secret) => `${variableOf(secret.secretKey)}=${singleLine(secret)}`)),
  },
  json: { file: 'secrets.json', render: (secrets) => JSON.stringify(secrets.map(published)) },
  csv: {
    file: 'secrets.csv',
    render: (secrets) =>
      lines(['Key,Value', ...secrets.map((one) => `${csvField(one.secretKey)},${csvField(one.secretValue)}`)]),
  },
  yaml: {
    file: 'secrets.yaml',
    render: async (secrets) => {
      const { yamlOf } = await import('./yaml.ts');
      return yamlOf(new Map(secrets.map(({ secretKey, secretValue }) => [secretKey, secretValue])));
    },
  },
};

/** @throws CommandError for a name that a shell could not assign to, or would run. */
export function variableOf(secretKey: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(secretKey)) return secretKey;
  throw failure(`${secretKey} is no name of a variable`, 'Rename the secret, or use --format json or yaml');
}

function dotenvValueOf({ secretKey, secretValue }: Secret, io: Pick<Io, 'say'>): string {
  const value = dotenvValue(secretValue);
  if (value === undefined)
    throw failure(
      `The value of ${secretKey} has no form that all readers of dotenv files agree on: it has single quotes beside $, ", \` or \\`,
      'Use --format dotenv-eval for shells, or json or yaml',
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

/** Docker reads what follows `=` up to the end of the line, without quotes. */
function singleLine({ secretKey, secretValue }: Secret): string {
  if (!/[\r\n]/.test(secretValue)) return secretValue;
  throw failure(
    `The value of ${secretKey} has line breaks, which an env file of Docker cannot hold`,
    'Use coffer run, or --format json',
  );
}

/** The published element of the JSON form. */
const published = (secret: Secret) => ({
  key: secret.secretKey,
  workspace: secret.workspace,
  value: secret.secretValue,
  type: secret.type,
  _id: secret.id,
  secretPath: secret.secretPath,
  tags: secret.tags.map(({ id, name, slug }) => ({ _id: id, name, slug, workspace: secret.workspace })),
  comment: secret.secretComment,
  skipMultilineEncoding: secret.skipMultilineEncoding ?? false,
});
