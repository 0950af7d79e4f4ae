import { at, parseDuration, YEAR, type Settings } from '../../kernel/index.ts';

export interface SessionTimes {
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
}

/** When a session ends at the latest, in milliseconds, whether it is used or not. */
export const endOfLifetime = (
  { createdAt, expiresAt }: Omit<SessionTimes, 'lastUsedAt'>,
  { sessionSeconds }: Pick<Settings, 'sessionSeconds'>,
): number => Math.min(at(expiresAt).getTime(), at(createdAt).getTime() + sessionSeconds * 1000);

/**
 * When a session ends, in milliseconds: after its absolute lifetime, or after the idle lifetime without use. Both are
 * checked at use, so that a shorter setting applies to existing sessions.
 */
export function endOfSession(times: SessionTimes, settings: Settings): number {
  return Math.min(endOfLifetime(times, settings), at(times.lastUsedAt).getTime() + settings.sessionIdleSeconds * 1000);
}

/** The same as a condition on stored sessions: which of them have not ended at an instant. */
export function livingAt(now: Date, { sessionSeconds, sessionIdleSeconds }: Settings) {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000);
  return {
    expiresAt: { $gt: now },
    createdAt: { $gt: before(sessionSeconds) },
    lastUsedAt: { $gt: before(sessionIdleSeconds) },
  };
}

/**
 * When a session ends for an organization that limits the tokens of its users (`userTokenExpiration`): also when it was
 * not used for that long.
 */
export const endInOrganization = (
  times: SessionTimes,
  userTokenExpiration: string | null,
  settings: Settings,
): number =>
  Math.min(endOfSession(times, settings), at(times.lastUsedAt).getTime() + longestLifetime(userTokenExpiration));

/** Milliseconds. No credential of a user lives for so long, and the database has no time that lies a million years back. */
const CENTURY = 100 * YEAR;

/** The limit of an organization (`userTokenExpiration`) in milliseconds; `Infinity` for none, and for more than a century. */
export function longestLifetime(userTokenExpiration: string | null): number {
  const limit = (userTokenExpiration === null ? undefined : parseDuration(userTokenExpiration)) ?? Infinity;
  return limit > CENTURY ? Infinity : limit;
}
