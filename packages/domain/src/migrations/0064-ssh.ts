import { migration } from './migration.ts';

/** SSH: certificate authorities and their keys, templates, certificates. */
export const m0064Ssh = migration(
  '0064-ssh',
  `
create table ssh_certificate_authorities (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  friendly_name text not null,
  status text not null default 'active',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ssh_certificate_authorities_status check (status in ('active', 'disabled'))
);
create index ssh_certificate_authorities_organization on ssh_certificate_authorities (organization_id);
create index ssh_certificate_authorities_project on ssh_certificate_authorities (project_id, friendly_name);

-- The newest key whose time has come signs; the one before it is trusted until the end of the overlap.
create table ssh_ca_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  ca_id uuid not null references ssh_certificate_authorities on delete cascade,
  key_algorithm text not null,
  key_source text not null,
  -- As on the wire of SSH.
  public_key bytea not null,
  -- PKCS #8, sealed; absent once the key signs no more.
  private_key bytea,
  signs_from timestamptz(3) not null,
  -- Absent: until there is another key.
  trusted_until timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint ssh_ca_keys_source check (key_source in ('internal', 'external'))
);
create index ssh_ca_keys_organization on ssh_ca_keys (organization_id);
create index ssh_ca_keys_project on ssh_ca_keys (project_id);
create index ssh_ca_keys_ca on ssh_ca_keys (ca_id, signs_from desc);

-- Keys of deleted authorities: their revocation lists say so for good, also after the end of their projects.
create table ssh_retired_ca_keys (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  ca_id uuid not null,
  public_key bytea not null,
  retired_at timestamptz(3) not null
);
create index ssh_retired_ca_keys_organization on ssh_retired_ca_keys (organization_id);
create index ssh_retired_ca_keys_ca on ssh_retired_ca_keys (ca_id);

-- The authorities that hosts of a project have unless they name others.
create table ssh_project_configs (
  project_id uuid primary key references projects on delete cascade,
  organization_id uuid not null references organizations on delete cascade,
  default_user_ca_id uuid references ssh_certificate_authorities on delete set null,
  default_host_ca_id uuid references ssh_certificate_authorities on delete set null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index ssh_project_configs_organization on ssh_project_configs (organization_id);
create index ssh_project_configs_user_ca on ssh_project_configs (default_user_ca_id);
create index ssh_project_configs_host_ca on ssh_project_configs (default_host_ca_id);

create table ssh_certificate_templates (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  ca_id uuid not null references ssh_certificate_authorities on delete cascade,
  status text not null default 'active',
  name text not null,
  ttl text not null,
  max_ttl text not null,
  allowed_users text[] not null,
  allowed_hosts text[] not null,
  allow_user_certificates boolean not null,
  allow_host_certificates boolean not null,
  allow_custom_key_ids boolean not null,
  allowed_critical_options text[] not null,
  default_critical_options jsonb not null,
  allowed_extensions text[] not null,
  default_extensions jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ssh_certificate_templates_status check (status in ('active', 'disabled')),
  constraint ssh_certificate_templates_name_unique unique (ca_id, name)
);
create index ssh_certificate_templates_organization on ssh_certificate_templates (organization_id);
create index ssh_certificate_templates_project on ssh_certificate_templates (project_id, name);

-- Authority, key and template are named also when they are gone. References to them would lock their rows for each
-- certificate, which is issued by a statement that has looked at them anyway; the project has the organization's.
create table ssh_certificates (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  ca_id uuid not null,
  ca_key_id uuid not null,
  certificate_template_id uuid,
  ssh_host_id uuid,
  serial_number bigint not null,
  cert_type text not null,
  principals text[] not null,
  key_id text not null,
  key_algorithm text not null,
  critical_options jsonb not null,
  extensions jsonb not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  body bytea not null,
  revoked_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  constraint ssh_certificates_type check (cert_type in ('user', 'host')),
  constraint ssh_certificates_serial_positive check (serial_number > 0),
  constraint ssh_certificates_principals check (cardinality(principals) between 1 and 256),
  constraint ssh_certificates_serial_unique unique (organization_id, serial_number)
);
create index ssh_certificates_project on ssh_certificates (project_id, created_at desc, id desc);
create index ssh_certificates_host on ssh_certificates (ssh_host_id, created_at desc) where ssh_host_id is not null;
create index ssh_certificates_revoked on ssh_certificates (ca_key_id, serial_number) where revoked_at is not null;
`,
);
