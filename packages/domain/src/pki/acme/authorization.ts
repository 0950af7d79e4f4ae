import { at, atOrNull, isId, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { acmeBase } from '../profile/index.ts';
import {
  acmeAuthorizationDeactivated,
  type AuthorizationStatus,
  type ChallengeStatus,
  type ChallengeType,
  type OrderStatus,
} from './acme.ts';
import { inAccountTransaction } from './hold.ts';
import type { AcmeAccount } from './message.ts';
import { noSuch, problem, type ProblemDocument } from './problem.ts';
import type { AcmeProfile } from './profile.ts';
import { lookAtChallenge } from './validate/job.ts';

export interface AcmeChallenge {
  readonly id: string;
  readonly type: ChallengeType;
  readonly token: string;
  readonly status: ChallengeStatus;
  readonly validatedAt: Date | null;
  readonly error: ProblemDocument | null;
}

export interface AcmeAuthorization {
  readonly id: string;
  readonly profileId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly status: AuthorizationStatus;
  readonly identifier: string;
  readonly isWildcard: boolean;
  readonly expiresAt: Date;
  readonly challenges: readonly AcmeChallenge[];
}

const COLUMNS = `a.id, o.profile_id as "profileId", o.organization_id as "organizationId", o.project_id as "projectId",
  a.account_id as "accountId", a.order_id as "orderId", a.status, a.identifier,
  a.is_wildcard as "isWildcard", a.expires_at as "expiresAt"`;
const FIND = statement(
  'acme_authorizations.find',
  `select ${COLUMNS} from acme_authorizations a join acme_orders o on o.id = a.order_id
   where a.account_id = $1 and a.id = $2`,
);
const FIND_BY_CHALLENGE = statement(
  'acme_authorizations.find_by_challenge',
  `select ${COLUMNS} from acme_challenges c join acme_authorizations a on a.id = c.authorization_id
     join acme_orders o on o.id = a.order_id
   where a.account_id = $1 and c.id = $2`,
);
const CHALLENGES = statement(
  'acme_challenges.of_authorization',
  `select id, type, token, status, validated_at as "validatedAt", error from acme_challenges
   where authorization_id = $1 order by type desc`,
);

type Row = Omit<AcmeAuthorization, 'expiresAt' | 'challenges'> & { readonly expiresAt: string };
type ChallengeRow = Omit<AcmeChallenge, 'validatedAt'> & { readonly validatedAt: string | null };

async function complete(ctx: Context, row: Row | undefined, thing: string): Promise<AcmeAuthorization> {
  if (!row) throw noSuch(thing);
  const challenges = await ctx.sql<ChallengeRow>(CHALLENGES, [row.id]);
  return {
    ...row,
    expiresAt: at(row.expiresAt),
    challenges: challenges.map((one) => ({ ...one, validatedAt: atOrNull(one.validatedAt) })),
  };
}

/** An authorization of this account. @throws AcmeProblem 404 for any other. */
export async function findAuthorization(ctx: Context, account: AcmeAccount, id: string): Promise<AcmeAuthorization> {
  const [row] = isId(id) ? await ctx.sql<Row>(FIND, [account.id, id]) : [];
  return complete(ctx, row, 'authorization');
}

export interface ChallengeOf {
  readonly authorization: AcmeAuthorization;
  readonly challenge: AcmeChallenge;
}

/** The same with the named challenge. */
export async function findChallenge(ctx: Context, account: AcmeAccount, id: string): Promise<ChallengeOf> {
  const [row] = isId(id) ? await ctx.sql<Row>(FIND_BY_CHALLENGE, [account.id, id]) : [];
  const authorization = await complete(ctx, row, 'challenge');
  return { authorization, challenge: authorization.challenges.find((one) => one.id === id)! };
}

/** Its current status (RFC 8555, section 7.1.6). */
function authorizationStatus(ctx: Context, { status, expiresAt }: AcmeAuthorization): AuthorizationStatus {
  if (expiresAt > ctx.now()) return status;
  if (status === 'valid') return 'expired';
  return status === 'pending' ? 'invalid' : status;
}

export const authorizationUrl = (ctx: Context, { profileId, id }: AcmeAuthorization) =>
  `${acmeBase(ctx, profileId)}/authorizations/${id}`;

/** RFC 8555, section 7.1.4. Of an authorization that is decided, the challenges by which it was. */
export function authorizationObject(ctx: Context, authorization: AcmeAuthorization) {
  const { challenges, identifier, isWildcard, expiresAt } = authorization;
  const status = authorizationStatus(ctx, authorization);
  const shown = challenges.filter((one) => status === 'pending' || one.status !== 'pending');
  return {
    status,
    expires: expiresAt.toISOString(),
    identifier: { type: 'dns', value: identifier },
    challenges: shown.map((challenge) => challengeObject(ctx, { authorization, challenge })),
    ...(isWildcard && { wildcard: true }),
  };
}

/** RFC 8555, section 8. */
export const challengeObject = (ctx: Context, { authorization: { profileId }, challenge }: ChallengeOf) => ({
  type: challenge.type,
  url: `${acmeBase(ctx, profileId)}/challenges/${challenge.id}`,
  status: challenge.status,
  token: challenge.token,
  ...(challenge.validatedAt && { validated: challenge.validatedAt.toISOString() }),
  ...(challenge.error && { error: challenge.error }),
});

const LOCK_ORDER = statement(
  'acme_orders.lock_of_authorization',
  `select o.id, o.status from acme_orders o
   where o.id = (select order_id from acme_authorizations where id = $1) for update`,
);
const DEACTIVATE = statement(
  'acme_authorizations.deactivate',
  `update acme_authorizations set status = 'deactivated'
   where id = $1 and status in ('pending', 'valid') and expires_at > $2 returning id`,
);
const END_ORDER = statement(
  'acme_orders.end',
  `update acme_orders set status = 'invalid', updated_at = $2 where id = $1 and status in ('pending', 'ready')`,
);

/** The lock for all changes of an order, its authorizations and its challenges. */
async function lockOrderOf(tx: Transaction, authorizationId: string): Promise<OrderStatus | undefined> {
  const [order] = await tx.sql<{ status: OrderStatus }>(LOCK_ORDER, [authorizationId]);
  return order?.status;
}

/**
 * Deactivates an authorization (RFC 8555, section 7.5.2), and its order unless it is finalized.
 *
 * @throws AcmeProblem
 */
export async function updateAuthorization(
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  authorization: AcmeAuthorization,
  payload: Record<string, unknown>,
): Promise<AcmeAuthorization> {
  if (payload['status'] !== 'deactivated')
    throw problem('malformed', 'Clients can only set the authorization status to deactivated');
  await inAccountTransaction(ctx, profile, account, async (tx) => {
    await lockOrderOf(tx, authorization.id);
    const changed = await tx.sql(DEACTIVATE, [authorization.id, tx.now()]);
    if (changed.length === 0) throw problem('malformed', 'The authorization has already ended');
    await tx.sql(END_ORDER, [authorization.orderId, tx.now()]);
    const { organizationId, projectId, profileId, orderId, identifier } = authorization;
    const data = { acmeAccountId: account.id, certificateProfileId: profileId, acmeOrderId: orderId, identifier };
    record(tx, acmeAuthorizationDeactivated, data, { organizationId, projectId });
  });
  return findAuthorization(ctx, account, authorization.id);
}

const BEGIN = statement(
  'acme_challenges.begin',
  `update acme_challenges c set status = 'processing' from acme_authorizations a
   where c.id = $1 and c.status = 'pending' and a.id = c.authorization_id and a.status = 'pending' and a.expires_at > $2
     and not exists (select 1 from acme_challenges o where o.authorization_id = a.id and o.status <> 'pending')
   returning c.id`,
);

/**
 * Requests the validation of a challenge. Idempotent during and after the validation.
 *
 * @throws AcmeProblem if the authorization has ended, or uses another challenge.
 */
export async function answerChallenge(
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  { authorization, challenge }: ChallengeOf,
): Promise<ChallengeOf> {
  if (challenge.status !== 'pending') return { authorization, challenge };
  await inAccountTransaction(ctx, profile, account, async (tx) => {
    const order = await lockOrderOf(tx, authorization.id);
    const begun = order === 'pending' ? await tx.sql(BEGIN, [challenge.id, tx.now()]) : [];
    if (begun.length === 0) {
      const now = await findChallenge(tx, account, challenge.id);
      if (now.challenge.status !== 'pending') return;
      throw problem('malformed', 'The authorization is no longer pending, or uses another challenge');
    }
    lookAtChallenge(tx, { organizationId: authorization.organizationId, accountId: account.id, id: challenge.id });
  });
  return findChallenge(ctx, account, challenge.id);
}
