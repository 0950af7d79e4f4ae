import { asQuery, eventOf, statement, type Context } from '../../kernel/index.ts';
import type { ArchiveDeps } from '../archive/archive.ts';
import { archiveSealed } from '../archive/archive.ts';
import { ArchiveProofs } from '../archive/proof.ts';
import { auditLogNearlyFull, auditLogReleased } from '../audit-log.ts';
import { eventRow, eventsJson, INSERT_EVENTS } from '../event-row.ts';
import { INSTANCE_LOG } from '../instance-log.ts';
import { transaction } from '../transaction.ts';
import { storeExport, type ExportedRange } from './export-file.ts';
import type { ExportStore } from './export-store.ts';
import { RELEASE, RELEASED, WARNING, type AuditSpace } from './space.ts';

export interface SpaceDeps extends ArchiveDeps {
  readonly space: AuditSpace;
}

/** Segments of one file: some 400,000 events. */
const FILE = 200;
/** The same warning is recorded once a day. */
const AGAIN_MS = 86_400_000;

/** Keeps the log within its limit: warns before it, and exports and removes the oldest segments at it. */
export async function keepWithinLimit(ctx: Context, deps: SpaceDeps): Promise<void> {
  const { space } = deps;
  const { limit } = space;
  if (!limit) return;
  const bytes = await space.measure();
  if (bytes >= limit.maxBytes * WARNING) await warn(ctx, deps, bytes);
  if (bytes < limit.maxBytes * RELEASE) return;
  // Compressed, it may fit.
  await archiveSealed(deps, { age: 0 });
  if (!limit.exports) return;
  try {
    await releaseOldest(ctx, deps, limit.exports, limit.maxBytes * RELEASED);
  } catch (error) {
    space.exported.failed++;
    space.exported.failing = 1;
    deps.log.error(
      { err: error, bytes: space.bytes, maxBytes: limit.maxBytes, place: limit.exports.place },
      'The oldest events of the audit log could not be exported: they stay, and it is tried again within a minute or two',
    );
  }
}

async function warn(ctx: Context, { pool, log, space }: SpaceDeps, bytes: number): Promise<void> {
  const { maxBytes, exports } = space.limit!;
  const { rowCount } = await pool.query(
    'update audit_volume set warned_at = $1 where warned_at is null or warned_at <= $2',
    [ctx.now(), new Date(ctx.now().getTime() - AGAIN_MS)],
  );
  if (rowCount === 0) return;
  const consequence = exports ? 'its oldest events are exported and removed' : 'requests are refused';
  log.warn(
    { bytes, maxBytes, place: exports?.place },
    `The audit log has reached ${WARNING * 100} % of its limit; at the limit, ${consequence}`,
  );
  await ctx.commitRead(eventOf(auditLogNearlyFull, { bytes, maxBytes }, { organizationId: INSTANCE_LOG }), ctx);
}

/** Exports and removes segments until the log is small enough: the oldest of whichever organization has most at the time. */
export async function releaseOldest(
  ctx: Context,
  deps: SpaceDeps,
  store: ExportStore,
  target: number,
): Promise<ExportedRange[]> {
  const released: ExportedRange[] = [];
  for (let bytes = await deps.space.measure(); bytes > target; bytes = await deps.space.measure()) {
    const oldest = await oldestRange(deps, bytes - target, store.maxBytes);
    if (!oldest) {
      deps.log.error({ bytes, target }, 'The audit log is nearly full, and nothing of it can be exported yet');
      break;
    }
    await release(ctx, deps, store, oldest);
    deps.space.exported.stored++;
    deps.space.exported.failing = 0;
    released.push(oldest);
  }
  return released;
}

async function release(ctx: Context, deps: SpaceDeps, store: ExportStore, range: ExportedRange): Promise<void> {
  const { organizationId, first, last } = range;
  const file = await storeExport(deps.pool, store, range);
  const message = ['coffer.audit.release.v1', organizationId, last].join('\n');
  const proof = new ArchiveProofs(deps.signingKey).prove(Buffer.from(message));
  const data = { file: file.name, sha256: file.sha256, firstSequence: first, lastSequence: last, events: file.events };
  const event = eventRow(ctx, eventOf(auditLogReleased, data, { organizationId }));
  await transaction(deps.pool, async (client) => {
    const { rows } = await client.query<{ events: number }>('select audit_release($1, $2, $3)::float8 as events', [
      organizationId,
      last,
      proof,
    ]);
    if (rows[0]!.events > file.events)
      throw new Error(`${file.name} has fewer events than the segments that it replaces`);
    await client.query({ ...INSERT_EVENTS, values: [eventsJson([event])] });
  });
  deps.log.warn(
    { organizationId, place: store.place, ...data },
    'The oldest events of an audit log were exported and removed: it is near its limit',
  );
}

const LARGEST = statement(
  'audit_segments.largest',
  `select v.organization_id as "organizationId", v.segment_bytes::float8 as bytes from audit_organization_volumes v
     where v.segment_bytes > 0 order by v.segment_bytes desc limit 2`,
);
const OLDEST = statement(
  'audit_segments.oldest',
  `select s.first_sequence::float8 as first, s.last_sequence::float8 as last, audit_segment_bytes(s.terms, s.content)::float8 as bytes
     from audit_segments s where s.organization_id = $1 order by s.first_sequence limit ${FILE}`,
);
/** A file has at least this part of what its organization has, if so much is too much: organizations of one size take turns. */
const AT_ONCE = 1 / 4;
/** Bytes of segments that are worth a file, and the event that says so. */
const LEAST = 65_536;

/** The oldest segments of the organization that has most: as many as are too much, or more than the second one has. */
async function oldestRange(
  { pool }: SpaceDeps,
  surplus: number,
  maxBytes = Infinity,
): Promise<ExportedRange | undefined> {
  const { rows: largest } = await pool.query<{ organizationId: string; bytes: number }>(asQuery(LARGEST, []));
  const [most, second] = largest;
  if (!most) return undefined;
  const share = Math.max(most.bytes - (second?.bytes ?? 0), most.bytes * AT_ONCE);
  const wanted = Math.min(Math.max(Math.min(surplus, share), LEAST), maxBytes);
  const { organizationId } = most;
  const { rows } = await pool.query<{ first: number; last: number; bytes: number }>(asQuery(OLDEST, [organizationId]));
  if (rows.length === 0) return undefined;
  let bytes = 0;
  const enough = rows.findIndex((row) => (bytes += row.bytes) >= wanted);
  const { last } = rows[enough === -1 ? rows.length - 1 : enough]!;
  return { organizationId, first: rows[0]!.first, last };
}
