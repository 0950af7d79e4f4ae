import { migration } from './migration.ts';

/** Collections of certificates and authorities, and who is told before they expire. */
export const m0018CertificateCollections = migration(
  '0018-certificate-collections',
  `
create table pki_collections (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  description text not null default '',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index pki_collections_project on pki_collections (project_id);
create index pki_collections_organization on pki_collections (organization_id);

create table pki_collection_items (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  pki_collection_id uuid not null references pki_collections on delete cascade,
  certificate_id uuid references certificates on delete cascade,
  ca_id uuid references certificate_authorities on delete cascade,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_collection_items_one check (num_nonnulls(certificate_id, ca_id) = 1),
  constraint pki_collection_items_certificate_unique unique (pki_collection_id, certificate_id),
  constraint pki_collection_items_ca_unique unique (pki_collection_id, ca_id)
);
create index pki_collection_items_certificate on pki_collection_items (certificate_id) where certificate_id is not null;
create index pki_collection_items_ca on pki_collection_items (ca_id) where ca_id is not null;

alter table certificate_templates add constraint certificate_templates_collection
  foreign key (pki_collection_id) references pki_collections on delete set null;
create index certificate_templates_collection on certificate_templates (pki_collection_id)
  where pki_collection_id is not null;

create table pki_alerts (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  -- Only of what is in it, where there is one: the older kind of alert.
  pki_collection_id uuid references pki_collections on delete cascade,
  name text not null,
  description text,
  event_type text not null,
  -- As it was given (30d, 2w), and in days.
  alert_before text,
  alert_before_days integer,
  filters jsonb not null default '[]',
  enabled boolean not null default true,
  -- It tells of what happens from then on.
  since timestamptz(3) not null,
  last_run_at timestamptz(3),
  last_run_status text,
  last_run_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_alerts_event_type check (event_type in ('expiration', 'renewal', 'issuance', 'revocation'))
);
create index pki_alerts_project on pki_alerts (project_id);
create index pki_alerts_organization on pki_alerts (organization_id);
create index pki_alerts_collection on pki_alerts (pki_collection_id) where pki_collection_id is not null;

create table pki_alert_channels (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  alert_id uuid not null references pki_alerts on delete cascade,
  position integer not null,
  channel_type text not null,
  -- Sealed: addresses may be secrets themselves.
  config bytea not null,
  enabled boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_alert_channels_type check (channel_type in ('email', 'webhook', 'slack'))
);
create index pki_alert_channels_alert on pki_alert_channels (alert_id);

-- What was told, so that it is told once: a certificate or an authority, and the time that it is about.
create table pki_alert_tellings (
  alert_id uuid not null references pki_alerts on delete cascade,
  thing_id uuid not null,
  about timestamptz(3) not null,
  organization_id uuid not null,
  primary key (alert_id, thing_id, about)
);

-- What one reader has yet to be told.
create table pki_alert_deliveries (
  id uuid primary key,
  organization_id uuid not null,
  alert_id uuid not null references pki_alerts on delete cascade,
  channel_id uuid not null references pki_alert_channels on delete cascade,
  -- Of e-mail.
  recipient text,
  certificates jsonb not null,
  -- How many there are, those that are not named included.
  total integer not null,
  created_at timestamptz(3) not null
);
create index pki_alert_deliveries_alert on pki_alert_deliveries (alert_id);
create index pki_alert_deliveries_channel on pki_alert_deliveries (channel_id);
`,
);
