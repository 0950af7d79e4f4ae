import { Readable } from 'node:stream';
import { isTrackedEnvelope } from '@trpc/server';
import type { FastifyReply } from 'fastify';
import { whenGone } from './abandoned.ts';

export interface StreamOptions {
  /**
   * Milliseconds after which a line is sent to an idle stream: proxies and clients treat silence as a lost connection.
   */
  readonly heartbeatMs?: number;
  /** Maximum time in milliseconds that a reader may leave data unread. */
  readonly patienceMs?: number;
}

const HEARTBEAT = 15_000;
const PATIENCE = 30_000;
/** How often it is looked within that time. */
const LOOKS = 5;

interface Stream extends StreamOptions {
  /** The events with their IDs; `null` for a position only. */
  readonly items: AsyncIterable<unknown>;
  /** Called when the stream has ended. */
  readonly end: () => void;
  /** An error as an event for the client. */
  readonly report: (error: unknown) => object;
}

const BEAT = Symbol('beat');

/** Responds with server-sent events. The next one is sent after the reader has taken the previous ones. */
export function answerEvents(reply: FastifyReply, stream: Stream): FastifyReply {
  attendReader(reply, stream.patienceMs);
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' })
    .send(Readable.from(frames(stream), { objectMode: false, highWaterMark: 1 }));
}

async function* frames({ items, end, report, heartbeatMs = HEARTBEAT }: Stream): AsyncGenerator<string> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { promise: beat, resolve } = Promise.withResolvers<typeof BEAT>();
      const timer = setTimeout(resolve, heartbeatMs, BEAT);
      const result = await Promise.race([next, beat]).finally(() => clearTimeout(timer));
      if (result === BEAT) {
        yield ':\n\n';
        continue;
      }
      if (result.done) return;
      yield frameOf(result.value);
      next = iterator.next();
    }
  } catch (error) {
    yield `event: error\ndata: ${JSON.stringify(report(error))}\n\n`;
  } finally {
    end();
    // It may never be called again, and is not awaited: it ends with what it waits for itself.
    iterator.return?.().catch(() => undefined);
  }
}

function frameOf(item: unknown): string {
  if (!isTrackedEnvelope(item)) throw new Error('An event has no ID');
  const [id, data] = item;
  return data === null ? `id: ${id}\n\n` : `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}

/**
 * Closes the connection of a client that has not read for this long: it can reconnect and resume. The connection is
 * also closed when the stream ends, because a stopping server would wait for clients that keep it open.
 */
export function attendReader(reply: FastifyReply, patienceMs = PATIENCE): void {
  const { raw } = reply;
  raw.shouldKeepAlive = false;
  let taken = 0;
  /** Looks in a row at which it had taken nothing more. By the clock, a server that stood still would blame its readers. */
  let looks = 0;
  const timer = setInterval(() => {
    const { bytesWritten = 0, writableLength = 0 } = raw.socket ?? {};
    const before = taken;
    taken = bytesWritten - writableLength;
    looks = raw.writableLength === 0 || taken > before ? 0 : looks + 1;
    if (looks > LOOKS) raw.destroy();
  }, patienceMs / LOOKS);
  timer.unref();
  whenGone(reply, () => clearInterval(timer));
}
