/** The settings that a login method gives the tokens it issues; seconds. */
export interface TokenSettings {
  /** 0: the token has no end of its own. */
  readonly accessTokenTTL: number;
  /** From the first issue to the end of the last renewal; 0: no cap. */
  readonly accessTokenMaxTTL: number;
  /** 0: no limit. */
  readonly accessTokenNumUsesLimit: number;
  /** More than 0: the token lives for one period, in place of the TTL, and can be renewed without a cap. */
  readonly accessTokenPeriod: number;
}

/**
 * When a token ends that is issued or renewed at `now`: after its TTL, and in any case at creation + max TTL; a
 * periodic token lives one period and has no cap. `null` where nothing ends it.
 */
export function expiryOf(settings: TokenSettings, createdAt: Date, now: Date): Date | null {
  const { accessTokenTTL: ttl, accessTokenMaxTTL: maxTtl, accessTokenPeriod: period } = settings;
  if (period > 0) return after(now, period);
  const ends = [...(ttl > 0 ? [after(now, ttl)] : []), ...(maxTtl > 0 ? [after(createdAt, maxTtl)] : [])];
  return ends.length ? new Date(Math.min(...ends.map(Number))) : null;
}

/** How long a token can live at the most, renewals included; milliseconds. */
export const longestLife = ({ accessTokenMaxTTL: maxTtl, accessTokenPeriod: period }: TokenSettings): number =>
  period > 0 || maxTtl === 0 ? Infinity : maxTtl * 1000;

/** Whole seconds from `now` to an end that is still to come, at least 1: 0 means that there is no end. */
export const secondsUntil = (expiry: Date | null, now: Date): number =>
  expiry ? Math.max(1, Math.floor((expiry.getTime() - now.getTime()) / 1000)) : 0;

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);
