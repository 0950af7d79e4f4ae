import { ambiguousOutcome, rejectedBy, throttled } from '../../family/index.ts';
import type { DomainError } from '../../kernel/index.ts';
import { urlOf, type AwsService } from './service.ts';

const THROTTLED =
  /^(?:Throttl|RequestThrottled|PriorRequestNotComplete|TooManyRequests|TooManyUpdates|RequestLimitExceeded|ProvisionedThroughputExceeded|SlowDown)/;
/** The same data is being changed concurrently. */
const CONCURRENT = /^ConcurrentModification/;
const CLOCK_SKEW =
  /^(?:RequestExpired|RequestTimeTooSkewed|RequestInTheFuture)|: Signature (?:expired|not yet current)/;
const CHECK_CLOCK = 'compare the clock of this server with that of AWS';

/** An error response of AWS. The message is its code and its text. */
export class AwsFault extends Error {
  readonly service: AwsService;
  /** `NoSuchEntity`, `AccessDenied`, `ThrottlingException`, … */
  readonly code: string;
  readonly status: number;

  constructor(service: AwsService, status: number, code: string, words: string) {
    super([code || `status ${status}`, words].filter(Boolean).join(': '));
    this.service = service;
    this.code = code;
    this.status = status;
  }

  /** AWS did nothing, and may do it soon. */
  get isPassing(): boolean {
    return THROTTLED.test(this.code) || CONCURRENT.test(this.code);
  }

  /** For calls of which nothing was done before. A service that fails, with 5xx, has refused nothing. */
  get rejection(): DomainError {
    if (THROTTLED.test(this.code)) return throttled(urlOf(this.service));
    if (this.status >= 500) return ambiguousOutcome(this.service.host, this.message);
    const isClockSkew = CLOCK_SKEW.test(this.code) || CLOCK_SKEW.test(this.message);
    return rejectedBy(this.service.host, isClockSkew ? `${this.message}; ${CHECK_CLOCK}` : this.message);
  }

  /** `isMidway`: something of the work was done before. */
  outcome(isMidway: boolean): DomainError {
    return isMidway ? ambiguousOutcome(this.service.host, this.message) : this.rejection;
  }
}

/** Runs work, with a handler for faults with one of these codes. Others are thrown as remote errors. */
export async function recoverFrom<T>(
  work: Promise<T>,
  codes: readonly string[],
  otherwise: () => T | Promise<T>,
): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AwsFault)) throw error;
    if (codes.includes(error.code)) return otherwise();
    throw error.rejection;
  }
}

/** The same where no fault is expected. */
export const orReject = <T>(work: Promise<T>): Promise<T> =>
  recoverFrom(work, [], () => Promise.reject(new Error('No fault is expected')));
