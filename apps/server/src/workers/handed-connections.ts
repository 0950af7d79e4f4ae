import type { Worker } from 'node:cluster';

/** What `node:cluster` sends with a connection; the worker answers with the same number as `ack`. */
interface Handover {
  readonly cmd: 'NODE_CLUSTER';
  readonly act: 'newconn';
  readonly seq: number;
}

/** Milliseconds in which everything is read that a worker sent before its end. */
const LAST_WORDS_MS = 500;

/**
 * `node:cluster` keeps each connection that it hands to a worker open until the worker says that it has it, also when the
 * worker is killed before: the client would wait without end. This closes such connections after
 * the worker's end. To hand them to another worker is no way: the killed one may have read from them.
 */
export function closeWithItsWorker({ process }: Worker): void {
  const handed = new Map<number, { close(): void }>();
  const send = process.send.bind(process) as (...args: unknown[]) => boolean;
  process.send = (message: unknown, handle?: unknown, ...rest: unknown[]) => {
    if (handle && isHandover(message)) handed.set(message.seq, handle as { close(): void });
    return send(message, handle, ...rest);
  };
  process.on('internalMessage', ({ ack }: { ack?: number }) => ack !== undefined && handed.delete(ack));
  // With a connection on its way there is no 'disconnect'.
  process.once('exit', () => {
    const close = () => handed.forEach((connection) => connection.close());
    setTimeout(close, LAST_WORDS_MS).unref();
  });
}

const isHandover = (message: unknown): message is Handover => {
  const { cmd, act } = message as Partial<Handover>;
  return cmd === 'NODE_CLUSTER' && act === 'newconn';
};
