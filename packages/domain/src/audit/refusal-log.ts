import { clientNetwork, isRecent, type Context, type Refusal } from '../kernel/index.ts';
import { eventRow, isoOf, type EventRow } from './event-row.ts';
import { INSTANCE_LOG } from './instance-log.ts';

/** Refusals of one kind, actor, address and project within this time are one event. */
const WINDOW_MS = 60_000;
const SWEEP_MS = 5_000;
/** Windows that are open at a time; what comes beyond is counted together, for each kind and organization. */
const MAX_WINDOWS = 2_000;
const MAX_DETAILS = 10;
const MAX_DETAIL = 200;

/** Refusals of one kind, actor, address and project since the last recorded event. */
interface Window {
  /** When the last event was written, or the first refusal came. */
  since: number;
  count: number;
  firstAt: string;
  lastAt: string;
  readonly details: Set<string>;
  /** The first of them: who, from where, in which organization. */
  row: EventRow;
}

export interface RefusalLogDeps {
  /** Resolves when the event is committed. */
  readonly write: (row: EventRow) => Promise<void>;
  readonly now: () => Date;
  readonly onError: (error: unknown) => void;
}

/**
 * Records refusals in the audit log, at most one event for each kind, actor, address (a /64 of IPv6), project and
 * minute: refusals in one place do not hide those in another from its readers. The first is written immediately and
 * awaited. Further ones within a minute are counted in memory, and written as one event at the end of the minute or of
 * the process; a crash loses at most the counts of one minute. Memory is bounded.
 */
export class RefusalLog {
  readonly #deps: RefusalLogDeps;
  readonly #windows = new Map<string, Window>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RefusalLogDeps) {
    this.#deps = deps;
  }

  /** How many windows are open. */
  get size(): number {
    return this.#windows.size;
  }

  async note(refusal: Refusal, ctx: Pick<Context, 'actor' | 'request' | 'now'>): Promise<void> {
    const row = eventRow(ctx, refusal.event);
    const key = this.#keyOf(row, refusal.subject);
    let window = this.#windows.get(key);
    const isFirst = window === undefined;
    if (!window) {
      window = {
        since: Date.parse(row.createdAt),
        count: 0,
        firstAt: row.createdAt,
        lastAt: row.createdAt,
        details: new Set(),
        row,
      };
      this.#windows.set(key, window);
      this.#timer ??= setInterval(() => void this.sweep().catch(this.#deps.onError), SWEEP_MS).unref();
    }
    add(window, row, refusal.detail);
    if (isFirst) await this.#write(window);
  }

  /** Writes the counts of ended minutes; with `isLast`, all counts. */
  async sweep(isLast = false): Promise<void> {
    const now = this.#deps.now().getTime();
    const writing: Promise<void>[] = [];
    for (const [key, window] of this.#windows) {
      if (!isLast && isRecent(window.since, WINDOW_MS, now)) continue;
      if (isLast || window.count === 0) this.#windows.delete(key);
      window.since = now;
      if (window.count > 0) writing.push(this.#write(window));
    }
    if (this.#windows.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    await Promise.all(writing);
  }

  #keyOf(row: EventRow, subject: string | undefined): string {
    const who = [subject ?? row.actorId, clientNetwork(row.ipAddress)];
    const key = [row.type, row.organizationId, row.projectId, ...who].join(' ');
    if (this.#windows.has(key) || this.#windows.size < MAX_WINDOWS) return key;
    // Beyond the limit, actors and addresses are merged; organizations are not, up to a limit of their own.
    Object.assign(row, { actorType: 'unknownUser', actorId: null, actor: {}, ipAddress: '', userAgent: '' });
    const shared = `${row.type} ${row.organizationId}`;
    if (this.#windows.has(shared) || this.#windows.size < 2 * MAX_WINDOWS) return shared;
    Object.assign(row, { organizationId: INSTANCE_LOG, projectId: null });
    return row.type;
  }

  /** Writes the count of a window. If that fails, it continues to count: the refusal takes effect without its event. */
  async #write(window: Window): Promise<void> {
    const { count, firstAt, lastAt, row } = window;
    const data = {
      ...(row.data as object),
      count,
      firstAt,
      lastAt,
      details: [...window.details],
    };
    window.count = 0;
    window.details.clear();
    try {
      await this.#deps.write({ ...row, data, createdAt: isoOf(this.#deps.now()) });
    } catch (error) {
      window.count += count;
      window.firstAt = firstAt;
      this.#deps.onError(error);
    }
  }
}

function add(window: Window, row: EventRow, detail: string | undefined): void {
  if (window.count === 0) Object.assign(window, { row, firstAt: row.createdAt });
  // Where windows are shared, refusals in several projects are the organization's.
  else if (window.row.projectId !== row.projectId) window.row = { ...window.row, projectId: null };
  window.count++;
  window.lastAt = row.createdAt;
  if (detail !== undefined && window.details.size < MAX_DETAILS) window.details.add(detail.slice(0, MAX_DETAIL));
}
