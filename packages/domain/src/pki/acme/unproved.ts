import { statement, type Transaction } from '../../kernel/index.ts';
import { MAX_UNPROVED_ACCOUNTS, MAX_UNPROVED_ORDERS } from './acme.ts';
import type { AcmeProfile } from './profile.ts';

/** How many more than necessary are deleted, so that not each request does it; and how many at most. */
const ROOM = 100;
const BATCH = 1_000;

const MANY_ACCOUNTS = statement(
  'acme_accounts.many_unproved',
  'select 1 from acme_accounts where profile_id = $1 and not is_proved offset $2 limit 1',
);
const LOCK_ACCOUNTS = statement(
  'acme_accounts.lock_unproved',
  `select id from acme_accounts where id = any(array(
     select id from acme_accounts where profile_id = $1 and not is_proved
     order by id desc offset $2 limit ${BATCH})) for update skip locked`,
);
/** Asked again of those that are locked, and by what the mark stands for: an earlier release beside this one does not set it. */
const DELETE_ACCOUNTS = statement(
  'acme_accounts.delete_unproved',
  `delete from acme_accounts where id = any(array(select a.id from unnest($1::uuid[]) locked
     cross join lateral (select * from acme_accounts where id = locked offset 0) a
     where not a.is_proved and a.external_binding is null
       and not exists (select from acme_orders issued where issued.account_id = a.id and issued.status = 'valid')))`,
);
const MANY_ORDERS = statement(
  'acme_orders.many_unproved',
  'select 1 from acme_orders where profile_id = $1 and not is_proved offset $2 limit 1',
);
const DELETE_ORDERS = statement(
  'acme_orders.delete_unproved',
  `delete from acme_orders where id in (
     select id from acme_orders where id = any(array(
       select id from acme_orders where profile_id = $1 and not is_proved order by id desc offset $2 limit ${BATCH}))
       and not is_proved and status <> 'valid' for update skip locked)`,
);
const IS_PROVED = statement(
  'acme_accounts.is_proved',
  'select is_proved as "isProved" from acme_accounts where id = $1',
);
const PROVE_ACCOUNT = statement(
  'acme_accounts.prove',
  'update acme_accounts set is_proved = true where id = $1 and not is_proved returning id',
);
const PROVE_ORDERS = statement(
  'acme_orders.prove',
  'update acme_orders set is_proved = true where account_id = $1 and not is_proved',
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

/** The same for a new order of such an account: of their orders that are not finalized. */
export async function makeRoomForOrders(tx: Transaction, { id }: Pick<AcmeProfile, 'id'>): Promise<void> {
  if ((await tx.sql(MANY_ORDERS, [id, MAX_UNPROVED_ORDERS])).length > 0)
    await tx.sql(DELETE_ORDERS, [id, MAX_UNPROVED_ORDERS - ROOM]);
}

/** Whether somebody answers for an account: it is bound by the external key, or something was issued for it. It is locked. */
export const isProvedAccount = async (tx: Transaction, accountId: string): Promise<boolean> =>
  (await tx.sql<{ isProved: boolean }>(IS_PROVED, [accountId]))[0]!.isProved;

/** An account, which is locked, was bound, or a certificate was issued for it: it and its orders stay. */
export async function proveAccount(tx: Transaction, accountId: string): Promise<void> {
  if ((await tx.sql(PROVE_ACCOUNT, [accountId])).length > 0) await tx.sql(PROVE_ORDERS, [accountId]);
}
