import { randomInt } from 'node:crypto';
import { statement, type Transaction } from '../../kernel/index.ts';
import { MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS } from './acme.ts';
import type { AcmeAccount } from './message.ts';
import type { AcmeProfile } from './profile.ts';

/** An account that nobody answers for: it is not bound by the external key, and nothing was issued for it. */
const IS_UNPROVED = `a.external_binding is null
  and not exists (select from acme_orders issued where issued.account_id = a.id and issued.status = 'valid')`;

/** How many more than necessary are deleted, so that not each request does it; and how many at most. */
const ROOM = 100;
const BATCH = 1_000;
/** Of so many orders one makes room, on average. */
const ORDERS_PER_LOOK = 20;

const MANY_ACCOUNTS = statement(
  'acme_accounts.many_unbound',
  'select 1 from acme_accounts where profile_id = $1 and external_binding is null offset $2 limit 1',
);
const LOCK_ACCOUNTS = statement(
  'acme_accounts.lock_unproved',
  `select id from acme_accounts where id = any(array(
     select a.id from acme_accounts a where a.profile_id = $1 and ${IS_UNPROVED}
     order by a.id desc offset $2 limit ${BATCH})) for update skip locked`,
);
/** Asked again of those that are locked: one may have been bound, or a certificate issued for it, until then. */
const DELETE_ACCOUNTS = statement(
  'acme_accounts.delete_unproved',
  `delete from acme_accounts where id = any(array(select a.id from unnest($1::uuid[]) locked
     cross join lateral (select * from acme_accounts where id = locked offset 0) a where ${IS_UNPROVED}))`,
);
const MANY_ORDERS = statement(
  'acme_orders.many_unissued',
  `select 1 from acme_orders where profile_id = $1 and status <> 'valid' offset $2 limit 1`,
);
const DELETE_ORDERS = statement(
  'acme_orders.delete_unproved',
  `delete from acme_orders where id in (
     select id from acme_orders where id = any(array(
       select o.id from acme_orders o where o.profile_id = $1 and o.status <> 'valid'
         and (select ${IS_UNPROVED} from acme_accounts a where a.id = o.account_id)
       order by o.id desc offset $2 limit ${BATCH})) and status <> 'valid' for update skip locked)`,
);
const IS_PROVED = statement(
  'acme_accounts.is_proved',
  `select 1 from acme_orders where account_id = $1 and status = 'valid' limit 1`,
);

/**
 * Makes room for a new account without a binding: of accounts that nobody answers for, a profile keeps the newest. They are
 * deleted rather than refused, so that nobody keeps others out by making many.
 */
export async function makeRoomForAccounts(tx: Transaction, { id }: Pick<AcmeProfile, 'id'>): Promise<void> {
  if ((await tx.sql(MANY_ACCOUNTS, [id, MAX_UNPROVED_ACCOUNTS])).length === 0) return;
  const locked = await tx.sql<{ id: string }>(LOCK_ACCOUNTS, [id, MAX_UNPROVED_ACCOUNTS - ROOM]);
  await tx.sql(DELETE_ACCOUNTS, [locked.map((account) => account.id)]);
}

/**
 * The same for a new order: of those of such accounts. All orders without a certificate are looked at, of which a profile may have
 * many of other accounts: one order in some does so.
 */
export async function makeRoomForOrders(
  tx: Transaction,
  { id, profileId, externalBinding }: AcmeAccount,
): Promise<void> {
  if (externalBinding !== null || randomInt(ORDERS_PER_LOOK) > 0 || (await tx.sql(IS_PROVED, [id])).length > 0) return;
  if ((await tx.sql(MANY_ORDERS, [profileId, MAX_UNPROVED_ORDERS])).length > 0)
    await tx.sql(DELETE_ORDERS, [profileId, MAX_UNPROVED_ORDERS - ROOM]);
}
