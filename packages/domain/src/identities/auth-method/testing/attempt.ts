import type { LoginAttempt } from '../auth-method.ts';

const reachesNothing = () => Promise.reject(new Error('This login reaches no network'));

/** The arguments of a member in a login; defaults: no network, and the current time. */
export const attempt = (given: Partial<LoginAttempt> = {}): LoginAttempt => ({
  identityId: '018f0000-0000-7000-8000-000000000000',
  fetch: reachesNothing,
  connect: reachesNothing,
  keySets: { keysAt: () => reachesNothing, certificatesAt: () => reachesNothing, keysOf: () => reachesNothing },
  now: new Date(),
  request: { id: 'req-test', ipAddress: '127.0.0.1', userAgent: '' },
  resolveSubject: async () => undefined,
  accepted: async () => undefined,
  useOnce: () => undefined,
  ...given,
});
