import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildCommandLine } from '../subject/command-line.ts';
import type { Run } from '../subject/stage.ts';
import { writeSecrets } from '../subject/world.ts';
import { median } from './sample.ts';

const ROUNDS = 21;
/** Milliseconds that `coffer --version`, and `coffer run` of a program, may take beyond the start of Node. */
const TARGET = { version: 60, run: 100 };

/** Milliseconds in rounds in which all have their turn: the median, and the least, which other work on the machine disturbs least. */
interface Times {
  readonly median: number;
  readonly least: number;
}

export interface CommandLineStart {
  readonly node: Times;
  readonly version: Times;
  /** Of a program that does nothing, with 20 secrets of a local server. */
  readonly run: Times;
  /** Requests of one such run. */
  readonly requests: number;
}

/** Measures how long the command line as it is published takes, and how much of that is the start of Node. */
export async function measureCommandLine(run: Run): Promise<CommandLineStart> {
  const program = await buildCommandLine(await run.directory('bundle'));
  const { world } = await run.stage('command-line');
  await writeSecrets(world, 'SECRET_', 20);
  const counter = await countingProxy(world.admin.url);
  const env = { COFFER_DOMAIN: world.admin.url, COFFER_TOKEN: world.token, COFFER_PROJECT_ID: world.projectId };
  const runTrue = [program, 'run', '--', 'true'];
  try {
    // The first runs fill the compile cache.
    await timeOf([program, '--version']);
    await timeOf(runTrue, { ...env, COFFER_DOMAIN: counter.url });
    const times: Record<'node' | 'version' | 'run', number[]> = { node: [], version: [], run: [] };
    for (let round = 0; round < ROUNDS; round++) {
      times.node.push(await timeOf(['--eval', '0']));
      times.version.push(await timeOf([program, '--version']));
      times.run.push(await timeOf(runTrue, env));
    }
    const { node, version, run: ran } = times;
    return { node: timesOf(node), version: timesOf(version), run: timesOf(ran), requests: counter.count() };
  } finally {
    counter.close();
  }
}

const timesOf = (times: readonly number[]): Times => ({ median: median(times), least: Math.min(...times) });

async function timeOf(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<number> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH, HOME, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`coffer ${args.slice(1).join(' ')} has failed`);
  return performance.now() - started;
}

/** Passes requests on to a server, and counts them. */
async function countingProxy(target: string): Promise<{ url: string; count: () => number; close: () => void }> {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count++;
    const passed = request(new URL(incoming.url ?? '/', target), {
      method: incoming.method,
      headers: incoming.headers,
    });
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, count: () => count, close: () => void server.close() };
}

export function showCommandLine({ node, version, run, requests }: CommandLineStart): string {
  const more = (of: Times, target: number) =>
    `${(of.median - node.median).toFixed(0)} ms more, of the fastest ${(of.least - node.least).toFixed(0)} ms (target: ${target} ms)`;
  return [
    `Node's own start: ${node.median.toFixed(0)} ms, the fastest ${node.least.toFixed(0)} ms`,
    `coffer --version: ${more(version, TARGET.version)}`,
    `coffer run -- true: ${more(run, TARGET.run)}, requests: ${requests} (target: 1)`,
    '',
  ].join('\n');
}
