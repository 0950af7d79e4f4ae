import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alone, isRunning } from './alone.ts';

const LOCK = 'lock';
/** Begins the name of a file of each process that uses a build; its number follows. */
const USER = 'used-by-';

/**
 * The directory of this name in `builds`. If it is not there, `make` fills another one that is renamed: it is there as a whole. Of
 * several processes one makes it and the others wait; what is left of those that were killed goes, and older builds that no process uses.
 */
export async function keepBuild(
  builds: string,
  name: string,
  make: (outside: string) => Promise<void>,
): Promise<string> {
  const directory = join(builds, name);
  if (existsSync(directory)) return directory;
  await mkdir(builds, { recursive: true });
  await alone(join(builds, LOCK), async () => {
    if (existsSync(directory)) return;
    const outside = join(builds, `building-${process.pid}-${Date.now()}`);
    try {
      await make(outside);
      await rename(outside, directory);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
    for (const other of await readdir(builds)) {
      const isKept = other === name || other === LOCK || (await isUsed(join(builds, other)));
      if (!isKept) await rm(join(builds, other), { recursive: true, force: true });
    }
  });
  return directory;
}

/** Keeps a build until this process ends, because it reads from it as it goes. Whether the build is there. */
export function useBuild(directory: string): boolean {
  const sign = join(directory, `${USER}${process.pid}`);
  try {
    writeFileSync(sign, '');
    process.once('exit', () => rmSync(sign, { force: true }));
  } catch {
    // Where nothing can be written, nothing is removed.
  }
  return existsSync(directory);
}

async function isUsed(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => []);
  return names.some((name) => name.startsWith(USER) && isRunning(Number(name.slice(USER.length))));
}
