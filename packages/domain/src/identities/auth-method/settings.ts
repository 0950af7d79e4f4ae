import { z } from 'zod';
import { badRequest, parseTrustedAddress, Timestamps, TrustedAddress, Uuid } from '../../kernel/schema.ts';

/** Ten years, in seconds. */
const MAX_TTL = 315_360_000;
const MAX_INTEGER = 2_147_483_647;
const THIRTY_DAYS = 2_592_000;

const seconds = z.int().min(0).max(MAX_TTL);

/**
 * Addresses and ranges as callers send them: `{ipAddress: '10.0.0.0/8'}`. `readTrustedIps` converts them to the stored
 * form.
 */
export const TrustedIps = z
  .array(
    z.object({
      ipAddress: z.string().trim().max(1024).describe('An IPv4 or IPv6 address, or a range such as 10.0.0.0/8'),
    }),
  )
  .min(1)
  .max(100);
export type TrustedIps = z.output<typeof TrustedIps>;
export const ANYWHERE: TrustedIps = [{ ipAddress: '0.0.0.0/0' }, { ipAddress: '::/0' }];

/** @throws DomainError 400 `ip.invalid` for an entry that is neither an address nor a range. */
export const readTrustedIps = (entries: TrustedIps): TrustedAddress[] =>
  entries.map(({ ipAddress }) => parseTrustedAddress(ipAddress));

/** The settings of every login method for the tokens that it issues. */
export const Settings = {
  accessTokenTTL: seconds.default(THIRTY_DAYS).describe('Lifetime of a token in seconds; 0: accessTokenMaxTTL'),
  accessTokenMaxTTL: seconds
    .default(THIRTY_DAYS)
    .describe('Lifetime of a token in seconds including renewals; 0: unlimited'),
  accessTokenNumUsesLimit: z
    .int()
    .min(0)
    .max(MAX_INTEGER)
    .default(0)
    .describe('Number of times a token can be used; 0: unlimited'),
  accessTokenPeriod: seconds
    .default(0)
    .describe('In seconds. If greater than 0, a token is valid for one period and can be renewed without limit'),
  accessTokenTrustedIps: TrustedIps.default(ANYWHERE).describe('Addresses from which tokens are accepted'),
};
export type SettingsShape = typeof Settings;
export const LoginMethodSettings = z.object(Settings);

export const settingNames = Object.keys(Settings) as (keyof SettingsShape)[];

/** The part of an answer that all login methods share. */
export const Attached = {
  id: Uuid,
  identityId: Uuid,
  accessTokenTTL: z.int(),
  accessTokenMaxTTL: z.int(),
  accessTokenNumUsesLimit: z.int(),
  accessTokenPeriod: z.int(),
  accessTokenTrustedIps: z.array(TrustedAddress),
  ...Timestamps.shape,
};
export type AttachedShape = typeof Attached;
export const AttachedLoginMethod = z.object(Attached);

/** The default lockout settings. */
export const LOCKOUT_DEFAULTS = {
  lockoutThreshold: 3,
  lockoutDurationSeconds: 300,
  lockoutCounterResetSeconds: 30,
};

/**
 * The published lockout fields. Their effect depends on the method: client secrets cannot be guessed, so failures are
 * only shown (`activeLockoutAuthMethods`); passwords can, so failures delay later attempts.
 */
export const Lockout = {
  lockoutEnabled: z
    .boolean()
    .default(true)
    .describe(
      'LDAP: whether wrong passwords delay later attempts at the user. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a valid client secret always works',
    ),
  lockoutThreshold: z
    .int()
    .min(1)
    .max(30)
    .default(LOCKOUT_DEFAULTS.lockoutThreshold)
    .describe(
      'The number of failures that counts as guessing. A valid client secret always works; password logins are delayed',
    ),
  lockoutDurationSeconds: z
    .int()
    .min(30)
    .max(86_400)
    .default(LOCKOUT_DEFAULTS.lockoutDurationSeconds)
    .describe('Duration of the lockout, in seconds'),
  lockoutCounterResetSeconds: z
    .int()
    .min(5)
    .max(3600)
    .default(LOCKOUT_DEFAULTS.lockoutCounterResetSeconds)
    .describe('Failures further apart than this, in seconds, are not added up'),
};
export const LockoutSettings = z.object(Lockout);

/**
 * A TTL beyond the cap could never be lived.
 *
 * @throws DomainError 400.
 */
export function requireTtlWithinCap(effective: { accessTokenTTL: number; accessTokenMaxTTL: number }): void {
  const { accessTokenTTL: ttl, accessTokenMaxTTL: maxTtl } = effective;
  if (maxTtl > 0 && ttl > maxTtl) {
    throw badRequest(
      'auth_method.ttl_beyond_cap',
      `accessTokenTTL (${ttl}) may not be more than accessTokenMaxTTL (${maxTtl})`,
    );
  }
}
