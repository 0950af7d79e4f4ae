import { migration } from './migration.ts';

/** Those of earlier releases. */
export const MARK_PROVED = `
update acme_accounts a set is_proved = true where external_binding is not null
  or exists (select from acme_orders o where o.account_id = a.id and o.status = 'valid');
update acme_orders o set is_proved = false
  where status <> 'valid' and exists (select from acme_accounts a where a.id = o.account_id and not a.is_proved);
`;

/** ACME accounts that are bound, or that something was issued for: the others, and the orders of these, have indexes of their own. */
export const m0132ProvedAcmeAccounts = migration(
  '0132-proved-acme-accounts',
  `
alter table acme_accounts add column is_proved boolean not null default false;
-- As its account is.
alter table acme_orders add column is_proved boolean not null default true;
${MARK_PROVED}
create index acme_accounts_unproved on acme_accounts (profile_id, id) where not is_proved;
create index acme_orders_unproved on acme_orders (profile_id, id) where not is_proved;
drop index acme_accounts_unbound, acme_orders_unissued;
`,
);
