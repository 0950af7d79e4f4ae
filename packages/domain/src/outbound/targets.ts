import { badRequest } from '../kernel/errors.ts';
import type { TargetLimits, Targets, PooledClient } from '../kernel/index.ts';
import { within } from './deadline.ts';

/** Calls that one target gets at a time, from this process for each of those who call it. */
const AT_A_TIME = 4;
/** Calls that may wait for their turn at one target. */
const WAITING = 200;
/** Milliseconds. */
const WAIT = 10_000;
const TIME = 15_000;
/** What is kept open is kept this long, in milliseconds, and this often for one key. */
const IDLE_TIME = 5_000;
const IDLE = AT_A_TIME;

export interface OwnTargets extends Targets {
  /** Waits for what is under way, each within its own time, and closes what is kept open. */
  close(): Promise<void>;
}

interface Kept {
  readonly pooled: PooledClient<unknown>;
  /** Whether it may be used again; what the last call has left in it is taken out by then. */
  readonly isReady: Promise<boolean>;
  readonly end: NodeJS.Timeout;
}

export function createTargets(): OwnTargets {
  const lines = new Map<string, Line>();
  const kept = new Map<string, Kept[]>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  function inBackground(work: Promise<unknown>): void {
    const settled: Promise<unknown> = work.catch(() => undefined).finally(() => underWay.delete(settled));
    underWay.add(settled);
  }

  async function take(key: string): Promise<PooledClient<unknown> | undefined> {
    for (;;) {
      const list = kept.get(key);
      const one = list?.pop();
      if (list?.length === 0) kept.delete(key);
      if (!one) return undefined;
      // Until then its time goes on, and ends it.
      const isReady = await one.isReady;
      clearTimeout(one.end);
      if (isReady && one.pooled.isOpen()) return one.pooled;
      one.pooled.close();
    }
  }

  /** Nobody waits for it to be ready but the next call that wants it. */
  function keep(key: string, pooled: PooledClient<unknown>): void {
    const list = kept.get(key) ?? [];
    if (closed || list.length >= IDLE) return pooled.close();
    kept.set(key, list);
    const end = setTimeout(() => {
      const at = list.findIndex((one) => one.pooled === pooled);
      if (at >= 0) list.splice(at, 1);
      if (list.length === 0 && kept.get(key) === list) kept.delete(key);
      pooled.close();
    }, IDLE_TIME);
    end.unref();
    const reset = pooled.reset?.() ?? Promise.resolve();
    list.push({
      pooled,
      end,
      isReady: reset.then(
        () => true,
        () => false,
      ),
    });
  }

  return {
    run(target, work, { timeMs = TIME, waitMs = WAIT, whose = '' }: TargetLimits = {}) {
      const name = `${whose} ${target}`;
      const line = lines.get(name) ?? new Line(target);
      lines.set(name, line);
      const whole = async () => {
        await line.turn(waitMs);
        try {
          return await within(timeMs, () => target, work);
        } finally {
          line.done();
          if (line.isEmpty && lines.get(name) === line) lines.delete(name);
        }
      };
      const result = whole();
      inBackground(result);
      return result;
    },

    async usePooled(key, signal, open, use) {
      const pooled = ((await take(key)) ?? (await open())) as Awaited<ReturnType<typeof open>>;
      const end = () => pooled.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        signal.throwIfAborted();
        const result = await use(pooled.client);
        if (signal.aborted) pooled.close();
        else keep(key, pooled);
        return result;
      } catch (error) {
        pooled.close();
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
      }
    },

    inBackground,

    async close() {
      closed = true;
      while (underWay.size > 0) await Promise.all(underWay);
      for (const list of kept.values()) {
        for (const { pooled, end } of list) {
          clearTimeout(end);
          pooled.close();
        }
      }
      kept.clear();
    },
  };
}

/** Who waits for a turn at one target, in the order in which they came. */
class Line {
  readonly #target: string;
  readonly #waiting: (() => void)[] = [];
  #inside = 0;

  constructor(target: string) {
    this.#target = target;
  }

  get isEmpty(): boolean {
    return this.#inside === 0 && this.#waiting.length === 0;
  }

  /** @throws DomainError 400 `outbound.busy` where too many wait already, or it takes too long. */
  async turn(waitMs: number): Promise<void> {
    if (this.#inside < AT_A_TIME) {
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

  /** Whoever comes next takes over the place. */
  done(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside--;
  }

  #busy() {
    return badRequest('outbound.busy', `${this.#target} is busy with other calls: try again`, { target: this.#target });
  }
}
