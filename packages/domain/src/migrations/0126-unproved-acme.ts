import { migration } from './migration.ts';

/** What strangers have made at an ACME server without an external key, by profile, oldest first. */
export const m0126UnprovedAcme = migration(
  '0126-unproved-acme',
  `
create index acme_accounts_unbound on acme_accounts (profile_id, id) where external_binding is null;
create index acme_orders_unissued on acme_orders (profile_id, id) where status <> 'valid';
`,
);
