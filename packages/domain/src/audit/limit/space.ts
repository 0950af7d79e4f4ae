import type { Pool } from 'pg';
import { asQuery, DomainError, statement, type Actor, type Log, type PendingEvent } from '../../kernel/index.ts';

/** The operator's limit for the audit log. */
export interface AuditLimit {
  readonly maxBytes: number;
  /** Where the oldest segments are exported at the limit; without it, requests are refused there. */
  readonly exportDirectory?: string | undefined;
}

/** Parts of the limit. */
export const WARNING = 0.8;
export const RELEASE = 0.95;
export const RELEASED = 0.85;
/** Beyond the limit, for those who mend it and for what Coffer has to finish. */
const RESERVE = 0.05;

const PERIOD_MS = 30_000;
const PERIOD_WHEN_FULL_MS = 3_000;

/** What administrators do to mend it: log in, read and export the log, change retention, delete what is not needed. */
const MENDING: ReadonlySet<string> = new Set([
  'user.logged_in',
  'user.logged_out',
  'user.organization_selected',
  'session.refreshed',
  'audit_log.read',
  'audit_log.exported',
  'audit_log.released',
  'audit_log.nearly_full',
  'project.updated',
  'organization.updated',
]);

/** Of an event as a row, with its indexes and its part of the chain; `pnpm bench --only audit-volume` measures it. */
const ROW_BYTES = 1_100;

/** The space of removed rows is not counted: later rows use it. */
const SIZE = statement(
  'audit.size',
  `
  select least(
    (select coalesce(sum(pg_total_relation_size(i.inhrelid)), 0) from pg_inherits i where i.inhparent = 'audit_events'::regclass)
      + pg_total_relation_size('audit_blocks'),
    ((select coalesce(sum(b.events), 0) from audit_blocks b where b.kind = 'events')
      + (select coalesce(sum(u.events), 0) from audit_cursor c cross join lateral (
        select count(*) as events from audit_events e where e.txid >= c.next_txid and e.epoch = c.epoch offset 0) u)) * ${ROW_BYTES})::float8
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
  readonly limit: AuditLimit | undefined;
}

/**
 * Whether the audit log has room for further events. Each process measures by itself; without a limit nothing is measured.
 */
export class AuditSpace {
  readonly #deps: AuditSpaceDeps;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(deps: AuditSpaceDeps) {
    this.#deps = deps;
  }

  get limit(): AuditLimit | undefined {
    return this.#deps.limit;
  }

  /** At the last measurement. */
  get bytes(): number {
    return this.#bytes;
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
    this.#bytes = await auditBytes(pool);
    if (this.#isFull && !wasFull)
      log.error({ bytes: this.#bytes, ...limit }, 'The audit log is full: requests that need an event are refused');
    return this.#bytes;
  }

  /** @throws DomainError 503 `audit.full` where an event has no room. */
  require(event: Pick<PendingEvent, 'type'>, actor: Pick<Actor, 'type'>): void {
    const refusal = this.refusalOf(event, actor);
    if (refusal) throw refusal;
  }

  refusalOf({ type }: Pick<PendingEvent, 'type'>, actor: Pick<Actor, 'type'>): DomainError | undefined {
    if (!this.#isFull) return undefined;
    const isExempt = MENDING.has(type) || actor.type === 'platform';
    if (isExempt && this.#bytes < this.limit!.maxBytes * (1 + RESERVE)) return undefined;
    return new DomainError('unavailable', 'audit.full', ADVICE, { retryAfter: 60 });
  }

  get #isFull(): boolean {
    return this.limit !== undefined && this.#bytes >= this.limit.maxBytes;
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const look = () =>
      void this.measure()
        .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'The size of the audit log could not be read'))
        .finally(() => this.#schedule());
    this.#timer = setTimeout(look, this.#isFull ? PERIOD_WHEN_FULL_MS : PERIOD_MS).unref();
  }
}

const ADVICE =
  'The audit log has reached its limit, and what cannot be recorded is not done. The operator of this server has to raise COFFER_AUDIT_MAX_BYTES, name a COFFER_AUDIT_EXPORT_DIRECTORY, or shorten the retention of audit events';
