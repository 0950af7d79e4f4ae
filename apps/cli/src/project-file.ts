import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { failure } from './exit.ts';
import { readIfThere } from './files.ts';

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

/** The nearest project file, in this directory or one above it. @throws CommandError if it is damaged. */
export function findProjectFile(from: string): ProjectFile | undefined {
  for (let directory = from; ; directory = dirname(directory)) {
    for (const name of PROJECT_FILES) {
      const path = join(directory, name);
      const text = readIfThere(path);
      if (text !== undefined) return readProjectFile(path, text);
    }
    if (directory === dirname(directory)) return undefined;
  }
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
    encoding: 'utf8',
    timeout: 2000,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trim() : undefined;
}
