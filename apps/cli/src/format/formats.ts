import { failure } from '../exit.ts';
import type { Io } from '../io.ts';
import type { Secret } from '../secrets.ts';
import { variableOf } from '../variables.ts';
import { dotenvOf } from './dotenv.ts';
import { csvField, fishWord, shellWord } from './quote.ts';

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
  dotenv: { file: '.env', setsVariables: true, render: dotenvOf },
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
