import { migration } from './migration.ts';

/** Certificate authorities with their keys and certificates, what they issue, and the templates that bound it. */
export const m0015Certificates = migration(
  '0015-certificates',
  `
create table certificate_authorities (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  friendly_name text not null default '',
  type text not null,
  status text not null,
  -- Whether it issues without a template or profile.
  enable_direct_issuance boolean not null default true,
  subject jsonb not null,
  dn text not null,
  key_algorithm text not null,
  -- How many authorities may stand below it; null for any number.
  max_path_length integer,
  name_constraints jsonb,
  -- The authority of this project that signed it, where one did.
  parent_ca_id uuid references certificate_authorities on delete set null,
  -- What it works with now; both absent until it has a certificate.
  active_key_id uuid,
  active_certificate_id uuid,
  -- Of the active certificate.
  serial_number text,
  not_before timestamptz(3),
  not_after timestamptz(3),
  auto_renew_days integer,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificate_authorities_name_unique unique (project_id, name),
  constraint certificate_authorities_type check (type in ('root', 'intermediate')),
  constraint certificate_authorities_status check (status in ('active', 'disabled', 'pending-certificate'))
);
create index certificate_authorities_organization on certificate_authorities (organization_id);

-- A renewal with a new key adds one. Each has a revocation list of its own, for the certificates that it signed.
create table ca_keys (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  ca_id uuid not null references certificate_authorities on delete cascade,
  -- PKCS #8, sealed.
  private_key bytea not null,
  -- SubjectPublicKeyInfo.
  public_key bytea not null,
  key_id bytea not null,
  created_at timestamptz(3) not null default now()
);
create index ca_keys_ca on ca_keys (ca_id);

create table ca_certificates (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  ca_id uuid not null references certificate_authorities on delete cascade,
  ca_key_id uuid not null references ca_keys on delete cascade,
  version integer not null,
  body bytea not null,
  -- PEM of those above it, the nearest first; empty for a root.
  chain text not null default '',
  serial_number text not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  created_at timestamptz(3) not null default now(),
  constraint ca_certificates_version_unique unique (ca_id, version)
);
alter table certificate_authorities
  add constraint certificate_authorities_key foreign key (active_key_id) references ca_keys deferrable initially deferred,
  add constraint certificate_authorities_certificate foreign key (active_certificate_id) references ca_certificates
    deferrable initially deferred;

create table certificate_templates (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  ca_id uuid not null references certificate_authorities on delete cascade,
  pki_collection_id uuid,
  name text not null,
  common_name text not null,
  subject_alternative_name text not null,
  ttl text not null,
  key_usages text[] not null default '{}',
  extended_key_usages text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificate_templates_name_unique unique (project_id, name)
);
create index certificate_templates_ca on certificate_templates (ca_id);

-- What was signed here, and what was brought along (without an authority of ours). Rows of an authority stay as long as it.
create table certificates (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  ca_id uuid references certificate_authorities on delete cascade,
  -- The authority's at that time, which stay as long as it does.
  ca_certificate_id uuid,
  ca_key_id uuid,
  certificate_template_id uuid references certificate_templates on delete set null,
  profile_id uuid,
  pki_subscriber_id uuid,
  status text not null default 'active',
  serial_number text not null,
  friendly_name text not null default '',
  common_name text not null default '',
  -- Comma-separated, as published.
  alt_names text,
  -- The same with their kinds: [{type, value}].
  names jsonb not null default '[]',
  subject jsonb not null,
  not_before timestamptz(3) not null,
  not_after timestamptz(3) not null,
  revoked_at timestamptz(3),
  -- RFC 5280, section 5.3.1.
  revocation_reason integer,
  key_usages text[],
  extended_key_usages text[],
  key_algorithm text not null,
  signature_algorithm text not null,
  is_ca boolean not null default false,
  body bytea not null,
  -- PEM of those above an imported one; of the others, the authority's certificate says it.
  chain text not null default '',
  fingerprint_sha256 bytea not null,
  -- PKCS #8, sealed; absent where the key was made elsewhere.
  private_key bytea,
  -- What the linter said before it was signed.
  lint jsonb not null default '[]',
  -- How it came to be: issue, sign, acme, est, subscriber, import.
  source text not null,
  renewed_from_id uuid references certificates on delete set null,
  renew_before_days integer,
  -- Why it could not be renewed by itself, and when that was tried last.
  renewal_error text,
  renewal_failed_at timestamptz(3),
  metadata jsonb not null default '[]',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificates_serial_unique unique (ca_id, serial_number),
  constraint certificates_status check (status in ('active', 'revoked'))
);
create index certificates_project on certificates (project_id, created_at desc);
create index certificates_serial on certificates (organization_id, serial_number);
create index certificates_ends on certificates (not_after) where status = 'active';
create index certificates_revoked on certificates (ca_key_id, revoked_at) where status = 'revoked';
create unique index certificates_fingerprint_unique on certificates (organization_id, fingerprint_sha256, project_id);
-- What was renewed once is not renewed again: what came of it is.
create unique index certificates_renewed_from_unique on certificates (renewed_from_id) where renewed_from_id is not null;
create index certificates_renewals on certificates (not_after)
  where renew_before_days is not null and status = 'active';
create index certificates_profile on certificates (profile_id, created_at desc) where profile_id is not null;
create index certificates_template on certificates (certificate_template_id) where certificate_template_id is not null;
`,
);
