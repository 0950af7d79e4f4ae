import { migration } from './migration.ts';

/** Keys that callers use and do not hold. */
export const m0063Kms = migration(
  '0063-kms',
  `
create table kms_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text,
  usage text not null,
  algorithm text not null,
  -- The newest one.
  version integer not null,
  is_disabled boolean not null,
  is_exportable boolean not null,
  is_imported boolean not null,
  has_delete_protection boolean not null,
  -- Null if only its use rotates it.
  rotation_days integer,
  rotates_at timestamptz(3),
  -- When it is destroyed: from its deletion on.
  deletion_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create unique index kms_keys_name_unique on kms_keys (project_id, name) where deletion_at is null;
create index kms_keys_project on kms_keys (project_id, name, id);
create index kms_keys_organization on kms_keys (organization_id);
create index kms_keys_rotates on kms_keys (rotates_at) where rotates_at is not null;
create index kms_keys_deletion on kms_keys (deletion_at) where deletion_at is not null;

create table kms_key_versions (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  kms_key_id uuid not null references kms_keys on delete cascade,
  version integer not null,
  -- The secret or the private key (PKCS #8), sealed.
  material bytea not null,
  -- SubjectPublicKeyInfo; null for symmetric keys.
  public_key bytea,
  -- Encryptions that were reserved; see crypto/key-uses.ts.
  uses bigint not null default 0,
  created_at timestamptz(3) not null,
  unique (kms_key_id, version)
);
create index kms_key_versions_project on kms_key_versions (project_id);
create index kms_key_versions_organization on kms_key_versions (organization_id);

-- For whom wraps key material before it is sent. A project has one at a time.
create table kms_import_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  private_key bytea not null,
  public_key bytea not null,
  expires_at timestamptz(3) not null,
  unique (project_id)
);
create index kms_import_keys_organization on kms_import_keys (organization_id);
create index kms_key_versions_uses on kms_key_versions (uses);
`,
);
