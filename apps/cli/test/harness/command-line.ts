import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testServer, type TestServer } from '@coffer/server/testing';
import { bundle } from './bundle.ts';

export interface Result {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly cwd?: string;
}

/** A home directory with nothing in it, and the command line in it. */
export interface CommandLine {
  readonly home: string;
  /** Runs it to its end. */
  run(args: readonly string[], options?: RunOptions): Promise<Result>;
  /** Starts it. */
  start(args: readonly string[], options?: RunOptions): Promise<ChildProcessWithoutNullStreams>;
  remove(): void;
}

export function commandLine(defaults: Readonly<Record<string, string>> = {}): CommandLine {
  const home = mkdtempSync(join(tmpdir(), 'coffer-cli-'));
  const start = async (args: readonly string[], { env = {}, cwd = home }: RunOptions = {}) => {
    const clean = { PATH: process.env['PATH']!, HOME: home, SHELL: '/bin/sh', ...defaults, ...env };
    return spawn(process.execPath, [await bundle(), ...args], { cwd, env: clean });
  };
  return {
    home,
    start,
    async run(args, options = {}) {
      const child = await start(args, options);
      child.stdin.on('error', () => undefined).end(options.input ?? '');
      const ended = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
        child.once('exit', (code, signal) => resolve([code, signal])),
      );
      const [stdout, stderr, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      return { code, signal, stdout, stderr };
    },
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** A server that listens, and a project of its own in it. */
export interface World {
  readonly test: TestServer;
  readonly url: string;
  readonly projectId: string;
  /** A command line of nobody, which is removed with the world. */
  open(env?: Readonly<Record<string, string>>): CommandLine;
  /** A command line as the administrator of the organization, in the project. */
  administrator(): CommandLine;
  close(): Promise<void>;
}

/** @param options Of the server: what it reaches of other systems. */
export async function world(options: Parameters<typeof testServer>[0] = {}): Promise<World> {
  const test = await testServer(options);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
  const { id: projectId } = await test.project();
  const opened: CommandLine[] = [];
  const open: World['open'] = (env = {}) => {
    const made = commandLine({ COFFER_DOMAIN: url, ...env });
    opened.push(made);
    return made;
  };
  return {
    test,
    url,
    projectId,
    open,
    administrator: () => open({ COFFER_TOKEN: test.adminIdentity.token, COFFER_PROJECT_ID: projectId }),
    async close() {
      for (const one of opened) one.remove();
      await test.close();
    },
  };
}
