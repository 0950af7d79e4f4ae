import type { Pool } from 'pg';
import { asQuery, DomainError, statement, type Log, type PendingEvent } from '../../kernel/index.ts';
import { roughBytes } from '../event-parts.ts';
import { administeredBy, type Asking } from './administered.ts';
import type { ExportStore } from './export-store.ts';

/** The operator's limit for the audit log. */
export interface AuditLimit {
  readonly maxBytes: number;
  /** Where the oldest segments are exported at the limit; without it, requests are refused there. */
  readonly exports?: ExportStore | undefined;
}

/** Parts of the limit. */
export const WARNING = 0.8;
export const RELEASE = 0.95;
export const RELEASED = 0.85;
/**
 * Beyond the limit, for those who mend it and for what Coffer has to finish. Half of it is for the administrators of
 * organizations, each of which gets no more than it leaves to others; the rest for those of the instance.
 */
const RESERVE = 0.05;
const OF_ORGANIZATIONS = RESERVE / 2;

const PERIOD_MS = 30_000;
const PERIOD_WHEN_FULL_MS = 3_000;

/** What administrators do to mend it: read and export the log, change retention, delete what is not needed; */
const MENDING: ReadonlySet<string> = new Set([
  'audit_log.read',
  'audit_log.exported',
  'audit_log.released',
  'audit_log.nearly_full',
  'project.updated',
  'organization.updated',
]);
/** and for that, log in: on the log of each organization that they belong to. */
const ENTERING: ReadonlySet<string> = new Set([
  'user.logged_in',
  'user.logged_out',
  'user.organization_selected',
  'session.refreshed',
]);

/** Of an event as a row, its line, and what its indexes and its part of the chain take; `pnpm bench --only audit-volume` measures it. */
const [LINE_BYTES, INDEX_BYTES] = [700, 400];
const ROW_BYTES = LINE_BYTES + INDEX_BYTES;

/**
 * The space of removed rows is not counted: later rows use it. Blocks know the bytes of their events; what is not sealed yet is
 * counted, and measured by some of it.
 */
const SIZE = statement(
  'audit.size',
  `
  select least(
    (select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0) from pg_inherits i where i.inhparent = 'audit_events'::regclass)
      + pg_total_relation_size('audit_blocks'),
    (select coalesce(sum(coalesce(b.bytes, b.events * ${LINE_BYTES}) + b.events * ${INDEX_BYTES}), 0) from audit_blocks b where b.kind = 'events')
      + (select coalesce(sum(u.events * (${ROW_BYTES} + s.data)), 0) from audit_cursor c cross join lateral (
        select count(*) as events from audit_events e where e.txid >= c.next_txid and e.epoch = c.epoch offset 0) u
        cross join lateral (select coalesce(avg(pg_column_size(f.data)), 0) as data from (
          select e.data from audit_events e where e.txid >= c.next_txid and e.epoch = c.epoch
          order by e.txid, e.id limit 1000) f) s))::float8
    + (select v.segment_bytes from audit_volume v) as bytes`,
);

/** Bytes of the audit log: events as rows, and segments. */
export async function auditBytes(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(asQuery(SIZE, []));
  return rows[0]!.bytes;
}

export interface AuditSpaceDeps {
  readonly pool: Pool;
  readonly log: Log;
  readonly now: () => Date;
  readonly limit: AuditLimit | undefined;
  /** How many processes share the reserve. */
  readonly processes?: number | undefined;
}

/**
 * Whether the audit log has room for further events. Each process measures by itself, and counts what it writes until it
 * measures again; without a limit nothing is measured.
 */
export class AuditSpace {
  /** Exports by this process: files that were stored, attempts that failed, and whether (1) the last one did. */
  readonly exported = { stored: 0, failed: 0, failing: 0 };
  readonly #deps: AuditSpaceDeps;
  #measured = 0;
  /** Written by this process since. */
  #written = 0;
  /** What organizations have had of the reserve, by id. */
  readonly #reserved = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #isLooking = false;
  #isStopped = false;

  constructor(deps: AuditSpaceDeps) {
    this.#deps = deps;
  }

