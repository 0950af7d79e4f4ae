import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_FLAGS, serverEnvironment } from './child-environment.ts';
import { MAIN } from './program.ts';

export interface Reply {
  readonly status: number | undefined;
  readonly id: string;
  /** The server closes the connection with it. */
  readonly isLast: boolean;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

/** Milliseconds after which no answer comes any more. */
const ANSWER_MS = 60_000;

/** One connection at a time: all its requests go to one worker. Rejects where the connection breaks, or nothing answers. */
export interface Connection {
  (method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
  close(): void;
}

export type WorkersUnderTest = Awaited<ReturnType<typeof startWorkers>>;

/** The real program with two workers. */
export function launchWorkers(environment: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    env: { ...serverEnvironment(), PORT: '0', COFFER_WORKERS: '2', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const errors = text(child.stderr);
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  return { child, errors, ended, output: () => output };
}

/** The same; resolves once it serves. */
export async function startWorkers(environment: Record<string, string>) {
  const launched = launchWorkers(environment);
  const { child, errors, output } = launched;
  let url = '';
  while (url === '') {
    url = /Coffer serves on (http:\/\/[\d.:]+)/.exec(output())?.[1] ?? '';
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${await errors}`);
    await sleep(10);
  }
  const connect = (token?: string): Connection => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = (method: string, path: string, body?: object, headers = {}) =>
      new Promise<Reply>((resolve, reject) => {
        const authorization = token && { authorization: `Bearer ${token}` };
        const type = body && { 'content-type': 'application/json' };
        const req = request(`${url}${path}`, { agent, method, headers: { ...authorization, ...type, ...headers } });
        req.setTimeout(ANSWER_MS, () => req.destroy(new Error(`No answer within ${ANSWER_MS} ms`)));
        req.once('error', reject).once('response', (res) => {
          const id = String(res.headers['x-request-id']);
          const isLast = res.headers.connection === 'close';
          const isJson = res.headers['content-type']?.includes('json') === true;
          text(res).then(
            (said) => resolve({ status: res.statusCode, id, isLast, body: isJson ? JSON.parse(said) : said }),
            reject,
          );
        });
        req.end(body && JSON.stringify(body));
      });
    return Object.assign(ask, { close: () => agent.destroy() });
  };
  return {
    ...launched,
    url,
    connect,
    /** A connection to each worker, in the order of their numbers. */
    async connectToEach(count: number, token?: string): Promise<Connection[]> {
      const found = new Map<number, Connection>();
      while (found.size < count) {
        const connection = connect(token);
        const { id } = await connection('GET', '/api/v1/admin/config');
        const worker = await workerOf(id);
        if (found.has(worker)) connection.close();
        else found.set(worker, connection);
      }
      return [...found].toSorted(([a], [b]) => a - b).map(([, connection]) => connection);
    },
    /** The processes of the workers, in the order of their start; the ids of processes start over at some number. */
    workers: () =>
      childrenOf(child.pid!)
        .filter((pid) => commandOf(pid).includes('workers/main'))
        .toSorted((a, b) => startOf(a) - startOf(b)),
    /** All processes that it has started, and itself. */
    processes: () => [child.pid!, ...childrenOf(child.pid!)],
  };

  /** The worker that answered a request, as the log says, whose lines come half a second later. */
  async function workerOf(id: string): Promise<number> {
    for (;;) {
      const line = output()
        .split('\n')
        .find((one) => one.includes(`"${id}"`));
      if (line !== undefined && line.endsWith('}')) return (JSON.parse(line) as { worker: number }).worker;
      await sleep(20);
    }
  }
}

/** Whether a process exists; a zombie does not. */
export const isAlive = (pid: number): boolean => !['', 'Z', 'X'].includes(statOf(pid).state);

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => statOf(pid).parent === parent);
}

function statOf(pid: number): { state: string; parent: number } {
  const said = read(`/proc/${pid}/stat`);
  // The command's name may hold blanks and brackets; the fields after it do not.
  const [state = '', parent = ''] = said.slice(said.lastIndexOf(')') + 2).split(' ');
  return { state: said && state, parent: Number(parent) };
}

/** Which worker of its primary it is, counted from 1: `node:cluster` says it to the process. */
const startOf = (pid: number): number => Number(/(?:^|\0)NODE_UNIQUE_ID=(\d+)/.exec(read(`/proc/${pid}/environ`))?.[1]);

const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`);

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
