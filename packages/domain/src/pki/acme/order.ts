import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import {
  at,
  atOrNull,
  DomainError,
  explainConstraint,
  instant,
  isId,
  newId,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { allowsName, MatchingCost } from '../constraint/index.ts';
import { acmeBase } from '../profile/index.ts';
import { isWildcard } from '../x509.ts';
import { parsed } from './account.ts';
import {
  acmeOrderCreated,
  CHALLENGE_TYPES,
  MAX_OPEN_ORDERS,
  ORDER_LIFE,
  type ChallengeType,
  type OrderStatus,
} from './acme.ts';
import { inAccountTransaction } from './hold.ts';
import { nameOf, readIdentifiers, rejected } from './identifier.ts';
import { accountUrl, requireBound, type AcmeAccount } from './message.ts';
import { noSuch, problem, subproblem, type ProblemDocument, type Subproblem } from './problem.ts';
import type { AcmeProfile } from './profile.ts';
import { alreadyReplaced, replacedCertificate } from './renewal.ts';
import { isProvedAccount, makeRoomForOrders } from './unproved.ts';

explainConstraint('acme_orders_replaces_unique', 'Another order already replaces the certificate');

export interface AcmeOrder {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly profileId: string;
  readonly accountId: string;
  readonly status: OrderStatus;
  readonly identifiers: readonly string[];
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
  readonly expiresAt: Date;
  readonly error: ProblemDocument | null;
  readonly certificateId: string | null;
  readonly replaces: string | null;
  readonly replacesCertificateId: string | null;
  readonly authorizationIds: readonly string[];
}
type Row = Omit<AcmeOrder, 'notBefore' | 'notAfter' | 'expiresAt'> & {
  readonly notBefore: string | null;
  readonly notAfter: string | null;
  readonly expiresAt: string;
};

const FIND = statement(
  'acme_orders.find',
  `select o.id, o.organization_id as "organizationId", o.project_id as "projectId", o.profile_id as "profileId",
     o.account_id as "accountId", o.status, o.identifiers, o.not_before as "notBefore", o.not_after as "notAfter",
     o.expires_at as "expiresAt", o.error, o.certificate_id as "certificateId", o.replaces,
     o.replaces_certificate_id as "replacesCertificateId",
     array(select a.id::text from acme_authorizations a where a.order_id = o.id order by a.identifier, a.is_wildcard)
       as "authorizationIds"
   from acme_orders o where o.account_id = $1 and o.id = $2`,
);

/** An order of this account. @throws AcmeProblem 404 for any other, of whomever it is. */
export async function findOrder(ctx: Context, account: AcmeAccount, id: string): Promise<AcmeOrder> {
  const [row] = isId(id) ? await ctx.sql<Row>(FIND, [account.id, id]) : [];
  if (!row) throw noSuch('order');
  return {
    ...row,
    notBefore: atOrNull(row.notBefore),
    notAfter: atOrNull(row.notAfter),
    expiresAt: at(row.expiresAt),
  };
}

/** Its current status: an order that was not finalized in time is invalid. */
export const statusOf = (ctx: Context, { status, expiresAt }: AcmeOrder): OrderStatus =>
  (status === 'pending' || status === 'ready') && expiresAt <= ctx.now() ? 'invalid' : status;

export const orderUrl = (ctx: Context, { profileId, id }: Pick<AcmeOrder, 'profileId' | 'id'>) =>
  `${acmeBase(ctx, profileId)}/orders/${id}`;

/** RFC 8555, section 7.1.3. */
export function orderObject(ctx: Context, order: AcmeOrder) {
  const base = acmeBase(ctx, order.profileId);
  const status = statusOf(ctx, order);
  return {
    status,
    expires: order.expiresAt.toISOString(),
    identifiers: order.identifiers.map((value) => ({ type: 'dns', value })),
    ...(order.notBefore && { notBefore: order.notBefore.toISOString() }),
    ...(order.notAfter && { notAfter: order.notAfter.toISOString() }),
    ...(order.error && { error: order.error }),
    authorizations: order.authorizationIds.map((id) => `${base}/authorizations/${id}`),
    finalize: `${orderUrl(ctx, order)}/finalize`,
    ...(status === 'valid' && order.certificateId && { certificate: `${base}/certificates/${order.certificateId}` }),
    ...(order.replaces && { replaces: order.replaces }),
  };
}

const Time = instant();
const NewOrder = z.object({
  identifiers: z.unknown(),
  notBefore: Time.optional(),
  notAfter: Time.optional(),
  replaces: z.string().max(200).optional(),
});

const COUNT_OPEN = statement(
  'acme_orders.count_open',
  `select count(*)::int as open from acme_orders
   where account_id = $1 and status in ('pending', 'ready') and expires_at > $2`,
);
const INSERT = statement(
  'acme_orders.insert',
  `insert into acme_orders (id, organization_id, project_id, profile_id, account_id, status, identifiers, not_before,
     not_after, expires_at, replaces, replaces_certificate_id, is_proved, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)`,
);
const INSERT_AUTHORIZATION = statement(
  'acme_authorizations.insert',
  `insert into acme_authorizations (id, organization_id, account_id, order_id, status, identifier, is_wildcard,
     expires_at, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const INSERT_CHALLENGE = statement(
  'acme_challenges.insert',
  `insert into acme_challenges (id, organization_id, authorization_id, type, token, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
);
/** Expired orders do not count. */
const END_REPLACING = statement(
  'acme_orders.end_replacing',
  `update acme_orders set status = 'invalid', updated_at = $2
   where replaces_certificate_id = $1 and status in ('pending', 'ready') and expires_at <= $2`,
);

/**
 * Creates an order. It contains only names that the profile can issue.
 *
 * @throws AcmeProblem
 */
export async function newOrder(
  ctx: Context,
  profile: AcmeProfile,
  account: AcmeAccount,
  payload: unknown,
): Promise<AcmeOrder> {
  requireBound(profile, account);
  const input = parsed(NewOrder, payload);
  const identifiers = readIdentifiers(input.identifiers);
  await requireAllowed(profile, account, identifiers);
  requirePeriod(ctx, profile, input);
  const replaced =
    input.replaces === undefined
      ? undefined
      : await replacedCertificate(ctx, { profile, account, identifiers, certId: input.replaces });
  const id = newId();
  try {
    await inAccountTransaction(ctx, profile, account, async (tx) => {
      const now = tx.now();
      await requireFewOrders(tx, account);
      const isOfProved = await isProvedAccount(tx, account.id);
      if (!isOfProved) await makeRoomForOrders(tx, profile);
      if (replaced !== undefined) await tx.sql(END_REPLACING, [replaced, now]);
      const isProved = profile.skipDnsOwnershipVerification;
      await tx.sql(INSERT, [
        id,
        profile.organizationId,
        profile.projectId,
        profile.id,
        account.id,
        isProved ? 'ready' : 'pending',
        identifiers,
        input.notBefore ?? null,
        input.notAfter ?? null,
        expiryOf(tx),
        replaced === undefined ? null : input.replaces,
        replaced ?? null,
        isOfProved,
        now,
      ]);
      for (const name of identifiers) await addAuthorization(tx, { account, orderId: id, name, isProved });
      const data = { acmeAccountId: account.id, certificateProfileId: profile.id, acmeOrderId: id, identifiers };
      record(tx, acmeOrderCreated, data, { organizationId: profile.organizationId, projectId: profile.projectId });
    });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'acme_orders_replaces_unique') throw error;
    throw alreadyReplaced();
  }
  return findOrder(ctx, account, id);
}

/** Orders of one account, which is locked, see the earlier ones. */
async function requireFewOrders(tx: Transaction, account: AcmeAccount): Promise<void> {
  const [count] = await tx.sql<{ open: number }>(COUNT_OPEN, [account.id, tx.now()]);
  if (count!.open >= MAX_OPEN_ORDERS)
    throw problem('rateLimited', 'The account has too many orders that are not finalized', { retryAfter: 3_600 });
}

const expiryOf = (tx: Transaction) => new Date(tx.now().getTime() + ORDER_LIFE);

async function addAuthorization(
  tx: Transaction,
  { account, orderId, name, isProved }: { account: AcmeAccount; orderId: string; name: string; isProved: boolean },
): Promise<void> {
  const { organizationId } = account;
  const [id, wildcard] = [newId(), isWildcard(name)];
  await tx.sql(INSERT_AUTHORIZATION, [
    id,
    organizationId,
    account.id,
    orderId,
    isProved ? 'valid' : 'pending',
    nameOf(name),
    wildcard,
    expiryOf(tx),
    tx.now(),
  ]);
  if (isProved) return;
  for (const type of challengesFor(wildcard)) {
    const token = randomBytes(32).toString('base64url');
    await tx.sql(INSERT_CHALLENGE, [newId(), organizationId, id, type, token, tx.now()]);
  }
}

/** Only dns-01 proves the ownership of all names below one. */
const challengesFor = (wildcard: boolean): readonly ChallengeType[] => (wildcard ? ['dns-01'] : CHALLENGE_TYPES);

/** Names that the policy forbids are rejected immediately, which is recorded. */
async function requireAllowed(
  { constraints }: AcmeProfile,
  { id: accountId }: AcmeAccount,
  identifiers: readonly string[],
): Promise<void> {
  const { rules, others } = constraints.altNames;
  const rule = rules.dns;
  const cost = new MatchingCost();
  const faults: Subproblem[] = [];
  for (const value of identifiers) {
    const isAllowed = rule ? allowsName(rule, value, cost) : others === 'allowed';
    const fault = `The policy of this profile does not allow ${value}`;
    if (!isAllowed) faults.push(subproblem('rejectedIdentifier', fault, { type: 'dns', value }));
    await cost.rest();
  }
  if (faults.length > 0) throw rejected(faults, { accountId });
}

/** Maximum clock skew: a minute. */
const EARLIEST = 60_000;

interface Period {
  readonly notBefore?: Date | null | undefined;
  readonly notAfter?: Date | null | undefined;
}

const noSuchPeriod = ({ validity }: AcmeProfile) =>
  problem(
    'malformed',
    `Certificates of this profile begin now or later and end within ${validity / 1_000} seconds from now`,
  );

/**
 * When a certificate of an order ends. Asked when the order is made and when it is finalized: the profile or its policy may have
 * been narrowed in between.
 *
 * @throws AcmeProblem `malformed` if the certificate would be valid longer than the profile allows now.
 */
export function endOf(ctx: Context, profile: AcmeProfile, { notBefore, notAfter }: Period): Date {
  const now = ctx.now().getTime();
  const begin = notBefore?.getTime() ?? now;
  const from = Math.min(begin, now);
  const to = notAfter?.getTime() ?? from + profile.validity;
  if (to <= now || to <= begin || to - from > profile.validity + EARLIEST) throw noSuchPeriod(profile);
  return new Date(to);
}

function requirePeriod(ctx: Context, profile: AcmeProfile, period: Period): void {
  if (period.notBefore && period.notBefore.getTime() < ctx.now().getTime() - EARLIEST) throw noSuchPeriod(profile);
  endOf(ctx, profile, period);
}

const LIST = statement(
  'acme_orders.list',
  `select id from acme_orders where account_id = $1 and ($2::uuid is null or id < $2::uuid)
     and status <> 'invalid' and (status = 'valid' or expires_at > $3)
   order by id desc limit $4`,
);
const PAGE = 100;

/** The open orders of an account, newest first, a hundred at a time; `next` is the address of the next page. */
export async function listOrders(
  ctx: Context,
  account: AcmeAccount,
  cursor: string | undefined,
): Promise<{ orders: string[]; next: string | undefined }> {
  if (cursor !== undefined && !isId(cursor)) throw problem('malformed', 'The cursor is not valid');
  const rows = await ctx.sql<{ id: string }>(LIST, [account.id, cursor ?? null, ctx.now(), PAGE]);
  const last = rows.length === PAGE ? rows.at(-1)!.id : undefined;
  return {
    orders: rows.map(({ id }) => orderUrl(ctx, { profileId: account.profileId, id })),
    next: last && `${accountUrl(ctx, account)}/orders?cursor=${last}`,
  };
}
