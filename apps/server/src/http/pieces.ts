import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** Bytes that are put together and handed over at once. */
const AT_ONCE = 256 * 1024;

/** Sends a long body without putting it together: that, and handing over all of it, would be one turn of the event loop. */
export function answerPieces(reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length <= AT_ONCE) return reply.send(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  return reply.header('content-length', length).send(Readable.from(pieces, { objectMode: false }));
}
