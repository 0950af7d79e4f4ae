import { statement, type Statement } from '../../kernel/index.ts';
import { columnsOf, type WorkColumns, type WorkDescription } from './description.ts';

/** Maximum number of rows per batch. */
const BATCH = 1_000;

/** The statements of one work table. */
export interface WorkStatements {
  /** Where rows are claimed (see `claimMs`). */
  readonly claims: ClaimStatements | undefined;
  /** $1 id, $2 claim, $3 failures, $4 when it is due. */
  readonly settle: Statement;
  /** $1 the time before which a due row has lost its job, $2 now. */
  readonly orphaned: Statement;
  /** For rows with mutual exclusion. */
  readonly exclusive: ExclusiveStatements | undefined;
}

interface ClaimStatements {
  /** $1 organization, $2 ID, $3 claim, $4 until, $5 now, $6 whether also if it is not due, $7 exclusion key. */
  readonly claim: Statement;
  /** $1 organization, $2 id, $3 now. */
  readonly nextLook: Statement;
  /** $1 id, $2 claim. */
  readonly release: Statement;
}

interface ExclusiveStatements {
  /** $1 organization, $2 id: what the row excludes others by. */
  readonly text: Statement;
  /** $1 organization, $2 exclusion key, $3 ID, $4 now: rows that waited for this one. */
  readonly waiting: Statement;
}

/** A description with its defaults, as SQL. */
interface Parts extends WorkColumns {
  readonly table: string;
  readonly where: string;
  /** When the row `t` is due. */
  readonly dueAt: string;
  /** The queue of the job of the row `t`, as a column. */
  readonly queue: string;
  readonly work: WorkDescription;
}

/** Every statement finds rows by the primary key, or by the index of its order: no plan depends on statistics. */
export function statementsOf(work: WorkDescription): WorkStatements {
  const columns = columnsOf(work);
  const { table, where = 'true', due: dueAt = `t.${columns.due}` } = work;
  const queue = `${work.queuedBy === undefined ? 'null' : `t.${work.queuedBy}`} as queue`;
  const parts: Parts = { ...columns, table, where, dueAt, queue, work };
  const named = (name: string, text: string) => statement(`${table}.${name}`, text);
  return {
    claims:
      work.claimMs === undefined
        ? undefined
        : {
            claim: named('claim', claimText(parts)),
            nextLook: named('next_look', nextLookText(parts)),
            release: named('release', releaseText(parts)),
          },
    settle: named('settle', settleText(parts)),
    orphaned: named('orphaned', orphanedText(parts)),
    exclusive:
      work.exclusiveBy === undefined
        ? undefined
        : {
            text: named('exclusive', exclusiveText(parts)),
            waiting: named('waiting', waitingText(parts)),
          },
  };
}

/** Of the same organization and text as the row `t`, and claimed at the time `now`. */
const excluding = ({ table, claimedUntil, work: { exclusiveBy } }: Parts, now: string): string =>
  `from ${table} o where o.organization_id = t.organization_id and o.${exclusiveBy} = t.${exclusiveBy} and o.id <> t.id
     and o.${claimedUntil} > ${now}`;

function claimText(parts: Parts): string {
  const { table, where, dueAt, due, failures, claimId, claimedUntil, work } = parts;
  const { isRepeated, exclusiveBy, returning } = work;
  const isDue = isRepeated ? `(${dueAt} <= $5 or t.${claimedUntil} <= $5)` : `${dueAt} <= $5`;
  const isFree = `(t.${claimedUntil} is null or t.${claimedUntil} <= $5)`;
  const isAlone = exclusiveBy ? `and t.${exclusiveBy} = $7 and not exists (select 1 ${excluding(parts, '$5')})` : '';
  return `update ${table} t set ${claimId} = $3, ${claimedUntil} = $4${isRepeated ? `, ${due} = null` : ''}
    where t.organization_id = $1 and t.id = $2 and ($6::boolean or (${where} and ${isDue})) and ${isFree} ${isAlone}
    returning t.${failures} as "claimFailures"${returning ? `, ${returning}` : ''}`;
}

/**
 * The time of the next attempt. With the lock, the holder of the claim either releases it before, or sees the job
 * afterwards.
 */
function nextLookText(parts: Parts): string {
  const { table, where, dueAt, queue, claimedUntil, work } = parts;
  const others = work.exclusiveBy ? `, (select max(o.${claimedUntil}) ${excluding(parts, '$3')})` : '';
  return `select case when coalesce(${dueAt}, t.${claimedUntil}) is not null
      then greatest(${dueAt}, t.${claimedUntil}${others}) end as "dueAt", ${queue}
    from ${table} t where t.organization_id = $1 and t.id = $2 and ${where} and $3::timestamptz is not null for update of t`;
}

const dueAfterwards = ({ where, dueAt, queue }: Parts): string =>
  `t.organization_id as "organizationId", case when ${where} then ${dueAt} end as "dueAt", ${queue}`;

const releaseText = (parts: Parts): string =>
  `update ${parts.table} t set ${parts.claimId} = null, ${parts.claimedUntil} = null
   where t.id = $1 and t.${parts.claimId} = $2 returning ${dueAfterwards(parts)}`;

function settleText(parts: Parts): string {
  const { table, due, failures, claimId, claimedUntil, work } = parts;
  const isClaimed = work.claimMs !== undefined;
  return `update ${table} t set ${failures} = $3,
      ${due} = ${work.isRepeated ? `coalesce($4::timestamptz, t.${due})` : '$4::timestamptz'}
      ${isClaimed ? `, ${claimId} = null, ${claimedUntil} = null` : ''}
    where t.id = $1 and ${isClaimed ? `t.${claimId} = $2` : '$2::uuid is null'} returning ${dueAfterwards(parts)}`;
}

function orphanedText({ table, where, dueAt, queue, claimedUntil, work: { claimMs, isRepeated } }: Parts): string {
  const isClaimed = claimMs !== undefined;
  const isFree = isClaimed ? `(t.${claimedUntil} is null or t.${claimedUntil} <= $2)` : '$2::timestamptz is not null';
  const rows = (condition: string, order: string) =>
    `(select t.id, t.organization_id as "organizationId", ${queue} from ${table} t where ${where} and ${condition}
      order by ${order} limit ${BATCH})`;
  const overdue = rows(`${dueAt} <= $1 and ${isFree}`, dueAt);
  // What was due was cleared by the claim.
  return isClaimed && isRepeated ? `${overdue} union ${rows(`t.${claimedUntil} <= $2`, `t.${claimedUntil}`)}` : overdue;
}

const exclusiveText = ({ table, work: { exclusiveBy } }: Parts): string =>
  `select t.${exclusiveBy} as text from ${table} t where t.organization_id = $1 and t.id = $2`;

const waitingText = ({ table, where, dueAt, queue, work: { exclusiveBy } }: Parts): string =>
  `select t.id, t.organization_id as "organizationId", ${queue} from ${table} t
   where t.organization_id = $1 and t.${exclusiveBy} = $2 and t.id <> $3 and ${where} and ${dueAt} <= $4`;
