import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS, serverEnvironment } from './child-environment.ts';
import { MAIN } from './program.ts';

/** Milliseconds that a start may take. */
const PATIENCE = 60_000;

/** The server as a separate process. */
export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
}

/** Starts the server on a free port; resolves once it serves. */
export async function startProcess(environment: Record<string, string>): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    env: { ...serverEnvironment(), PORT: '0', COFFER_RATE_LIMIT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (const deadline = performance.now() + PATIENCE; performance.now() < deadline; await sleep(10)) {
    const [, url] = /Coffer serves on (http:\/\/[\d.:]+)/.exec(said) ?? [];
    if (url) return { url, child };
    if (child.exitCode !== null) break;
  }
  child.kill('SIGKILL');
  throw new Error(`The server does not start: ${said}`);
}

/** Ends it as a crash does. */
export async function killProcess({ child }: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
