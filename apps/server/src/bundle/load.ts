import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { useBuild } from '@coffer/web/keep';
import { BUILDER, BUNDLES, nameOfBundle } from './sources.ts';

/** Milliseconds after a start before its bundle is made: the first answers have the machine for themselves. */
const REST_MS = 10_000;
/** Bytes that a builder may take. */
const MEMORY = 1024 ** 3;

/** Whoever looks inside wants to see the sources. */
const isLookedInto = /--(?:inspect|cpu-prof|heap-prof)/.test(
  [...process.execArgv, process.env['NODE_OPTIONS']].join(' '),
);
let isFromBundle = false;

/**
 * A module of the server from the bundle, if there is one of these sources, which takes half the time and less memory; otherwise from
 * the sources, and a bundle is made later for the next start.
 */
export async function fromBundle<Module>(name: 'run' | 'worker', fromSources: () => Promise<Module>): Promise<Module> {
  const directory = await freshBundle().catch(() => undefined);
  if (directory !== undefined) {
    try {
      const module = (await import(pathToFileURL(join(directory, `${name}.js`)).href)) as Module;
      isFromBundle = true;
      return module;
    } catch {
      // Whatever is wrong with it, the sources are there.
    }
  }
  return fromSources();
}

async function freshBundle(): Promise<string | undefined> {
  if (isLookedInto || !existsSync(BUNDLES)) return undefined;
  const directory = join(BUNDLES, await nameOfBundle());
  return useBuild(directory) ? directory : undefined;
}

/** For a server from the sources: makes their bundle in a process of its own, unless memory is short or this process ends before. */
export function bundleLater(): void {
  if (isFromBundle || isLookedInto) return;
  setTimeout(() => {
    if (process.availableMemory() < MEMORY) return;
    const { PATH, HOME } = process.env;
    const child = spawn(process.execPath, [BUILDER, '--idle'], { env: { PATH, HOME }, stdio: 'ignore' });
    child.once('error', () => undefined);
    child.unref();
    process.once('exit', () => child.kill());
  }, REST_MS).unref();
}
