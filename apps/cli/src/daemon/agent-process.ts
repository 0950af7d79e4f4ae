import { realpathSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { failure } from '../exit.ts';
import { pathOf, readText } from '../files.ts';
import type { Io } from '../io.ts';
import { firstSet } from '../parse.ts';

const INLINE = ['COFFER_AGENT_CONFIG_BASE64', 'INFISICAL_AGENT_CONFIG_BASE64'] as const;

/** The text of a configuration, its name for messages, and what tells it from others. */
export interface ConfigSource {
  readonly name: string;
  readonly text: string;
  readonly identity: string;
}

/** Reads the configuration of an agent: a variable with base64 comes before the file. @throws CommandError if there is none. */
export function configSource(given: string, io: Pick<Io, 'env' | 'cwd'>): ConfigSource {
  const inline = firstSet(io.env, INLINE);
  if (inline !== undefined) {
    const text = Buffer.from(inline, 'base64').toString();
    return { name: INLINE[0], text, identity: text };
  }
  const path = pathOf(given, io.cwd);
  return { name: given, text: readText(path, 'Pass --config with the configuration'), identity: realpathSync(path) };
}

/** Ends a process in order at the first of these signals, and at once at the second. */
export function endingSignal(io: Pick<Io, 'say'>): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const end = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(1);
    io.say('info', `${signal}: ending`);
    controller.abort();
  };
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const one of signals) process.on(one, end);
  return {
    signal: controller.signal,
    release: () => {
      for (const one of signals) process.off(one, end);
    },
  };
}

/** Serves health and metrics on a port of this machine, too. @throws CommandError if the port is taken. */
export const listenLocally = (port: number, listener: RequestListener): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(listener);
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(failure(`The port ${port} of health-port cannot be used (${error.code})`)),
    );
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
