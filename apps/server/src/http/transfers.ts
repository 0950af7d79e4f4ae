import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { whenGone } from './abandoned.ts';
import type { Exchanges } from './exchanges.ts';
import { Transfer, type TransferMemory } from './transfer-memory.ts';

/** Answers with at most so many bytes are not counted: a connection costs as much. */
const UNCOUNTED = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory of the request, if it or its response is large. */
    transfer: Transfer | undefined;
  }
}

export interface TransferOptions {
  /** The memory in bytes for large bodies and answers of all clients; default: by the size of the heap. */
  readonly bytes?: number;
  /** Maximum time in milliseconds that a client may leave an answer unread. */
  readonly patienceMs?: number;
}

/** The transfer of a request, which is counted until its response is closed. */
export type TransferOf = (req: FastifyRequest, reply: FastifyReply, caller?: string) => Transfer;

/** `callerOf`: the caller of a request whose actor is unknown. */
export const transfersOf =
  (memory: TransferMemory, callerOf: (req: FastifyRequest) => string): TransferOf =>
  (req, reply, caller = 'id' in req.call.actor ? req.call.caller : callerOf(req)) => {
    if (req.transfer) return req.transfer;
    const transfer = new Transfer(memory, caller, () => reply.raw.destroy());
    req.transfer = transfer;
    whenGone(reply, () => transfer.end());
    return transfer;
  };

/** Counts large answers while they are sent, and notes which are: see `Exchanges`. */
export function watchAnswers(app: FastifyInstance, transferOf: TransferOf, exchanges: Exchanges): void {
  app.decorateRequest('transfer');
  app.addHook('preValidation', ({ transfer }, _reply, done) => {
    transfer?.received();
    done();
  });
  app.addHook('onSend', (req, reply, payload, done) => {
    const bytes = sizeOf(reply, payload);
    if (bytes > UNCOUNTED) transferOf(req, reply).waitForClient(bytes);
    else req.transfer?.waitForClient(0);
    if (bytes > 0) exchanges.sending(reply.raw, req.exchange);
    done(null, payload);
  });
}

/** The bytes of an answer that is complete; 0 for a stream, which holds little at a time. */
function sizeOf(reply: FastifyReply, payload: unknown): number {
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) return payload.length;
  return Number(reply.getHeader('content-length') ?? 0);
}
