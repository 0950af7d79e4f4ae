import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';
import { withoutCredentials } from '../../own-credentials.ts';
import type { Environment } from '../../parse.ts';
import type { Fragment } from './finding.ts';
import { addedIn, COMMIT_FORMAT, linesOf } from './patch.ts';

/**
 * A repository may name programs in its configuration and attributes, and settings that hide a part of its history. None of these counts here.
 * https://git-scm.com/docs/git-config
 */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.quotePath=false',
  'i18n.logOutputEncoding=UTF-8',
  'log.showRoot=true',
  'log.showSignature=false',
].flatMap((setting) => ['-c', setting]);
/** What is missing is not fetched, whatever the repository allows; nothing of the index is written; nothing is replaced. */
const VARIABLES = {
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
};
const PATCH = [
  '-U0',
  '--inter-hunk-context=0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
];

/**
 * The added lines of commits; of merges those that none of their parents has, as other commits have the rest.
 *
 * @param options Of `git log`, in place of those for all commits.
 */
export const historyOf = (
  source: string,
  options: string | undefined,
  maxBytes: number,
  io: Io,
): AsyncGenerator<Fragment> => {
  const which = options ? wordsOf(options) : ['--full-history', '--all'];
  return patchesOf(
    source,
    ['log', '-p', '--cc', '--no-relative', ...PATCH, `--format=${COMMIT_FORMAT}`, ...which],
    maxBytes,
    io,
  );
};

/** The added lines that are not committed yet, or those that the next commit will have. */
export async function* changesOf(
  source: string,
  isStaged: boolean,
  maxBytes: number,
  io: Io,
): AsyncGenerator<Fragment> {
  const args = ['diff', '--no-relative', '--ignore-submodules', ...PATCH, ...(isStaged ? ['--staged'] : [])];
  yield* patchesOf(source, args, maxBytes, io, await filtersOff(source, io.env));
}

/**
 * Files of the working tree are compared as they are: git would prepare them by programs that the repository names (`filter.*.clean`). Returns
 * variables that switch off those which are configured.
 */
async function filtersOff(source: string, env: Environment): Promise<Record<string, string>> {
  const names = (await askGit(source, 'config', '--null', '--name-only', '--get-regexp', String.raw`^filter\.`)) ?? '';
  const filters = new Set(names.split('\0').flatMap((name) => /^(filter\..+)\.[^.]+$/s.exec(name)?.[1] ?? []));
  const given = Number(env['GIT_CONFIG_COUNT'] ?? 0) || 0;
  const settings = [...filters].flatMap((filter) => [
    [`${filter}.clean`, ''],
    [`${filter}.process`, ''],
    [`${filter}.required`, 'false'],
  ]);
  const variables = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${given + index}`, name],
    [`GIT_CONFIG_VALUE_${given + index}`, value],
  ]);
  return { ...Object.fromEntries(variables), GIT_CONFIG_COUNT: String(given + settings.length) };
}

async function* patchesOf(
  source: string,
  args: readonly string[],
  maxBytes: number,
  io: Io,
  variables: Readonly<Record<string, string>> = {},
): AsyncGenerator<Fragment> {
  const git = spawn('git', ['-C', source, ...SETTINGS, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutCredentials(io.env), ...VARIABLES, ...variables },
  });
  const ended = once(git, 'close') as Promise<[number | null]>;
  const complaints = textOf(git.stderr);
  git.stdout.setEncoding('utf8');
  const leftOut = (path: string) => io.say('warn', `A change of ${path} is left out: see --max-target-megabytes`);
  try {
    yield* addedIn(linesOf(git.stdout), maxBytes, leftOut);
  } finally {
    git.kill();
  }
  const [code] = await ended;
  if (code) throw failure(`git ${args[0]} has failed: ${(await complaints).trim()}`);
}

/** Options as a shell would divide them: by spaces that are not in quotes. */
const wordsOf = (options: string): string[] =>
  [...options.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)].map(([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'),
  );

/** Asks git about a repository; `undefined` where there is none, or no git. */
export async function askGit(source: string, ...args: readonly string[]): Promise<string | undefined> {
  try {
    const options = { env: { ...withoutCredentials(process.env), ...VARIABLES }, maxBuffer: 2 ** 30 };
    const { stdout } = await promisify(execFile)('git', ['-C', source, ...args], options);
    return stdout.trim();
  } catch {
    return undefined;
  }
}
