import { migration } from './migration.ts';

/** What certificates may contain (policies), and by which authority and protocol clients get them (profiles). */
export const m0017CertificateProfiles = migration(
  '0017-certificate-profiles',
  `
create table certificate_policies (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text,
  -- As published: subject, sans, keyUsages, extendedKeyUsages, algorithms, validity, basicConstraints.
  rules jsonb not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificate_policies_name_unique unique (project_id, name)
);
create index certificate_policies_organization on certificate_policies (organization_id);

create table certificate_profiles (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  -- Absent where what is issued signs itself.
  ca_id uuid references certificate_authorities on delete cascade,
  certificate_policy_id uuid not null references certificate_policies on delete restrict,
  slug text not null,
  description text,
  enrollment_type text not null,
  issuer_type text not null default 'ca',
  -- Of the chosen enrolment type.
  config jsonb not null default '{}',
  defaults jsonb,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint certificate_profiles_slug_unique unique (project_id, slug),
  constraint certificate_profiles_enrollment_type check (enrollment_type in ('api', 'est', 'acme', 'scep')),
  constraint certificate_profiles_issuer_type check (issuer_type in ('ca', 'self-signed')),
  constraint certificate_profiles_issuer check ((issuer_type = 'ca') = (ca_id is not null))
);
create index certificate_profiles_organization on certificate_profiles (organization_id);
create index certificate_profiles_ca on certificate_profiles (ca_id);
create index certificate_profiles_policy on certificate_profiles (certificate_policy_id);
alter table certificates add constraint certificates_of_profile foreign key (profile_id)
  references certificate_profiles on delete set null;

-- What was asked for by a profile. Authorities here answer at once: there is one for each certificate.
create table certificate_requests (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  profile_id uuid references certificate_profiles on delete set null,
  certificate_id uuid not null references certificates on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint certificate_requests_certificate_unique unique (certificate_id)
);
create index certificate_requests_project on certificate_requests (project_id, created_at desc);
create index certificate_requests_profile on certificate_requests (profile_id);
`,
);
