import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { alone } from './alone.ts';

const LOCK = 'lock';

/**
 * The directory of this name in `builds`. If it is not there, `make` fills another one that is renamed: it is there as a whole. Of
 * several processes one makes it and the others wait; what is left of older builds, and of those that were killed, goes.
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
    for (const other of await readdir(builds))
      if (other !== name && other !== LOCK) await rm(join(builds, other), { recursive: true, force: true });
  });
  return directory;
}
