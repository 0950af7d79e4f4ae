import { setTimeout as sleep } from 'node:timers/promises';
import { badRequest } from '../kernel/errors.ts';
import { shareOf } from '../kernel/share.ts';
import type { TargetLimits, Targets, PooledClient } from '../kernel/index.ts';
import { within } from './deadline.ts';
import { WorkOfOwners } from './work-of-owners.ts';

/** Maximum concurrent calls to one target for each caller, from all processes of a machine: one each, if these are more. */
const AT_A_TIME = 4;
/** Maximum number of waiting calls for one target. */
const WAITING = 200;
/** Milliseconds. */
const WAIT = 10_000;
const TIME = 15_000;
/** Maximum lifetime of pooled clients in milliseconds, and their maximum number for one key. */
const IDLE_TIME = 5_000;
const IDLE = AT_A_TIME;
/** Milliseconds. */
const PATIENCE = 20_000;

export interface OwnTargets extends Targets {
  /** Waits for running work, and closes pooled clients. What takes longer is durable work, which another process continues. */
  close(): Promise<void>;
}

/** `patience`: milliseconds that running work is waited for when it is closed. */
export function createTargets(processes = 1, patience = PATIENCE): OwnTargets {
  const atATime = shareOf(AT_A_TIME, processes);
  const lines = new Map<string, Line>();
  const idle = new IdleClients();
  const underWay = new Set<Promise<unknown>>();

  function inBackground(work: Promise<unknown>): void {
    const settled: Promise<unknown> = work.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
  }

  async function inTurn<T>(name: string, target: string, waitMs: number, work: () => Promise<T>): Promise<T> {
    const line = lines.get(name) ?? new Line(target, atATime);
    lines.set(name, line);
    await line.turn(waitMs);
    try {
      return await work();
    } finally {
      line.done();
      if (line.isEmpty && lines.get(name) === line) lines.delete(name);
    }
  }

  return {
    run(target, work, { timeMs = TIME, waitMs = WAIT, whose = '' }: TargetLimits = {}) {
      const result = inTurn(`${whose} ${target}`, target, waitMs, () => within(timeMs, () => target, work));
      inBackground(result);
      return result;
    },
    usePooled: (key, signal, open, use) => idle.use(key, signal, open, use),
    owners: new WorkOfOwners(),
    inBackground,
    get underWay() {
      return underWay.size;
    },
    async close() {
      idle.end();
      const end = performance.now() + patience;
      while (underWay.size > 0 && performance.now() < end)
        await Promise.race([Promise.all(underWay), sleep(end - performance.now(), undefined, { ref: false })]);
      idle.closeAll();
    },
  };
}

interface IdleClient {
  readonly pooled: PooledClient<unknown>;
  /** Whether it may be used again; what the last call has left in it is taken out by then. */
  readonly isReady: Promise<boolean>;
  readonly end: NodeJS.Timeout;
}

/** Clients that a call has left open for the next one with the same key. */
class IdleClients {
  readonly #idle = new Map<string, IdleClient[]>();
  #isEnded = false;

  async use<Client, T>(
    key: string,
    signal: AbortSignal,
    open: () => Promise<PooledClient<Client>>,
    use: (client: Client) => Promise<T>,
  ): Promise<T> {
    const pooled = ((await this.#take(key)) ?? (await open())) as PooledClient<Client>;
    const end = () => pooled.close();
    signal.addEventListener('abort', end, { once: true });
    try {
      signal.throwIfAborted();
      const result = await use(pooled.client);
      if (signal.aborted) pooled.close();
      else this.#keep(key, pooled);
      return result;
    } catch (error) {
      pooled.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  /** From now on nothing is left open. */
  end(): void {
    this.#isEnded = true;
  }

  closeAll(): void {
    for (const { pooled, end } of [...this.#idle.values()].flat()) {
      clearTimeout(end);
      pooled.close();
    }
    this.#idle.clear();
  }

  async #take(key: string): Promise<PooledClient<unknown> | undefined> {
    for (;;) {
      const list = this.#idle.get(key);
      const one = list?.pop();
      if (list?.length === 0) this.#idle.delete(key);
      if (!one) return undefined;
      // Until then its deadline applies, and ends it.
      const isReady = await one.isReady;
      clearTimeout(one.end);
      if (isReady && one.pooled.isOpen()) return one.pooled;
      one.pooled.close();
    }
  }

  /** Only the next call for it waits until it is reset. */
  #keep(key: string, pooled: PooledClient<unknown>): void {
    const list = this.#idle.get(key) ?? [];
    if (this.#isEnded || list.length >= IDLE) return pooled.close();
    this.#idle.set(key, list);
    const end = setTimeout(() => {
      const at = list.findIndex((one) => one.pooled === pooled);
      if (at >= 0) list.splice(at, 1);
      if (list.length === 0 && this.#idle.get(key) === list) this.#idle.delete(key);
      pooled.close();
    }, IDLE_TIME);
    end.unref();
    const reset = pooled.reset?.() ?? Promise.resolve();
    const isReady = reset.then(
      () => true,
      () => false,
    );
    list.push({ pooled, end, isReady });
  }
}

/** The queue of calls for one target, in order of arrival. */
class Line {
  readonly #target: string;
  readonly #atATime: number;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(target: string, atATime: number) {
    this.#target = target;
    this.#atATime = atATime;
  }

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  /** @throws DomainError 400 `outbound.busy` if the queue is full, or the wait too long. */
  async turn(waitMs: number): Promise<void> {
    if (this.#inside < this.#atATime) {
      this.#inside++;
      return;
    }
    if (waitMs <= 0 || this.#waiting.length >= WAITING) throw this.#busy();
    await new Promise<void>((resolve, reject) => {
      const enter = () => {
        clearTimeout(limit);
        resolve();
      };
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(this.#busy());
      }, waitMs);
      this.#waiting.push(enter);
    });
  }

  /** The next waiting call takes over the slot. */
  done(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }

  #busy() {
    return badRequest('outbound.busy', `${this.#target} has too many concurrent calls: try again`, {
      target: this.#target,
    });
  }
}
