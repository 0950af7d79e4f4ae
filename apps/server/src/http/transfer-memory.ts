import { getHeapStatistics } from 'node:v8';
import { DomainError, MAX_ANSWER } from '@coffer/domain';

/** Memory of a message while it is read or made, as a multiple of its bytes: as it arrived, as text, as values. */
const WORK = 3;
/** The maximum share of one caller. */
const SHARE = 1 / 2;
/** Maximum number of waiting transfers of one caller. */
const MAX_WAITING = 1_000;
/** Milliseconds that others wait for memory of a slow client before its transfer is broken off. */
const PATIENCE_MS = 10_000;
const SWEEP_MS = 1_000;

/** A quarter of the heap, and at least what two of the largest answers have. */
const defaultTransferMemory = (): number => Math.max(getHeapStatistics().heap_size_limit / 4, 2 * MAX_ANSWER);

interface Waiter {
  readonly transfer: Transfer;
  readonly bytes: number;
  readonly since: number;
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

const closed = () => new DomainError('unavailable', 'request.closed', 'The client has disconnected');

/** The memory of one request and its response. */
export class Transfer {
  readonly caller: string;
  readonly breakOff: () => void;
  /** What counts now. */
  bytes = 0;
  /** Since when it waits for its client to send or to read. */
  clientSince: number | undefined;
  isOver = false;
  readonly #memory: TransferMemory;

  constructor(memory: TransferMemory, caller: string, breakOff: () => void) {
    this.#memory = memory;
    this.caller = caller;
    this.breakOff = breakOff;
  }

  /**
   * Waits for the memory to receive or to make a message. Only the first time: who has some and waited for more could
   * wait forever.
   *
   * @throws DomainError 429 if its caller has too many waiting transfers; 503 if the client disconnects meanwhile.
   */
  async reserve(bytes: number): Promise<void> {
    if (this.bytes === 0) await this.#memory.reserve(this, bytes * WORK);
  }

  /** The client has to act: to send the body that memory was reserved for, or to read an answer of so many bytes. */
  waitForClient(answerBytes = this.bytes): void {
    this.#memory.count(this, answerBytes);
    this.clientSince = this.#memory.now();
  }

  /** The client has sent its body. */
  received(): void {
    this.clientSince = undefined;
  }

  /** The response is closed. */
  end(): void {
    this.#memory.end(this);
  }
}

/**
 * Limits the memory of large request bodies and responses of all clients together, from before they are read or made
 * until they are sent. Large ones wait for memory; callers take turns, and none gets all of it. Small responses never
 * wait, but count while clients do not read them. Slow clients are disconnected while others wait for their memory.
 */
export class TransferMemory {
  readonly now: () => number;
  readonly #limit: number;
  readonly #share: number;
  readonly #transfers = new Set<Transfer>();
  readonly #byCaller = new Map<string, number>();
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string, Waiter[]>();
  #used = 0;
  #sweeper: NodeJS.Timeout | undefined;

  /** `limit` in bytes. */
  constructor(limit = defaultTransferMemory(), now: () => number = () => performance.now()) {
    this.#limit = limit;
    this.#share = limit * SHARE;
    this.now = now;
  }

  /** Bytes that count now. */
  get used(): number {
    return this.#used;
  }

  /** Transfers that wait for memory now. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, line) => sum + line.length, 0);
  }

  reserve(transfer: Transfer, bytes: number): Promise<void> {
    const { caller, isOver } = transfer;
    if (isOver) throw closed();
    const line = this.#waiting.get(caller) ?? [];
    if (line.length >= MAX_WAITING)
      throw new DomainError('rate_limited', 'rate.busy', 'Too many large requests at once: try again in 1 second', {
        retryAfter: 1,
      });
    const { promise, resolve: start, reject: fail } = Promise.withResolvers<void>();
    // More than its share would never be free.
    line.push({ transfer, bytes: Math.min(bytes, this.#share), since: this.now(), start, fail });
    this.#waiting.set(caller, line);
    this.#next();
    return promise;
  }

  /** Counts so many bytes from now on for a transfer, without waiting. */
  count(transfer: Transfer, bytes: number): void {
    if (transfer.isOver || transfer.bytes === bytes) return;
    this.#set(transfer, bytes);
    this.#next();
  }

  end(transfer: Transfer): void {
    this.count(transfer, 0);
    transfer.isOver = true;
    const line = this.#waiting.get(transfer.caller);
    const index = line?.findIndex((one) => one.transfer === transfer) ?? -1;
    if (index === -1) return;
    const [waiter] = line!.splice(index, 1);
    if (line!.length === 0) this.#waiting.delete(transfer.caller);
    waiter!.fail(closed());
    this.#next();
  }

  /** Disconnects slow clients whose memory others need. Called automatically while something counts. */
  sweep(): void {
    const blocked = this.#first();
    if (blocked && this.#isSlow(blocked.since))
      this.#breakOffSlow(this.#limit - blocked.bytes, blocked.transfer.caller);
    this.#breakOffSlow(this.#limit);
    if (this.#transfers.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #isSlow(since: number | undefined): boolean {
    return since !== undefined && this.now() - since >= PATIENCE_MS;
  }

  /** Until no more bytes are used than these: first the slowest clients of the callers that use most. */
  #breakOffSlow(bytes: number, except?: string): void {
    let excess = this.#used - bytes;
    if (excess <= 0) return;
    const usedBy = new Map(this.#byCaller);
    const slow = [...this.#transfers]
      .filter(({ caller, clientSince }) => caller !== except && this.#isSlow(clientSince))
      .toSorted((a, b) => usedBy.get(b.caller)! - usedBy.get(a.caller)! || a.clientSince! - b.clientSince!);
    for (const transfer of slow) {
      if (excess <= 0) return;
      excess -= transfer.bytes;
      transfer.end();
      transfer.breakOff();
    }
  }

  #set(transfer: Transfer, bytes: number): void {
    const { caller } = transfer;
    const added = bytes - transfer.bytes;
    const own = (this.#byCaller.get(caller) ?? 0) + added;
    if (own === 0) this.#byCaller.delete(caller);
    else this.#byCaller.set(caller, own);
    this.#used += added;
    transfer.bytes = bytes;
    if (bytes === 0) this.#transfers.delete(transfer);
    else this.#transfers.add(transfer);
    this.#sweeper ??= setInterval(() => this.sweep(), SWEEP_MS).unref();
  }

  #next(): void {
    for (let next = this.#first(); next && this.#used + next.bytes <= this.#limit; next = this.#first()) {
      const { transfer, bytes, start } = next;
      const [, ...line] = this.#waiting.get(transfer.caller)!;
      // The caller's next transfer has its turn after all other callers.
      this.#waiting.delete(transfer.caller);
      if (line.length > 0) this.#waiting.set(transfer.caller, line);
      this.#set(transfer, bytes);
      start();
    }
  }

  /** The first waiting transfer of the first caller who has room in its share. */
  #first(): Waiter | undefined {
    for (const [caller, [waiter]] of this.#waiting)
      if ((this.#byCaller.get(caller) ?? 0) + waiter!.bytes <= this.#share) return waiter;
    return undefined;
  }
}
