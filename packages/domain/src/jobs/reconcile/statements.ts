import { statement, type Statement } from '../../kernel/index.ts';
import { columnsOf, type WorkAccount, type WorkColumns, type WorkDescription } from './description.ts';

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
  /** For rows with mutual exclusion, or with an account. $1 organization, $2 ID: what the row shares with others. */
  readonly shared: Statement | undefined;
  /** For rows with mutual exclusion. $1 organization, $2 exclusion key, $3 ID, $4 now: rows that waited for this one. */
  readonly waiting: Statement | undefined;
  /** For rows with an account. $1 account, $2 now: the rows that come next, once one has ended. */
  readonly nextOfAccount: Statement | undefined;
}

interface ClaimStatements {
  /** $1 organization, $2 ID, $3 claim, $4 until, $5 now, $6 whether also if it is not due, $7 exclusion key. */
  readonly claim: Statement;
  /** $1 organization, $2 id, $3 now. */
  readonly nextLook: Statement;
  /** $1 id, $2 claim. */
  readonly release: Statement;
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
    shared: work.exclusiveBy || work.account ? named('shared', sharedText(parts)) : undefined,
    waiting: work.exclusiveBy ? named('waiting', waitingText(parts)) : undefined,
    nextOfAccount: work.account ? named('next_of_account', nextOfAccountText(parts, work.account)) : undefined,
  };
}

/** Of the same organization and text as the row `t`, and claimed at the time `now`. */
const excluding = ({ table, claimedUntil, work: { exclusiveBy } }: Parts, now: string): string =>
  `from ${table} o where o.organization_id = t.organization_id and o.${exclusiveBy} = t.${exclusiveBy} and o.id <> t.id
     and o.${claimedUntil} > ${now}`;

/** When the account of the row `t` may be called again. */
const restOf = ({ by, table }: WorkAccount): string => `(select a.rests_until from ${table} a where a.id = t.${by})`;

/** The rows of the account of the row `t` that are claimed at the time `now`. */
const underWay = ({ table, claimedUntil }: Parts, { by }: WorkAccount, now: string): string =>
  `from ${table} o where o.${by} = t.${by} and o.${claimedUntil} > ${now}`;

/** Whether the account of the row `t` takes another one. */
const isOpen = (parts: Parts, account: WorkAccount, now: string): string =>
  `coalesce(${restOf(account)} <= ${now}, true) and (select count(*) ${underWay(parts, account, now)}) < ${account.most}`;

function claimText(parts: Parts): string {
  const { table, where, dueAt, due, failures, claimId, claimedUntil, work } = parts;
  const { isRepeated, exclusiveBy, account, returning } = work;
  const mayStart = account ? ` and ${isOpen(parts, account, '$5')}` : '';
  const isDue = isRepeated ? `(${dueAt} <= $5 or t.${claimedUntil} <= $5)` : `${dueAt} <= $5`;
  const isFree = `(t.${claimedUntil} is null or t.${claimedUntil} <= $5)`;
  const isAlone = exclusiveBy ? `and t.${exclusiveBy} = $7 and not exists (select 1 ${excluding(parts, '$5')})` : '';
  return `update ${table} t set ${claimId} = $3, ${claimedUntil} = $4${isRepeated ? `, ${due} = null` : ''}
    where t.organization_id = $1 and t.id = $2 and ($6::boolean or (${where} and ${isDue}${mayStart})) and ${isFree} ${isAlone}
    returning t.${failures} as "claimFailures"${returning ? `, ${returning}` : ''}`;
}

/**
 * The time of the next attempt. With the lock, the holder of the claim either releases it before, or sees the job
 * afterwards.
 */
function nextLookText(parts: Parts): string {
  const { table, where, dueAt, queue, claimedUntil, work } = parts;
  const others = work.exclusiveBy ? `, (select max(o.${claimedUntil}) ${excluding(parts, '$3')})` : '';
  const { account } = work;
  // As many as it takes are under way: when the first of them ends at the latest.
  const ofAccount = account
    ? `, ${restOf(account)}, (select min(o.${claimedUntil}) ${underWay(parts, account, '$3')} having count(*) >= ${account.most})`
    : '';
  return `select case when coalesce(${dueAt}, t.${claimedUntil}) is not null
      then greatest(${dueAt}, t.${claimedUntil}${others}${ofAccount}) end as "dueAt", ${queue}
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

function orphanedText(parts: Parts): string {
  const { table, where: own, dueAt, queue, claimedUntil } = parts;
  const { claimMs, isRepeated, account } = parts.work;
  // The others of an account that rests wait for it.
  const where = account ? `${own} and coalesce(${restOf(account)} <= $2, true)` : own;
  const isClaimed = claimMs !== undefined;
  const isFree = isClaimed ? `(t.${claimedUntil} is null or t.${claimedUntil} <= $2)` : '$2::timestamptz is not null';
  const rows = (condition: string, order: string) =>
    `(select t.id, t.organization_id as "organizationId", ${queue} from ${table} t where ${where} and ${condition}
      order by ${order} limit ${BATCH})`;
  const overdue = rows(`${dueAt} <= $1 and ${isFree}`, dueAt);
  // What was due was cleared by the claim.
  return isClaimed && isRepeated ? `${overdue} union ${rows(`t.${claimedUntil} <= $2`, `t.${claimedUntil}`)}` : overdue;
}

const sharedText = ({ table, work: { exclusiveBy, account } }: Parts): string =>
  `select ${exclusiveBy ? `t.${exclusiveBy}` : 'null'} as exclusive, ${account ? `t.${account.by}` : 'null'} as account
   from ${table} t where t.organization_id = $1 and t.id = $2`;

const waitingText = ({ table, where, dueAt, queue, work: { exclusiveBy } }: Parts): string =>
  `select t.id, t.organization_id as "organizationId", ${queue} from ${table} t
   where t.organization_id = $1 and t.${exclusiveBy} = $2 and t.id <> $3 and ${where} and ${dueAt} <= $4`;

function nextOfAccountText({ table, where, dueAt, queue, claimedUntil }: Parts, account: WorkAccount): string {
  return `select t.id, t.organization_id as "organizationId", ${queue}, greatest(${dueAt}, ${restOf(account)}) as "dueAt"
   from ${table} t where t.${account.by} = $1 and ${where} and ${dueAt} <= $2
     and (t.${claimedUntil} is null or t.${claimedUntil} <= $2) order by ${dueAt} limit ${account.most}`;
}
