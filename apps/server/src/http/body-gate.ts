import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { requireCredential } from '@coffer/api';
import { clientNetwork, WorkBudget } from '@coffer/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { busy } from './busy.ts';
import { answerBrokenRequest } from './faults.ts';
import { GatheredBody } from './gathered-body.ts';
import { closeAfterAnswer } from './linger.ts';
import type { Limits } from './rate-limit.ts';
import { closed, type Transfer } from './transfer-memory.ts';
import type { TransferOf } from './transfers.ts';

/** Maximum size in bytes of a body that is read without a valid credential. */
export const MODEST_BODY = 64 * 1024;
/** Maximum size in bytes of a body that only counts when it is read. */
const SMALL_BODY = 16 * 1024;
/** Size in bytes of a body from which on it is put together and read in several turns of the event loop. */
export const LONG_BODY = 64 * 1024;
/** Unfinished bodies without a valid credential from one address, in all processes together. */
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
  readonly socket: Socket;
  /** Infinity while it waits for its turn. */
  readonly since: number;
}

interface Gate {
  readonly limits: Limits;
  readonly transferOf: TransferOf;
  readonly bodyLimit: number;
  readonly strangers?: StrangerOptions;
  /** How many processes serve the port. */
  readonly processes?: number;
}

/** Methods whose bodies have no meaning (RFC 9110, section 9.3). */
export const WITHOUT_BODY = ['GET', 'HEAD'];

const isChunked = ({ headers }: FastifyRequest): boolean => headers['transfer-encoding'] !== undefined;
/** The announced size of the body; infinite if it is unknown. */
const bytesOf = (req: FastifyRequest): number =>
  isChunked(req) ? Infinity : Number(req.headers['content-length'] ?? '0');

/**
 * Receives a body that nobody reads, and keeps nothing of it: otherwise the server would not notice when the client
 * disconnects. The connection ends with the answer, unless the body is small; the client can read it (`closeAfterAnswer`).
 */
export function discardBody(req: FastifyRequest, reply: FastifyReply): void {
  const bytes = bytesOf(req);
  if (bytes === 0 || req.raw.complete) return;
  req.raw.resume();
  if (bytes > MODEST_BODY) void reply.header('connection', 'close');
  const { socket } = req.raw;
  // Probes have no call.
  const { call } = req as Partial<FastifyRequest>;
  // Node calls it after the last response of a connection.
  socket.destroySoon = () => {
    if (req.raw.complete) Socket.prototype.destroySoon.call(socket);
    else closeAfterAnswer(socket, call?.request.ipAddress);
  };
}

/**
 * Decides when the body of a request is read. Anybody may send small ones, a few at a time and without dawdling. For
 * a larger one the credential is verified first; then it waits for memory, where others have taken all of it. Where the
 * size is not announced, this happens when it turns out to be large.
 */
