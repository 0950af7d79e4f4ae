import { migration } from './migration.ts';

/** What has to be proved: the mailbox of an address that signs up or was invited, and who may set up an instance. */
export const m0033Proof = migration(
  '0033-proof',
  `
-- Hashes of the codes that let callers from elsewhere make the first administrator; one for each process, until one is used.
create table setup_codes (
  hash bytea primary key,
  created_at timestamptz(3) not null default now()
);

-- Codes that were sent to a mailbox, to make or complete the account of its address.
create table sign_up_codes (
  id uuid primary key,
  email text not null,
  -- Of the code in the message; once that was shown, of the token that completes the account.
  hash bytea not null constraint sign_up_codes_hash_unique unique,
  asked_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  -- When the code was shown.
  verified_at timestamptz(3),
  -- When it was used, or a newer one took its place.
  ended_at timestamptz(3)
);
create index sign_up_codes_email on sign_up_codes (email);
create index sign_up_codes_expiry on sign_up_codes (expires_at);

-- Whether the link of an open invitation went to the mailbox alone, and so proves it. False where it was answered to the
-- inviter, and for invitations of the release before.
alter table memberships add column invite_is_mailed boolean not null default false;
`,
);
