import { migration } from './migration.ts';

/** Who ordered an SSH certificate; revocation lists with their revisions; keys that sign no more. */
export const m0068SshRevocation = migration(
  '0068-ssh-revocation',
  `
-- The user or machine that ordered it; absent where a job did.
alter table ssh_certificates add column actor_id uuid;
update ssh_certificates set actor_id = substring(key_id, '^[a-z]+-([0-9a-f-]{36})')::uuid
  where cert_type = 'user' and ssh_host_id is not null;

-- The revision grows with each revocation. A long list is stored with the revision that it was made of. Lists of deleted
-- authorities stay.
create table ssh_revocation_lists (
  ca_id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  revision bigint not null default 1,
  stored_revision bigint,
  body bytea,
  etag text,
  -- When something in it has expired.
  stored_until timestamptz(3),
  constraint ssh_revocation_lists_stored check (num_nulls(stored_revision, body, etag, stored_until) in (0, 4))
);
create index ssh_revocation_lists_organization on ssh_revocation_lists (organization_id);
insert into ssh_revocation_lists (ca_id, organization_id)
  select ca_id, min(organization_id::text)::uuid from ssh_certificates where revoked_at is not null group by ca_id
  on conflict do nothing;
insert into ssh_revocation_lists (ca_id, organization_id)
  select ca_id, min(organization_id::text)::uuid from ssh_retired_ca_keys group by ca_id on conflict do nothing;

-- When the next key signs.
alter table ssh_ca_keys add column signs_until timestamptz(3);
update ssh_ca_keys k set signs_until = (select min(n.signs_from) from ssh_ca_keys n
  where n.ca_id = k.ca_id and n.signs_from >= k.signs_from and n.id > k.id);
create index ssh_ca_keys_replaced on ssh_ca_keys (signs_until) where private_key is not null;
`,
);
