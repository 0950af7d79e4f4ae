import type { Pool } from 'pg';
import { z } from 'zod';
import { Instant, unavailable, type Context } from '../kernel/index.ts';
import { instanceConfig } from './config.ts';

/** What clients ask first: answered only while Coffer can serve. */
export const Status = z.object({
  date: Instant,
  message: z.string(),
  emailConfigured: z.boolean(),
  inviteOnlySignup: z.boolean(),
  redisConfigured: z.boolean(),
  secretScanningConfigured: z.boolean(),
  samlDefaultOrgSlug: z.string().nullable(),
});
export type Status = z.output<typeof Status>;

const PATIENCE_MS = 2000;

/** @throws DomainError 503 where the database does not answer within two seconds. */
export async function getStatus(ctx: Context): Promise<Status> {
  const { allowSignUp } = await withinPatience(instanceConfig(ctx)).catch((error: unknown) => {
    throw unavailable('instance.unavailable', 'The database does not respond', error);
  });
  return {
    date: ctx.now(),
    message: 'Ok',
    emailConfigured: ctx.settings.emailConfigured,
    inviteOnlySignup: !allowSignUp,
    redisConfigured: false,
    secretScanningConfigured: false,
    samlDefaultOrgSlug: null,
  };
}

/**
 * Whether requests can be served at all: every one of them writes, reads of secrets included, by their event.
 *
 * @throws Error where the database does not answer within two seconds, or is a standby.
 */
export async function requireDatabase(pool: Pool): Promise<void> {
  const { rows } = await withinPatience(pool.query<{ isStandby: boolean }>(STANDBY));
  if (rows[0]!.isStandby) throw new Error('The database is a standby, which takes no writes');
}

const STANDBY = 'select pg_is_in_recovery() as "isStandby"';

async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No response within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
