import { getHeapStatistics } from 'node:v8';
import { CallerTurns, clientGone, MAX_ANSWER, mostOfOneCaller } from '@coffer/domain';
import { busy } from './busy.ts';
import { Members, type Member } from './members.ts';

/** Memory of a message while it is read or made, as a multiple of its bytes: as it arrived, as text, as values. */
const WORK = 3;
/** A caller has at most as much as remains for others: half. */
const PORTION = 1;
/** Maximum number of waiting transfers of one caller. */
const MAX_WAITING = 1_000;
/** Milliseconds that others wait for memory of a slow client before its transfer is broken off. */
const PATIENCE_MS = 10_000;
const SWEEP_MS = 1_000;

/** A quarter of the heap, of all processes together, and at least what two of the largest answers have. */
export const transferMemoryOf = (processes: number): number =>
  Math.max(getHeapStatistics().heap_size_limit / 4 / processes, 2 * MAX_ANSWER);

interface Waiter {
  readonly transfer: Transfer;
  readonly bytes: number;
  readonly since: number;
  readonly start: () => void;
  readonly fail: (error: Error) => void;
}

export const closed = clientGone;

/** The memory of one request and its response. */
export class Transfer implements Member {
  readonly caller: string;
  readonly breakOff: () => void;
  /** What counts now. */
  bytes = 0;
  /** Since when it waits for its client to send or to read. */
  clientSince: number | undefined;
  isOver = false;
  /** Among those that count. */
  position = -1;
  /** While it waits for memory. */
  waiter: Waiter | undefined;
  readonly #memory: TransferMemory;

  constructor(memory: TransferMemory, caller: string, breakOff: () => void) {
    this.#memory = memory;
    this.caller = caller;
    this.breakOff = breakOff;
  }

  /**
   * Waits for the memory of a body of at most so many bytes. Then the client has to send it.
   *
   * @throws DomainError 429 if its caller has too many waiting transfers; 503 if the client disconnects meanwhile.
   */
  async receive(bytes: number): Promise<void> {
    await this.#memory.reserve(this, bytes * WORK);
    this.clientSince = this.#memory.now();
  }

  /** The client has sent its body, which may be smaller than expected. */
  received(bytes?: number): void {
    this.clientSince = undefined;
    if (bytes !== undefined) this.#memory.count(this, bytes * WORK);
  }

  /**
   * Waits for the memory to make an answer with so many more bytes of values, besides what counts already. Nothing counts
   * meanwhile: who has some and waited for more could wait forever.
   *
   * @throws as `receive`.
   */
  async announce(bytes: number): Promise<void> {
    const before = this.bytes;
    this.#memory.count(this, 0);
    await this.#memory.reserve(this, before + bytes * WORK);
  }

  /** The client has to read an answer of so many bytes. */
  waitForClient(answerBytes: number): void {
    this.#memory.count(this, answerBytes);
    this.clientSince = this.#memory.now();
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
  readonly #transfers = new Members<Transfer>();
  readonly #byCaller = new Map<string, number>();
  readonly #waiting = new CallerTurns<string, Waiter>();
  #used = 0;
  #sweeper: NodeJS.Timeout | undefined;

  /** `limit` in bytes. */
  constructor(limit: number, now: () => number = () => performance.now()) {
    this.now = now;
    this.#limit = limit;
    this.#share = mostOfOneCaller(limit, PORTION);
  }

  /** Bytes that count now. */
  get used(): number {
    return this.#used;
  }

  /** Transfers that wait for memory now. */
  get waiting(): number {
    return this.#waiting.size;
  }

  reserve(transfer: Transfer, bytes: number): Promise<void> {
    const { caller, isOver } = transfer;
    if (isOver) throw closed();
    if (this.#waiting.sizeOf(caller) >= MAX_WAITING) throw busy('large requests at once');
    const { promise, resolve: start, reject: fail } = Promise.withResolvers<void>();
    // More than its share would never be free.
    transfer.waiter = { transfer, bytes: Math.min(bytes, this.#share), since: this.now(), start, fail };
    this.#waiting.add(caller, transfer.waiter);
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
    const { waiter } = transfer;
    if (!waiter) return;
    this.#waiting.remove(transfer.caller, waiter);
    waiter.fail(closed());
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
      this.#waiting.take(this.#hasShare);
      next.transfer.waiter = undefined;
      this.#set(next.transfer, next.bytes);
      next.start();
    }
  }

  /** The first waiting transfer of the first caller who has room in its share. */
  #first(): Waiter | undefined {
    return this.#waiting.first(this.#hasShare);
  }

  readonly #hasShare = (caller: string, { bytes }: Waiter): boolean =>
    (this.#byCaller.get(caller) ?? 0) + bytes <= this.#share;
}
