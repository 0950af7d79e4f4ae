import type { LimitNews, Metrics } from '../http/peers.ts';
import type { Served, WorkerRole } from '../serve.ts';

/** What a worker has to do. The rest it reads from the environment, as the primary did. */
export interface Task extends WorkerRole {
  /** How many workers there are. */
  readonly workers: number;
  readonly port: number;
  readonly database: { readonly url: string; readonly migrationUrl: string | undefined };
}

/** From the primary to a worker. */
export type ToWorker =
  | { readonly type: 'start'; readonly task: Task }
  /** `isReplaced`: another worker serves in its place, so that open connections may end with their next response. */
  | { readonly type: 'stop'; readonly isReplaced: boolean }
  /** What another worker has counted. */
  | { readonly type: 'limits'; readonly news: LimitNews }
  | { readonly type: 'read metrics'; readonly id: number }
  /** The answer to `collect metrics`. */
  | { readonly type: 'all metrics'; readonly id: number; readonly all: readonly Metrics[] };

/** From a worker to the primary. */
export type FromWorker =
  | { readonly type: 'serves'; readonly served: Served }
  /** It cannot start, for a reason that the operator can do something about. */
  | { readonly type: 'refused'; readonly message: string; readonly exitCode: number }
  | { readonly type: 'limits'; readonly news: LimitNews }
  | { readonly type: 'collect metrics'; readonly id: number }
  /** The answer to `read metrics`. */
  | { readonly type: 'own metrics'; readonly id: number; readonly metrics: Metrics };
