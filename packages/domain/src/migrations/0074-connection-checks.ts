import { migration } from './migration.ts';

/**
 * Tokens of connections by OAuth are refreshed by one process at a time. Connections with a name are checked each day; those
 * of before, and those that an earlier release still adds, within two days.
 */
export const m0074ConnectionChecks = migration(
  '0074-connection-checks',
  `
alter table app_connections
  add column token_claim_id uuid,
  add column token_claimed_until timestamptz(3),
  add column check_due_at timestamptz(3) default now() + interval '1 day' + random() * interval '1 day',
  add column check_failures integer not null default 0,
  add column check_claim_id uuid,
  add column check_claimed_until timestamptz(3),
  add column checked_at timestamptz(3),
  -- What the app has answered to the last check, redacted; null: it accepted the credentials.
  add column check_error text;
create index app_connections_check_due on app_connections (check_due_at) where name is not null;
`,
);
