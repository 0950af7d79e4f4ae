import { z } from 'zod';
import { at, statement, Timestamps, Uuid, type Context, type Settings } from '../kernel/index.ts';

/** The classes of operations that have a limit of their own. Each is named as its field in the published API. */
export const RATE_LIMIT_CLASSES = [
  'readRateLimit',
  'writeRateLimit',
  'secretsRateLimit',
  'authRateLimit',
  'inviteUserRateLimit',
  'mfaRateLimit',
  'publicEndpointLimit',
] as const;
export type RateLimitClass = (typeof RATE_LIMIT_CLASSES)[number];

/** Per minute, by class; 0 for no limit. */
export type RateLimits = Readonly<Record<RateLimitClass, number>>;

/** What administrators of the instance stored; `null` where the operator's setting is in force. */
export type StoredRateLimits = Readonly<Record<RateLimitClass, number | null>>;

const MAX_CALLS = 1_000_000;
/** A higher limit would allow guessing. */
const MAX_AUTH = 10_000;

const APPLIES: Readonly<Record<RateLimitClass, string>> = {
  readRateLimit: 'Requests per minute and caller with GET or HEAD to operations without a class of their own.',
  writeRateLimit: 'Requests per minute and caller with other methods to operations without a class of their own.',
  secretsRateLimit:
    'Requests per minute and caller, with any method, to operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases.',
  authRateLimit:
    'Rejected logins per minute, address and subject; ten times as many for all subjects of an address. Also sign-ups, password resets and other strictly limited operations without a token, per address. Successful logins are not counted.',
  inviteUserRateLimit: 'Requests per minute and caller that send invitations to an organization.',
  mfaRateLimit: 'Stored and returned, without effect: no operation belongs to this class.',
  publicEndpointLimit:
    'Requests per minute and address to operations without a credential, such as revocation lists, OCSP, ACME, the status and the documentation.',
};

const isAuth = (name: RateLimitClass) => name === 'authRateLimit';

const unset = (name: RateLimitClass) =>
  isAuth(name)
    ? '0 and `null` mean COFFER_LOGIN_RATE_LIMIT: this limit cannot be disabled.'
    : '0 disables the limit. `null` means COFFER_RATE_LIMIT, which counts all classes without a limit of their own together.';

const fields = <Field extends z.ZodType>(field: (name: RateLimitClass) => Field) =>
  Object.fromEntries(RATE_LIMIT_CLASSES.map((name) => [name, field(name)])) as Record<RateLimitClass, Field>;

const limit = (name: RateLimitClass) =>
  z
    .int()
    .min(0)
    .max(isAuth(name) ? MAX_AUTH : MAX_CALLS);

export const UpdateRateLimits = z.object(
  fields((name) =>
    limit(name)
      .nullable()
      .describe(`${APPLIES[name]} ${unset(name)}`)
      .meta({ examples: [isAuth(name) ? 60 : 6000] }),
  ),
);
export type UpdateRateLimits = z.output<typeof UpdateRateLimits>;

/** The limits in force. */
export const RateLimit = z.object({
  id: Uuid,
  ...fields((name) => z.int().describe(`${APPLIES[name]} The value in force${isAuth(name) ? '' : '; 0: unlimited'}.`)),
  ...Timestamps.shape,
});
export type RateLimit = z.output<typeof RateLimit>;

export interface RateLimitRow extends StoredRateLimits {
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const COLUMNS = `id, created_at as "createdAt", updated_at as "updatedAt", read_limit as "readRateLimit",
  write_limit as "writeRateLimit",
  secrets_limit as "secretsRateLimit", auth_limit as "authRateLimit", invite_limit as "inviteUserRateLimit",
  mfa_limit as "mfaRateLimit", public_limit as "publicEndpointLimit"`;

const READ = statement('rate_limits.read', `select ${COLUMNS} from rate_limits`);
const READ_LOCKED = statement('rate_limits.read_locked', `select ${COLUMNS} from rate_limits for update`);

/** The stored limits; with `isLocked`, locked until the transaction ends. */
export async function readRateLimits(ctx: Pick<Context, 'sql'>, isLocked = false): Promise<RateLimitRow> {
  const [row] = await ctx.sql<RateLimitRow>(isLocked ? READ_LOCKED : READ, []);
  if (!row) throw new Error('The table rate_limits has no row');
  return row;
}

/** One value for each class. */
export const byClass = <Value>(value: (name: RateLimitClass) => Value): Readonly<Record<RateLimitClass, Value>> =>
  Object.fromEntries(RATE_LIMIT_CLASSES.map((name) => [name, value(name)])) as Record<RateLimitClass, Value>;

/**
 * The effective limit of a class: the stored one, otherwise the operator's. That of refused logins cannot be disabled.
 */
export function limitInForce(
  name: RateLimitClass,
  stored: StoredRateLimits | undefined,
  { callLimit, loginLimit }: Pick<Settings, 'callLimit' | 'loginLimit'>,
): number {
  return isAuth(name) ? stored?.authRateLimit || loginLimit : (stored?.[name] ?? callLimit);
}

export function shown(row: RateLimitRow, settings: Settings): RateLimit {
  return {
    id: row.id,
    ...byClass((name) => limitInForce(name, row, settings)),
    createdAt: at(row.createdAt),
    updatedAt: at(row.updatedAt),
  };
}