  get limit(): AuditLimit | undefined {
    return this.#deps.limit;
  }

  /** At the last measurement, with what this process has written since. */
  get bytes(): number {
    return this.#measured + this.#written;
  }

  async start(): Promise<void> {
    if (!this.limit) return;
    await this.measure();
    this.#schedule();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async measure(): Promise<number> {
    const { pool, log, limit } = this.#deps;
    const wasFull = this.#isFull;
    const written = this.#written;
    this.#measured = await auditBytes(pool);
    // What was written meanwhile may be in it or not.
    this.#written -= written;
    if (!this.#isFull) this.#reserved.clear();
    else if (!wasFull)
      log.error(
        { bytes: this.bytes, maxBytes: limit!.maxBytes, place: limit!.exports?.place },
        'The audit log is full: requests that need an event are refused',
      );
    return this.bytes;
  }

  /**
   * Takes room for an event. In a full log, only events that mend it have some, if an administrator causes them.
   *
   * @throws DomainError 503 `audit.full` where an event has no room.
   */
  take(event: PendingEvent, by: Asking): Promise<void> | undefined {
    if (!this.limit) return undefined;
    const bytes = ROW_BYTES + roughBytes(event.data);
    if (this.#isFull) return this.#takeOfReserve(event, by, bytes);
    this.#written += bytes;
    // By its own estimate: it looks at once.
    if (this.#isFull) this.#look();
    return undefined;
  }

  async #takeOfReserve(event: PendingEvent, by: Asking, bytes: number): Promise<void> {
    if (!(await this.#mayTake(event, by, bytes)))
      throw new DomainError('unavailable', 'audit.full', ADVICE, { retryAfter: 60 });
    this.#written += bytes;
  }

  async #mayTake(event: PendingEvent, by: Asking, bytes: number): Promise<boolean> {
    const isEntering = ENTERING.has(event.type);
    if (by.actor.type === 'platform') return this.#hasLeft(RESERVE, bytes);
    if (!isEntering && !MENDING.has(event.type)) return false;
    if (!this.#hasLeft(RESERVE, bytes)) return false;
    const { instance, organizationIds } = await administeredBy(event, by, this.#deps.now());
    if (instance && this.#hasLeft(RESERVE, bytes)) return true;
    const own = event.organizationId ?? ('organizationId' in by.actor ? by.actor.organizationId : undefined);
    const paying = organizationIds.find((id) => (isEntering || id === own) && this.#hasShare(id, bytes));
    if (paying === undefined) return false;
    this.#reserved.set(paying, this.#reservedBy(paying) + bytes);
    return true;
  }

  #hasLeft(part: number, bytes: number): boolean {
    return this.#left(part) >= bytes;
  }

  #left(part: number): number {
    return this.limit!.maxBytes * (1 + part) - this.bytes;
  }

  /** Whether an organization leaves as much to others as it takes. */
  #hasShare(organizationId: string, bytes: number): boolean {
    const taken = (this.#reservedBy(organizationId) + bytes) * (this.#deps.processes ?? 1);
    return taken <= this.#left(OF_ORGANIZATIONS);
  }

  #reservedBy(organizationId: string): number {
    return this.#reserved.get(organizationId) ?? 0;
  }

  get #isFull(): boolean {
    return this.limit !== undefined && this.bytes >= this.limit.maxBytes;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#look(), this.#isFull ? PERIOD_WHEN_FULL_MS : PERIOD_MS).unref();
  }

  #look(): void {
    if (this.#isLooking || this.#isStopped) return;
    this.#isLooking = true;
    clearTimeout(this.#timer);
    void this.measure()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'The size of the audit log could not be read'))
      .finally(() => {
        this.#isLooking = false;
        this.#schedule();
      });
  }
}

const ADVICE =
  'The audit log has reached its limit, and what cannot be recorded is not done. The operator of this server has to raise COFFER_AUDIT_MAX_BYTES, name a COFFER_AUDIT_EXPORT_DIRECTORY or COFFER_AUDIT_EXPORT_S3_BUCKET, or shorten the retention of audit events';
