/** A row of a work table, and the time at which it is due; immediately if absent. */
export interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly dueAt?: Date | null;
  /** The value of the column `queuedBy`. */
  readonly queue?: string | null;
}

/** The columns of a table of work. */
export interface WorkColumns {
  /** `timestamptz(3)`: when the row is due; null if nothing is to be done. */
  readonly due: string;
  /** `integer not null default 0`: failed attempts since the last success. */
  readonly failures: string;
  /** `uuid`: the claim on the row. */
  readonly claimId: string;
  /** `timestamptz(3)`: when the claim expires. After that its holder is considered dead. */
  readonly claimedUntil: string;
}

const COLUMNS: WorkColumns = {
  due: 'due_at',
  failures: 'failures',
  claimId: 'claim_id',
  claimedUntil: 'claimed_until',
};

/** A table of durable work: each row is processed by one process at a time, and survives the processes. */
export interface WorkDescription {
  /** Has `id` and `organization_id`, an index on the columns of `due`, and, with `isRepeated`, one on `claimedUntil`. */
  readonly table: string;
  /** Names that differ from `COLUMNS`. */
  readonly columns?: Partial<WorkColumns>;
  /** SQL: the rows `t` that take part; default: all. */
  readonly where?: string;
  /** SQL: when the row `t` is due, if its column alone does not decide that. Null if it is not. */
  readonly due?: string;
  /** SQL: columns of the row `t` that a claim brings along. */
  readonly returning?: string;
  /**
   * Lifetime of a claim in milliseconds: longer than one attempt can take. Absent if an attempt is one transaction that
   * locks its row, which needs no claim.
   */
  readonly claimMs?: number;
  /**
   * Whether new work may arrive while a row is processed. Then a claim clears the due time, and a later due time is new
   * work. Otherwise the row stays due until it is settled.
   */
  readonly isRepeated?: boolean;
  /**
   * A column for mutual exclusion: of the rows of an organization with the same text in it, one is claimed at a time.
   * Needs an index.
   */
  readonly exclusiveBy?: string;
  /** The account of another system that rows use: it limits how often they call. */
  readonly account?: WorkAccount;
  /**
   * A column with the queue of the row's job, or null. Unlike `exclusiveBy`, it is for many rows with the same value: each
   * job starts after the one before, instead of all when a claim ends.
   */
  readonly queuedBy?: string;
  /** Milliseconds after which a due and unclaimed row has lost its job. */
  readonly orphanedAfterMs: number;
  readonly job: WorkJob;
}

/** What rows share that are processed at the same other system with the same credentials. */
export interface WorkAccount {
  /** The column with its ID. Needs an index on it and `claimedUntil`, and one on it and the columns of `due`. */
  readonly by: string;
  /** The table of accounts. Before the time in its column `rests_until` (`timestamptz(3)`) none of their rows is claimed. */
  readonly table: string;
  /** Maximum number of its rows that are claimed at a time. Rows that somebody waits for (`isAlways`) are always claimed. */
  readonly most: number;
}

/** The job that processes one row. The row has the work; the job only the start time. */
export interface WorkJob {
  readonly name: string;
  /** What the id of the row is called in the payload: `leaseId`. */
  readonly idName: string;
  /** At most one job waits for each row. Its key is this prefix, a colon and the ID of the row. */
  readonly key: string;
  readonly priority: number;
  /** The priority of delayed work, if it differs. */
  readonly laterPriority?: number;
  readonly maxAttempts: number;
  /** Whether it waits for no work of another kind; see `inFairTurn`. */
  readonly isUrgent?: boolean;
  /** Jobs of one queue run one after the other; undefined for a job in none. See also `queuedBy`. */
  readonly queueOf?: (due: Due) => string | undefined;
}

export const columnsOf = ({ columns }: WorkDescription): WorkColumns => ({ ...COLUMNS, ...columns });
