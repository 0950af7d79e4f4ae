import { migration } from './migration.ts';

/** Syncs and rotations by the same connection share what its app allows: a pause, and how many run at a time. */
export const m0084AccountBudgets = migration(
  '0084-account-budgets',
  `
alter table app_connections add column rests_until timestamptz(3);
create index secret_syncs_due_by_connection on secret_syncs (connection_id, due_at) where due_at is not null;
create index secret_syncs_claimed_by_connection on secret_syncs (connection_id, claimed_until)
  where claimed_until is not null;
create index secret_rotations_due_by_connection on secret_rotations (connection_id, due_at) where due_at is not null;
create index secret_rotations_claimed_by_connection on secret_rotations (connection_id, claimed_until)
  where claimed_until is not null;
`,
);
