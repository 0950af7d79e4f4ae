import { Exchanges } from './exchanges.ts';

/** Upper bounds of the duration buckets, in seconds. */
export const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The counts of one route and status. */
export interface Answered {
  count: number;
  seconds: number;
  /** Not cumulative; the last one has no upper bound. */
  readonly buckets: number[];
}

/** The counts of one route since the start. */
export class RouteTraffic {
  readonly method: string;
  /** The pattern, such as `/api/v1/tags/:tagId`: paths themselves hold names. */
  readonly route: string;
  readonly byStatus = new Map<number, Answered>();

  constructor(method: string, route: string) {
    this.method = method;
    this.route = route;
  }

  add(status: number, seconds: number): void {
    let answered = this.byStatus.get(status);
    if (!answered)
      this.byStatus.set(
        status,
        (answered = { count: 0, seconds: 0, buckets: Array.from({ length: BUCKETS.length + 1 }, () => 0) }),
      );
    answered.count++;
    answered.seconds += seconds;
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > BUCKETS[bucket]!) bucket++;
    answered.buckets[bucket]!++;
  }
}

/**
 * What is under way, and what all routes have answered. Counting costs a few additions; making text of it is the matter of
 * `metrics.ts`.
 */
export class Traffic {
  readonly routes: RouteTraffic[] = [];
  readonly exchanges: Exchanges;

  /** See `Exchanges`. */
  constructor(patienceMs?: number) {
    this.exchanges = new Exchanges(patienceMs);
  }

  /** Requests whose responses are not closed. */
  get inFlight(): number {
    return this.exchanges.size;
  }

  route(method: string, route: string): RouteTraffic {
    const traffic = new RouteTraffic(method, route);
    this.routes.push(traffic);
    return traffic;
  }
}
