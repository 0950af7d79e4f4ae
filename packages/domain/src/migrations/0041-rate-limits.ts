import { migration } from './migration.ts';

/** The rate limits that administrators of the instance set, per minute; null where the operator's setting is in force. */
export const m0041RateLimits = migration(
  '0041-rate-limits',
  `
create table rate_limits (
  is_only boolean primary key default true check (is_only),
  id uuid not null default gen_random_uuid(),
  read_limit integer check (read_limit >= 0),
  write_limit integer check (write_limit >= 0),
  secrets_limit integer check (secrets_limit >= 0),
  auth_limit integer check (auth_limit >= 0),
  invite_limit integer check (invite_limit >= 0),
  mfa_limit integer check (mfa_limit >= 0),
  public_limit integer check (public_limit >= 0),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
insert into rate_limits default values;
`,
);
