import { migration } from './migration.ts';

/** What revocation lists say, entry by entry and as they are published. */
export const m0016Revocation = migration(
  '0016-revocation',
  `
-- Stays when the certificate's own row is deleted: what is revoked stays so.
create table revocation_entries (
  ca_key_id uuid not null references ca_keys on delete cascade,
  serial_number text not null,
  organization_id uuid not null,
  project_id uuid not null,
  -- Of the certificate: after it, the entry leaves the list.
  not_after timestamptz(3) not null,
  revoked_at timestamptz(3) not null,
  -- RFC 5280, section 5.3.1.
  reason integer not null,
  -- DER, as the list has it: lists of many are put together without reading any.
  entry bytea not null,
  is_listed boolean not null default false,
  primary key (ca_key_id, serial_number)
);
create index revocation_entries_new on revocation_entries (ca_key_id, revoked_at) where not is_listed;

-- The newest list of each key.
create table revocation_lists (
  ca_key_id uuid primary key references ca_keys on delete cascade,
  organization_id uuid not null,
  project_id uuid not null,
  number bigint not null,
  -- DER.
  body bytea not null,
  fingerprint_sha256 bytea not null,
  this_update timestamptz(3) not null,
  next_update timestamptz(3) not null
);
-- It does not get smaller, and what compresses it costs more than what that saves.
alter table revocation_lists alter column body set storage external;
`,
);
