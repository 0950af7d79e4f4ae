/** A row of a table of work, and when it is worked on; at once where that is absent. */
export interface Due {
  readonly id: string;
  readonly organizationId: string;
  readonly dueAt?: Date | null;
}

/** The columns of a table of work. */
export interface WorkColumns {
  /** `timestamptz(3)`: when the row is worked on next; null where nothing is to be done. */
  readonly due: string;
  /** `integer not null default 0`: attempts that failed, since the last one that did not. */
  readonly failures: string;
  /** `uuid`: the claim of whoever works on the row. */
  readonly claimId: string;
  /** `timestamptz(3)`: until when at the latest. After that, whoever had the claim is gone. */
  readonly claimedUntil: string;
}

const COLUMNS: WorkColumns = {
  due: 'due_at',
  failures: 'failures',
  claimId: 'claim_id',
  claimedUntil: 'claimed_until',
};

/** A table whose rows are work that one process does at a time, and that survives all of them. */
export interface WorkDescription {
  /** Has `id` and `organization_id`, an index on what `due` reads, and, with claims, one on `claimedUntil`. */
  readonly table: string;
  /** Those that have other names than in `COLUMNS`. */
  readonly columns?: Partial<WorkColumns>;
  /** SQL: which rows `t` take part; all of them where absent. */
  readonly where?: string;
  /** SQL: when the row `t` is due, where its column is not all that says so. Null where it is not. */
  readonly due?: string;
  /** SQL: columns of the row `t` that a claim brings along. */
  readonly returning?: string;
  /**
   * Milliseconds for which a row is claimed: longer than one attempt may take. Absent where an attempt is one
   * transaction that locks its row, which needs no claim.
   */
  readonly claimMs?: number;
  /**
   * Whether more may come to be done while a row is worked on. Then a claim clears what is due, and what is due
   * afterwards came in the meantime. Otherwise what was due is due until it is settled.
   */
  readonly isRepeated?: boolean;
  /**
   * A column by which rows exclude one another: of those of an organization with the same text in it, one is claimed at a
   * time. Has an index.
   */
  readonly exclusiveBy?: string;
  /** Milliseconds after which a row that is due, and that nobody works on, has lost its job. */
  readonly orphanedAfterMs: number;
  readonly job: WorkJob;
}

/** The job that works on one row. The row says what is to be done; the job says only when to begin. */
export interface WorkJob {
  readonly name: string;
  /** What the id of the row is called in the payload: `leaseId`. */
  readonly idName: string;
  /** At most one job waits for each row. Its key is this, a colon and the id of the row. */
  readonly key: string;
  readonly priority: number;
  /** The priority of work that does not begin at once, where that is another. */
  readonly laterPriority?: number;
  readonly maxAttempts: number;
  /** Jobs of one queue run one after the other. */
  readonly queueOf?: (due: Due) => string;
}

export const columnsOf = ({ columns }: WorkDescription): WorkColumns => ({ ...COLUMNS, ...columns });
