import { migration } from './migration.ts';

/** Who works on a lease: a claim has an id, as in the other tables of work. Null for claims of earlier releases. */
export const m0050LeaseClaims = migration(
  '0050-lease-claims',
  `
alter table dynamic_secret_leases add column claim_id uuid;
`,
);
