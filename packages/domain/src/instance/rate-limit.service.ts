import { z } from 'zod';
import { defineEvent, invalidate, inTransaction, statement, type Context } from '../kernel/index.ts';
import { recordForInstance, requireSuperAdmin } from '../users/user/index.ts';
import {
  byClass,
  RATE_LIMIT_CLASSES,
  readRateLimits,
  shown,
  type RateLimit,
  type UpdateRateLimits,
} from './rate-limit.ts';
import { RATE_LIMIT_TAG } from './applied-rate-limits.ts';

const Stored = z.record(z.enum(RATE_LIMIT_CLASSES), z.number().nullable());

export const rateLimitsUpdated = defineEvent(
  'instance.rate_limits_updated',
  'update-rate-limits',
  z.object({ before: Stored, after: Stored }),
);

/** @throws DomainError 403 unless the caller administers the instance. */
export async function rateLimits(ctx: Context): Promise<RateLimit> {
  requireSuperAdmin(ctx);
  return shown(await readRateLimits(ctx), ctx.settings);
}

const WRITE = statement(
  'rate_limits.write',
  `update rate_limits set read_limit = $1, write_limit = $2, secrets_limit = $3, auth_limit = $4, invite_limit = $5,
     mfa_limit = $6, public_limit = $7, updated_at = $8`,
);

/**
 * Replaces all limits, in every process within a second.
 *
 * @throws DomainError 403 unless the caller administers the instance.
 */
export function updateRateLimits(ctx: Context, after: UpdateRateLimits): Promise<RateLimit> {
  requireSuperAdmin(ctx);
  return inTransaction(ctx, async (tx) => {
    const before = await readRateLimits(tx, true);
    await tx.sql(WRITE, [...RATE_LIMIT_CLASSES.map((name) => after[name]), tx.now()]);
    recordForInstance(tx, rateLimitsUpdated, { before: byClass((name) => before[name]), after });
    invalidate(tx, RATE_LIMIT_TAG);
    return shown(await readRateLimits(tx), tx.settings);
  });
}
