import { z } from 'zod';
import { behindBy, defineJob, enqueue, inFairTurn, lanes } from '../../../jobs/index.ts';
import { within } from '../../../outbound/index.ts';
import {
  DomainError,
  inTransaction,
  record,
  statement,
  type Context,
  type JobOptions,
  type Transaction,
} from '../../../kernel/index.ts';
import { acmeChallengeEnded, ORDER_LIFE, type ChallengeType } from '../acme.ts';
import type { ProblemDocument } from '../problem.ts';
import { ChallengeFailed, type ValidateChallenge } from './challenge.ts';
import { validateDns } from './dns-01.ts';
import { validateHttp } from './http-01.ts';
import { validateTls } from './tls-alpn-01.ts';

/**
 * Delays of retries in milliseconds: new records take time to be visible everywhere. After the last one the validation
 * fails.
 */
const AGAIN = [1_500, 4_000, 10_000] as const;

/** Validates one challenge. */
export const validateJob = defineJob({
  name: 'acme.validate',
  // Jobs of earlier releases do not name the account.
  payload: z.object({ organizationId: z.string(), challengeId: z.string(), accountId: z.string().default('') }),
  run: async (ctx, { organizationId, challengeId, accountId }, { job }) => {
    const challenge = { organizationId, accountId, id: challengeId };
    const goBehind = (delayMs: number) =>
      inTransaction(ctx, async (tx) => {
        const runAt = delayMs > 0 ? { runAt: new Date(tx.now().getTime() + delayMs) } : {};
        lookAtChallenge(tx, challenge, { ...runAt, isBehind: true });
      });
    await inFairTurn(ctx, { owner: accountId, kind: 'acme.validate', job, goBehind }, () =>
      validateChallenge(ctx, challengeId),
    );
  },
});

/** Deadline of one attempt in milliseconds. */
const PATIENCE = 10_000;

const laneOf = lanes('acme');

/**
 * Queues the validation, with low priority: servers may be slow. Those of one account run in sequence, and two of an
 * organization at a time, in turns.
 */
export const lookAtChallenge = (
  tx: Transaction,
  { organizationId, accountId, id }: { organizationId: string; accountId: string; id: string },
  { runAt, key, isBehind = false }: Pick<JobOptions, 'runAt' | 'key'> & { isBehind?: boolean } = {},
): void =>
  enqueue(
    tx,
    validateJob,
    { organizationId, challengeId: id, accountId },
    {
      queue: laneOf({ id: accountId, organizationId }),
      priority: isBehind ? 10 + behindBy() : 10,
      maxAttempts: 10,
      ...(runAt && { runAt }),
      ...(key !== undefined && { key }),
    },
  );

const VALIDATE: { readonly [Type in ChallengeType]: ValidateChallenge } = {
  'http-01': validateHttp,
  'dns-01': validateDns,
  'tls-alpn-01': validateTls,
};

interface Challenge {
  id: string;
  type: ChallengeType;
  token: string;
  attempts: number;
  authorizationId: string;
  orderId: string;
  accountId: string;
  profileId: string;
  organizationId: string;
  projectId: string;
  name: string;
  thumbprint: string;
}

const FIND = statement(
  'acme_challenges.to_validate',
  `select c.id, c.type, c.token, c.attempts, a.id as "authorizationId", o.id as "orderId", a.account_id as "accountId",
     o.profile_id as "profileId", o.organization_id as "organizationId", o.project_id as "projectId",
     a.identifier as name, t.thumbprint
   from acme_challenges c join acme_authorizations a on a.id = c.authorization_id
     join acme_orders o on o.id = a.order_id
     join acme_accounts t on t.id = a.account_id
   where c.id = $1 and c.status = 'processing' and a.status = 'pending' and o.status = 'pending' and t.status = 'valid'
     and a.expires_at > $2`,
);

