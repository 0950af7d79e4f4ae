import type { Socket } from 'node:net';
import { requireCredential } from '@coffer/api';
import { clientNetwork, DomainError } from '@coffer/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { answerBrokenRequest } from './faults.ts';
import type { Limits } from './rate-limit.ts';
import type { TransferOf } from './transfers.ts';

/** Maximum size in bytes of a body that is read without a valid credential. */
export const MODEST_BODY = 64 * 1024;
/** Unfinished bodies without a valid credential from one address. */
const MAX_UNFINISHED = 256;
/** Milliseconds until they must be complete. */
const STRANGER_MS = 15_000;
const SWEEP_MS = 1_000;

export interface StrangerOptions {
  /** Unfinished bodies without a valid credential from one address. */
  readonly maxUnfinished?: number;
  /** Milliseconds until they must be complete. */
  readonly patienceMs?: number;
}

interface Unfinished {
  readonly address: string;
  readonly since: number;
  readonly socket: Socket;
}

interface Gate {
  readonly limits: Limits;
  readonly transferOf: TransferOf;
  readonly bodyLimit: number;
  readonly strangers?: StrangerOptions;
}

/**
 * Decides when the body of a request is read. Anybody may send small ones, a few at a time and without dawdling. For
 * a larger one the credential is verified first; then it waits for memory, where others have taken all of it.
 */
export class BodyGate {
  readonly #gate: Gate;
  readonly #maxUnfinished: number;
  readonly #patienceMs: number;
  readonly #unfinished = new Set<Unfinished>();
  readonly #byAddress = new Map<string, number>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.#maxUnfinished = gate.strangers?.maxUnfinished ?? MAX_UNFINISHED;
    this.#patienceMs = gate.strangers?.patienceMs ?? STRANGER_MS;
  }

  /** `isOpen`: the route is for everybody, and limits bodies itself. Calls `next` when the body may be read. */
  admit(req: FastifyRequest, reply: FastifyReply, isOpen: boolean, next: (error?: Error) => void): void {
    const { credential } = req.call.http;
    const isKnown = credential !== undefined && this.#gate.limits.isVerified(credential.text);
    const bytes = Number(req.headers['content-length'] ?? Infinity);
    if (!isOpen && bytes > MODEST_BODY) {
      this.#admitLarge(req, reply, { isKnown, bytes }).then(() => next(), next);
      return;
    }
    next(isKnown ? undefined : this.#watch(req, reply));
  }

  async #admitLarge(
    req: FastifyRequest,
    reply: FastifyReply,
    { isKnown, bytes }: { isKnown: boolean; bytes: number },
  ): Promise<void> {
    const caller = isKnown ? undefined : await requireCredential(req.call);
    const { transferOf, bodyLimit } = this.#gate;
    // A larger one is refused without being read.
    if (Number.isFinite(bytes) && bytes > bodyLimit) return;
    const transfer = transferOf(req, reply, caller);
    await transfer.reserve(Math.min(bytes, bodyLimit));
    transfer.waitForClient();
  }

  /** Answers a DomainError 429 if there are too many. */
  #watch({ call, raw }: FastifyRequest, reply: FastifyReply): DomainError | undefined {
    const address = clientNetwork(call.request.ipAddress);
    const count = this.#byAddress.get(address) ?? 0;
    if (count >= this.#maxUnfinished)
      return new DomainError('rate_limited', 'rate.busy', 'Too many unfinished requests: try again in 1 second', {
        retryAfter: 1,
      });
    const one: Unfinished = { address, since: performance.now(), socket: raw.socket };
    const end = () => this.#end(one);
    this.#unfinished.add(one);
    this.#byAddress.set(address, count + 1);
    raw.once('end', end);
    reply.raw.once('close', end);
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#patienceMs)).unref();
    return undefined;
  }

  #end(one: Unfinished): void {
    if (!this.#unfinished.delete(one)) return;
    const count = this.#byAddress.get(one.address)! - 1;
    if (count > 0) this.#byAddress.set(one.address, count);
    else this.#byAddress.delete(one.address);
  }

  #sweep(): void {
    const late = performance.now() - this.#patienceMs;
    for (const one of this.#unfinished) {
      if (one.since > late) break;
      answerBrokenRequest(tooSlow(), one.socket);
      this.#end(one);
    }
    if (this.#unfinished.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

const tooSlow = () => Object.assign(new Error('The body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
