import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { failure } from '../../exit.ts';
import type { Io } from '../../io.ts';
import type { Fragment } from './finding.ts';
import { addedIn, COMMIT_FORMAT, linesOf } from './patch.ts';

/** A repository may name programs in its configuration; none of them is run to show a patch, and the patch has one form. */
const SETTINGS = ['core.fsmonitor=false', 'core.quotePath=false', 'log.showSignature=false'].flatMap((setting) => [
  '-c',
  setting,
]);
const PATCH = [
  '-U0',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--submodule=short',
];

/** The added lines of commits. @param options Of `git log`, in place of those for all commits. */
export const historyOf = (
  source: string,
  options: string | undefined,
  maxBytes: number,
  io: Io,
): AsyncGenerator<Fragment> =>
  patchesOf(
    source,
    ['log', '-p', ...PATCH, `--format=${COMMIT_FORMAT}`, ...(options ? wordsOf(options) : ['--full-history', '--all'])],
    maxBytes,
    io,
  );

/** The added lines that are not committed yet, or those that the next commit will have. */
export const changesOf = (source: string, isStaged: boolean, maxBytes: number, io: Io): AsyncGenerator<Fragment> =>
  patchesOf(source, ['diff', ...PATCH, ...(isStaged ? ['--staged'] : [])], maxBytes, io);

async function* patchesOf(source: string, args: readonly string[], maxBytes: number, io: Io): AsyncGenerator<Fragment> {
  const git = spawn('git', ['-C', source, ...SETTINGS, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
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
    const { stdout } = await promisify(execFile)('git', ['-C', source, ...args]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}