/** Validates once, and stores the result. Decided challenges are skipped. */
export async function validateChallenge(ctx: Context, challengeId: string): Promise<void> {
  const [challenge] = await ctx.sql<Challenge>(FIND, [challengeId, ctx.now()]);
  if (!challenge) return;
  const { name, token, thumbprint } = challenge;
  const proof = { name, token, keyAuthorization: `${token}.${thumbprint}` };
  const failure = await within(
    PATIENCE,
    () => name,
    () => VALIDATE[challenge.type](ctx, proof),
  ).then(
    () => undefined,
    (error: unknown) => {
      // The operator gets the reason in the log; the client gets the type.
      const isOurs = !(error instanceof ChallengeFailed || error instanceof DomainError);
      const level = isOurs ? 'warn' : 'info';
      ctx.log[level]({ challengeId, name, err: error }, 'A challenge failed');
      if (error instanceof ChallengeFailed) return error.document;
      return new ChallengeFailed(isOurs ? 'serverInternal' : 'connection', error).document;
    },
  );
  await inTransaction(ctx, (tx) => settle(tx, challenge, failure));
}

const LOCK_ORDER = statement(
  'acme_orders.lock_pending',
  `select o.id from acme_orders o join acme_accounts t on t.id = o.account_id
   where o.id = $1 and o.status = 'pending' and t.status = 'valid' and t.thumbprint = $2 for update of o`,
);
const TRY_AGAIN = statement(
  'acme_challenges.try_again',
  `update acme_challenges set attempts = attempts + 1, error = $2 where id = $1 and status = 'processing' returning id`,
);
const END = statement(
  'acme_challenges.end',
  `update acme_challenges set status = $2, attempts = attempts + 1, validated_at = $3, error = $4
   where id = $1 and status = 'processing' returning id`,
);
const END_AUTHORIZATION = statement(
  'acme_authorizations.end',
  `update acme_authorizations set status = $2, expires_at = $3
   where id = $1 and status = 'pending' and expires_at > $4 returning id`,
);
const FAIL_ORDER = statement(
  'acme_orders.fail',
  `update acme_orders set status = 'invalid', error = $2, updated_at = $3 where id = $1 and status = 'pending'`,
);
const READY_ORDER = statement(
  'acme_orders.ready',
  `update acme_orders o set status = 'ready', updated_at = $2
   where o.id = $1 and o.status = 'pending' and o.expires_at > $2
     and not exists (select 1 from acme_authorizations a where a.order_id = o.id and a.status <> 'valid')`,
);

/** Stores the result; nothing if the order has ended meanwhile. */
async function settle(tx: Transaction, challenge: Challenge, failure: ProblemDocument | undefined): Promise<void> {
  const { id, authorizationId, orderId, organizationId, projectId } = challenge;
  const locked = await tx.sql(LOCK_ORDER, [orderId, challenge.thumbprint]);
  if (locked.length === 0) return keyMayHaveChanged(tx, challenge);
  const now = tx.now();
  const wait = failure && AGAIN[challenge.attempts];
  if (wait !== undefined) {
    const again = await tx.sql(TRY_AGAIN, [id, JSON.stringify(failure)]);
    if (again.length > 0) lookAtChallenge(tx, challenge, { runAt: new Date(now.getTime() + wait) });
    return;
  }
  const error = failure ? JSON.stringify(failure) : null;
  const status = failure ? 'invalid' : 'valid';
  const ended = await tx.sql(END, [id, status, failure ? null : now, error]);
  if (ended.length === 0) return;
  const expiresAt = new Date(now.getTime() + ORDER_LIFE);
  await tx.sql(END_AUTHORIZATION, [authorizationId, status, expiresAt, now]);
  if (failure) await tx.sql(FAIL_ORDER, [orderId, JSON.stringify(ofName(failure, challenge.name)), now]);
  else await tx.sql(READY_ORDER, [orderId, now]);
  const data = {
    acmeAccountId: challenge.accountId,
    certificateProfileId: challenge.profileId,
    acmeOrderId: orderId,
    identifier: challenge.name,
    type: challenge.type,
    isValid: !failure,
    problem: failure?.detail ?? null,
  };
  record(tx, acmeChallengeEnded, data, { organizationId, projectId });
}

/** A validation is for the key of the account: with another key it is repeated. */
function keyMayHaveChanged(tx: Transaction, challenge: Challenge): void {
  lookAtChallenge(tx, challenge, { key: `acme.validate:${challenge.id}` });
}

const ofName = (failure: ProblemDocument, value: string): ProblemDocument => ({
  ...failure,
  identifier: { type: 'dns', value },
});
