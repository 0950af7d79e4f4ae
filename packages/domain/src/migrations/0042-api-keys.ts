import { migration } from './migration.ts';

/** API keys of users. */
export const m0042ApiKeys = migration(
  '0042-api-keys',
  `
-- A key belongs to a membership in an organization: it is deleted when the user leaves, and a later membership does not
-- bring it back.
create table user_api_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  name text not null,
  hash bytea not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index user_api_keys_user on user_api_keys (user_id, organization_id, created_at, id);
create index user_api_keys_membership on user_api_keys (membership_id);
create index user_api_keys_expiry on user_api_keys (expires_at);
`,
);
