import { Readable } from 'node:stream';
import { isTrackedEnvelope } from '@trpc/server';
import type { FastifyReply } from 'fastify';

export interface StreamOptions {
  /** Milliseconds after which a line is sent where nothing else is: proxies and clients take silence for an end. */
  readonly heartbeatMs?: number;
  /** Milliseconds that a reader may leave what it was sent unread. */
  readonly patienceMs?: number;
}

const HEARTBEAT = 15_000;
const PATIENCE = 30_000;
/** How often it is looked within that time. */
const LOOKS = 5;

interface Stream extends StreamOptions {
  /** The events with their IDs; `null` where there is only an ID. */
  readonly items: AsyncIterable<unknown>;
  /** Called once nobody reads any more. */
  readonly end: () => void;
  /** An error as it is sent to the client, as an object. */
  readonly report: (error: unknown) => object;
}

const BEAT = Symbol('beat');

/** Answers a stream of server-sent events. Only what the reader has taken is followed by more. */
export function answerEvents(reply: FastifyReply, stream: Stream): FastifyReply {
  const { end, patienceMs } = stream;
  reply.raw.once('close', end);
  attendReader(reply, patienceMs);
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
    // It may never be asked again, and is not waited for: it ends with what it waits for itself.
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
export function attendReader({ raw }: FastifyReply, patienceMs = PATIENCE): void {
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
  raw.once('close', () => clearInterval(timer));
}
