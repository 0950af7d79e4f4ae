/** The settings of a login method for the tokens that it issues; seconds. */
export interface TokenSettings {
  /** 0: no expiry of its own. */
  readonly accessTokenTTL: number;
  /** From the first issue to the end of the last renewal; 0: no cap. */
  readonly accessTokenMaxTTL: number;
  /** 0: no limit. */
  readonly accessTokenNumUsesLimit: number;
  /** More than 0: the lifetime instead of the TTL, renewable without a maximum. */
  readonly accessTokenPeriod: number;
}

/**
 * The expiry of a token that is issued or renewed at `now`: after its TTL, and at the latest at creation + max TTL; a
 * periodic token has its period and no maximum. `null` if it does not expire.
 */
export function expiryOf(settings: TokenSettings, createdAt: Date, now: Date): Date | null {
  const { accessTokenTTL: ttl, accessTokenMaxTTL: maxTtl, accessTokenPeriod: period } = settings;
  if (period > 0) return after(now, period);
  const ends = [...(ttl > 0 ? [after(now, ttl)] : []), ...(maxTtl > 0 ? [after(createdAt, maxTtl)] : [])];
  return ends.length ? new Date(Math.min(...ends.map(Number))) : null;
}

/** The maximum lifetime of a token, renewals included; milliseconds. */
export const longestLife = ({ accessTokenMaxTTL: maxTtl, accessTokenPeriod: period }: TokenSettings): number =>
  period > 0 || maxTtl === 0 ? Infinity : maxTtl * 1000;

/** Whole seconds from `now` to a future expiry, at least 1, because 0 means no expiry. */
export const secondsUntil = (expiry: Date | null, now: Date): number =>
  expiry ? Math.max(1, Math.floor((expiry.getTime() - now.getTime()) / 1000)) : 0;

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + seconds * 1000);
