import { migration } from './migration.ts';

/** Service tokens of the older kind; and which reminders of secrets were sent. */
export const m0005ServiceTokens = migration(
  '0005-service-tokens',
  `
-- A token stays when its creator goes: it belongs to the project. What clients keep with it (encrypted_key, iv, tag) is
-- theirs, and is given back as it came.
create table service_tokens (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  hash bytea not null,
  scopes jsonb not null,
  permissions jsonb not null,
  encrypted_key text,
  iv text,
  tag text,
  created_by uuid not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index service_tokens_project on service_tokens (project_id, created_at, id);

-- When a secret's reminder was last sent. It is due a number of days after that, and after the secret's last change.
create table secret_reminders (
  secret_id uuid primary key references secrets on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  sent_at timestamptz(3) not null
);
create index secret_reminders_project on secret_reminders (project_id);
create index secrets_reminders on secrets (updated_at) where reminder_repeat_days is not null;
`,
);
