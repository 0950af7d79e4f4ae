import { DomainError } from '@coffer/domain';

/** 429 `rate.busy`: a caller has too many of something at the same time. */
export const busy = (
  what: 'requests at once' | 'large requests at once' | 'unfinished requests' | 'logins at once',
): DomainError =>
  new DomainError('rate_limited', 'rate.busy', `Too many ${what}: try again in 1 second`, { retryAfter: 1 });