export class BodyGate {
  readonly #gate: Gate;
  readonly #maxUnfinished: number;
  readonly #patienceMs: number;
  readonly #unfinished = new Map<FastifyRequest, Unfinished>();
  /** In the order in which they began. */
  readonly #byAddress = new Map<string, Set<FastifyRequest>>();
  /** The bodies of unknown size. */
  readonly #gathered = new WeakMap<FastifyRequest, GatheredBody>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(gate: Gate) {
    this.#gate = gate;
    this.#maxUnfinished = gate.strangers?.maxUnfinished ?? Math.ceil(MAX_UNFINISHED / (gate.processes ?? 1));
    this.#patienceMs = gate.strangers?.patienceMs ?? STRANGER_MS;
  }

  /**
   * Whether the request has a body that is read. Called as soon as it begins, before it is its turn.
   *
   * @throws DomainError 429 if too many of its address have one that is not small.
   */
  begin(req: FastifyRequest, reply: FastifyReply): boolean {
    if (bytesOf(req) === 0) return false;
    if (WITHOUT_BODY.includes(req.method)) {
      discardBody(req, reply);
      return false;
    }
    if (bytesOf(req) > SMALL_BODY && !this.#isKnown(req)) this.#count(req, reply);
    if (isChunked(req)) {
      const gathered = new GatheredBody(req.raw);
      this.#gathered.set(req, gathered);
      reply.raw.once('close', () => gathered.destroy(closed()));
    }
    return true;
  }

  /** `isOpen`: the route limits bodies itself, for everybody. Calls `next` when the body may be read. */
  admit(req: FastifyRequest, reply: FastifyReply, isOpen: boolean, next: (error?: Error) => void): void {
    const bytes = bytesOf(req);
    if (!isOpen && !isChunked(req) && bytes > MODEST_BODY) {
      this.#admitLarge(req, reply, bytes).then(() => next(), next);
      return;
    }
    try {
      if (!this.#isKnown(req)) this.#watch(req, reply);
    } catch (error) {
      next(error as Error);
      return;
    }
    next();
  }

  /** The body of an admitted request, as it may be read: one of unknown size is measured, and a long one ends in a turn of its own. */
  measured(req: FastifyRequest, reply: FastifyReply, isOpen: boolean, body: Readable): Readable {
    const gathered = this.#gathered.get(req);
    if (!gathered && bytesOf(req) < LONG_BODY) return body;
    const parts = gathered ? this.#measure(req, reply, isOpen, gathered) : body;
    const measured = Readable.from(endingInTurn(parts), { objectMode: false });
    // Its reader gets it too, unless it has refused the body already: then nobody else would, which ends the process.
    return measured.on('error', () => undefined);
  }

  /** Before more than a small part of a body is read, it is admitted as a large one. */
  async *#measure(req: FastifyRequest, reply: FastifyReply, isOpen: boolean, body: Readable): AsyncGenerator<Buffer> {
    let bytes = 0;
    let transfer: Transfer | undefined;
    for await (const part of body) {
      bytes += (part as Buffer).length;
      if (bytes > MODEST_BODY && !isOpen) transfer ??= await this.#admitLarge(req, reply, this.#gate.bodyLimit);
      yield part as Buffer;
    }
    transfer?.received(bytes);
  }

  #isKnown({ call: { http } }: FastifyRequest): boolean {
    return http.credential !== undefined && this.#gate.limits.isVerified(http.credential);
  }

  async #admitLarge(req: FastifyRequest, reply: FastifyReply, bytes: number): Promise<Transfer> {
    const caller = this.#isKnown(req) ? undefined : await requireCredential(req.call);
    this.#end(req);
    const transfer = this.#gate.transferOf(req, reply, caller);
    // One beyond the limit is refused without being read.
    if (bytes <= this.#gate.bodyLimit) await transfer.receive(bytes);
    return transfer;
  }

  /**
   * Where an address has too many, the one that takes longest ends: what arrives at once is read, however many others
   * behind that address keep theirs open.
   *
   * @throws DomainError 429 if all of them wait for their turn.
   */
  #count(req: FastifyRequest, reply: FastifyReply): Unfinished {
    const address = clientNetwork(req.call.request.ipAddress);
    if ((this.#byAddress.get(address)?.size ?? 0) >= this.#maxUnfinished) this.#endSlowest(address);
    const end = () => this.#end(req);
    const one = { address, since: Infinity, socket: req.raw.socket };
    this.#unfinished.set(req, one);
    const own = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, own.add(req));
    req.raw.once('end', end);
    reply.raw.once('close', end);
    return one;
  }

  /** Its time runs from now on. @throws as `#count`. */
  #watch(req: FastifyRequest, reply: FastifyReply): void {
    const one = this.#unfinished.get(req) ?? this.#count(req, reply);
    this.#unfinished.set(req, { ...one, since: performance.now() });
    this.#sweeper ??= setInterval(() => this.#sweep(), Math.min(SWEEP_MS, this.#patienceMs)).unref();
  }

  #endSlowest(address: string): void {
    for (const req of this.#byAddress.get(address) ?? []) {
      const { since, socket } = this.#unfinished.get(req)!;
      if (since === Infinity) continue;
      answerBrokenRequest(tooSlow(), socket);
      this.#end(req);
      return;
    }
    throw busy('unfinished requests');
  }

  #end(req: FastifyRequest): void {
    const one = this.#unfinished.get(req);
    if (!one) return;
    this.#unfinished.delete(req);
    const own = this.#byAddress.get(one.address)!;
    own.delete(req);
    if (own.size === 0) this.#byAddress.delete(one.address);
  }

  #sweep(): void {
    const late = performance.now() - this.#patienceMs;
    for (const [req, { since, socket }] of this.#unfinished) {
      if (since > late) continue;
      answerBrokenRequest(tooSlow(), socket);
      this.#end(req);
    }
    if (this.#unfinished.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** However many long bodies arrive at once, one of them is put together in each turn of the event loop. */
async function* endingInTurn(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    yield part;
  }
  if (bytes >= LONG_BODY) await new WorkBudget().rest();
}

const tooSlow = () => Object.assign(new Error('The body is too slow'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
