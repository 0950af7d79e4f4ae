import { migration } from './migration.ts';

/** Whom certificates are issued to again and again, with the same names, by themselves where that is wanted. */
export const m0021Subscribers = migration(
  '0021-subscribers',
  `
create table pki_subscribers (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  -- Absent where it was deleted: nothing is issued then.
  ca_id uuid references certificate_authorities on delete set null,
  name text not null,
  common_name text not null,
  status text not null,
  -- As it was given (90d).
  ttl text,
  subject_alternative_names text[] not null,
  key_usages text[] not null,
  extended_key_usages text[] not null,
  -- What the subject has besides the common name, as published.
  properties jsonb,
  enable_auto_renewal boolean not null,
  auto_renewal_period_in_days integer,
  last_auto_renew_at timestamptz(3),
  last_operation_status text,
  last_operation_message text,
  last_operation_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint pki_subscribers_name_unique unique (project_id, name),
  constraint pki_subscribers_status check (status in ('active', 'disabled')),
  constraint pki_subscribers_operation check (last_operation_status in ('success', 'failed')),
  constraint pki_subscribers_auto_renewal check (not enable_auto_renewal or auto_renewal_period_in_days is not null)
);
create index pki_subscribers_organization on pki_subscribers (organization_id);
create index pki_subscribers_ca on pki_subscribers (ca_id);
create index pki_subscribers_renewals on pki_subscribers (last_operation_at nulls first)
  where enable_auto_renewal and status = 'active';

-- Looked at when the transaction ends: what stores a certificate locks its subscriber after that.
alter table certificates add constraint certificates_subscriber foreign key (pki_subscriber_id)
  references pki_subscribers on delete set null deferrable initially deferred;
create index certificates_of_subscriber on certificates (pki_subscriber_id, created_at desc)
  where pki_subscriber_id is not null;
-- By which those that count today are found, among all that there ever were.
create index certificates_of_subscriber_ends on certificates (pki_subscriber_id, not_after)
  where pki_subscriber_id is not null and status = 'active';
`,
);
