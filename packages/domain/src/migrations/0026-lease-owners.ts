import { migration } from './migration.ts';

/** Whose leases are, and which dynamic secrets were deleted by force and wait for their logins to go. */
export const m0026LeaseOwners = migration(
  '0026-lease-owners',
  `
-- Who asked for it. Null for leases of earlier releases, which are nobody's own. No reference: the lease outlives its owner.
alter table dynamic_secret_leases add column created_by_type text, add column created_by_id uuid;
alter table dynamic_secrets add column forced_at timestamptz(3);
`,
);
