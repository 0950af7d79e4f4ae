import { migration } from './migration.ts';

/** How clients enrol by EST on a certificate template or a certificate profile. */
export const m0020Est = migration(
  '0020-est',
  `
create table est_configs (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  -- One of the two.
  certificate_template_id uuid references certificate_templates on delete cascade,
  profile_id uuid references certificate_profiles on delete cascade,
  is_enabled boolean not null default true,
  -- argon2id.
  passphrase text not null,
  -- Whether those who enrol for the first time need no certificate.
  disable_bootstrap_cert_validation boolean not null default false,
  -- PEM of the authorities of the certificates with which others enrol for the first time.
  ca_chain text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint est_configs_template_unique unique (certificate_template_id),
  constraint est_configs_profile_unique unique (profile_id),
  constraint est_configs_target check (num_nonnulls(certificate_template_id, profile_id) = 1)
);
create index est_configs_organization on est_configs (organization_id);
create index est_configs_project on est_configs (project_id);
`,
);
