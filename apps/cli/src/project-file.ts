import { dirname, join, resolve } from 'node:path';
import { spawnSync } from 'node:child_process';
import { failure } from './exit.ts';
import { readWithOwner } from './files.ts';
import { withoutCredentials } from './own-credentials.ts';

/** The file of a project, which is committed with it: Coffer's own, or the published one. */
export const PROJECT_FILES = ['.coffer.json', '.infisical.json'] as const;

export interface ProjectFile {
  readonly path: string;
  readonly projectId?: string | undefined;
  readonly environment?: string | undefined;
  /** Environments by branch of git. */
  readonly branches: Readonly<Record<string, string>>;
  readonly secretPath?: string | undefined;
  readonly domain?: string | undefined;
  /** Defaults of flags, by the words of a command: `{ "run": { "recursive": true } }`. */
  readonly flags: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * The nearest project file, in this directory or one above it, that is this user's or root's. Anybody may write one into a
 * directory such as /tmp, and would decide what is run, and with which secrets, by those who work below it.
 *
 * @param isNamed Whether the caller has named the directory: a file right there is theirs, whoever owns it.
 * @throws CommandError if it is damaged.
 */
export function findProjectFile(from: string, { isNamed = false } = {}): ProjectFile | undefined {
  for (const { directory, path, text, isOwn } of projectFiles(from))
    if (isOwn || (isNamed && directory === resolve(from))) return readProjectFile(path, text);
  return undefined;
}

/** Those of other users, which are not obeyed. */
export function foreignProjectFiles(from: string): string[] {
  const files = [...projectFiles(from)];
  const nearest = files.findIndex(({ isOwn }) => isOwn);
  return files.slice(0, nearest < 0 ? files.length : nearest).map(({ path }) => path);
}

/** All project files from a directory upwards. @throws CommandError if one cannot be read. */
function* projectFiles(from: string) {
  for (let directory = resolve(from); ; directory = dirname(directory)) {
    for (const name of PROJECT_FILES) {
      const path = join(directory, name);
      const file = readWithOwner(path);
      if (file) yield { directory, path, text: file.text, isOwn: isOfThisUser(file.owner) };
    }
    if (directory === dirname(directory)) return;
  }
}

/** Root's are everybody's; with sudo, so are those of the user who has called it. Windows has no such owners. */
function isOfThisUser(owner: number): boolean {
  const user = process.getuid?.();
  if (user === undefined || [user, 0].includes(owner)) return true;
  return user === 0 && process.env['SUDO_UID'] === String(owner);
}

interface Stored {
  readonly workspaceId?: string;
  readonly projectId?: string;
  readonly defaultEnvironment?: string;
  readonly gitBranchToEnvironmentMapping?: Record<string, string> | null;
  readonly defaultSecretPath?: string;
  readonly domain?: string;
  readonly flags?: ProjectFile['flags'];
}

function readProjectFile(path: string, text: string): ProjectFile {
  let stored: Stored | null;
  try {
    stored = JSON.parse(text) as Stored | null;
  } catch {
    throw failure(`${path} is no JSON`, 'Correct it, or delete it and run coffer init');
  }
  if (typeof stored !== 'object' || !stored)
    throw failure(`${path} holds no object`, 'Correct it, or delete it and run coffer init');
  const { workspaceId, projectId, defaultEnvironment, gitBranchToEnvironmentMapping, defaultSecretPath } = stored;
  return {
    path,
    projectId: projectId || workspaceId || undefined,
    environment: defaultEnvironment || undefined,
    branches: gitBranchToEnvironmentMapping ?? {},
    secretPath: defaultSecretPath || undefined,
    domain: stored.domain || undefined,
    flags: stored.flags ?? {},
  };
}

/** The environment for the branch of git that is checked out, else the default one. */
export function environmentOf(file: ProjectFile): string | undefined {
  if (Object.keys(file.branches).length) {
    const branch = currentBranch(dirname(file.path));
    if (branch && Object.hasOwn(file.branches, branch)) return file.branches[branch];
  }
  return file.environment;
}

function currentBranch(directory: string): string | undefined {
  const { status, stdout } = spawnSync('git', ['symbolic-ref', '--quiet', '--short', 'HEAD'], {
    cwd: directory,
    env: withoutCredentials(process.env),
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : undefined;
}
