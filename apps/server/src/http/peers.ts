interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number>>;
  /** Of one series of several in a histogram. */
  readonly metricName?: string;
}

/** One metric, as a registry of prom-client gives it to be summed with those of other processes. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly aggregator?: string;
  readonly values: readonly MetricValue[];
}

/** The metrics of one process. */
export type Metrics = readonly Metric[];

/** What a process counts of its callers, and others that serve the same port have to know. */
export interface LimitNews {
  /** How often each caller was counted by each counter. */
  readonly counts: readonly (readonly [counter: string, caller: string, amount: number])[];
  /** The callers of verified tokens, by hash. */
  readonly verified: readonly (readonly [token: string, caller: string])[];
}

/** The processes that serve one port together, as one of them sees the others. */
export interface Peers {
  /** How many they are, this one included. */
  readonly processes: number;
  /** `receive` gets what others count; the answer sends them what this one counts. */
  shareLimits(receive: (news: LimitNews) => void): (news: LimitNews) => void;
  /** `read` reads the metrics of this process for the others; the answer collects those of all, this one included. */
  shareMetrics(read: () => Promise<Metrics>): () => Promise<readonly Metrics[]>;
}
