import { migration } from './migration.ts';

/** The addresses from which a project may be used; from everywhere where none is active. */
export const m0039TrustedIps = migration(
  '0039-trusted-ips',
  `
create table trusted_ips (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  ip_address text not null,
  type text not null check (type in ('ipv4', 'ipv6')),
  prefix integer,
  is_active boolean not null,
  comment text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index trusted_ips_project on trusted_ips (project_id);
`,
);
