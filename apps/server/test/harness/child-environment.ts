import { join } from 'node:path';

/**
 * For Node: while other tests use all cores, helping threads cost a start a fifth more and save no time. What is loaded
 * stays, and is copied less often where there is more room for what is new, and not looked through where the heap may grow.
 */
export const NODE_FLAGS: readonly string[] = [
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--initial-heap-size=256',
];

/** What every program that a test starts gets of the own environment: the compile cache too, as from `npm start`. */
export function childEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
}

/** The same for the server, which has a compile cache of its own (`compileCacheOf` in `scripts/run.mjs`). */
export function serverEnvironment(): Record<string, string> {
  const { NODE_COMPILE_CACHE, ...environment } = childEnvironment();
  return { ...environment, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: join(NODE_COMPILE_CACHE, '../main') }) };
}
