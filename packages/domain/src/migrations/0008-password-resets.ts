import { migration } from './migration.ts';

/** How people who forgot their passwords get new ones. */
export const m0008PasswordResets = migration(
  '0008-password-resets',
  `
create table password_resets (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Of the code in the link; once that was shown, of the token that sets the password.
  hash bytea not null,
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- When the code was shown.
  verified_at timestamptz(3),
  -- When it was used, or another way or a newer link took its place.
  ended_at timestamptz(3),
  constraint password_resets_hash_unique unique (hash)
);
create index password_resets_user on password_resets (user_id);
create index password_resets_expiry on password_resets (expires_at);
`,
);
