import { migration } from './migration.ts';

/** SSH hosts and host groups, and who may log in where. */
export const m0065SshHosts = migration(
  '0065-ssh-hosts',
  `
create table ssh_hosts (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  hostname text not null,
  alias text,
  -- As they were given (8h).
  user_cert_ttl text not null,
  host_cert_ttl text not null,
  -- Absent where the host takes those of its groups, or the default of its project.
  principal_mode text,
  user_ssh_ca_id uuid,
  host_ssh_ca_id uuid,
  -- Of which certificates are renewed.
  host_public_key text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ssh_hosts_hostname_unique unique (project_id, hostname),
  constraint ssh_hosts_alias_unique unique (project_id, alias),
  -- Looked at when the transaction ends: the deletion of a project deletes its authorities first.
  constraint ssh_hosts_user_ca foreign key (user_ssh_ca_id) references ssh_certificate_authorities
    deferrable initially deferred,
  constraint ssh_hosts_host_ca foreign key (host_ssh_ca_id) references ssh_certificate_authorities
    deferrable initially deferred,
  constraint ssh_hosts_principal_mode check (principal_mode in ('login-user', 'host-bound'))
);
create index ssh_hosts_organization on ssh_hosts (organization_id);
create index ssh_hosts_of_user_ca on ssh_hosts (user_ssh_ca_id) where user_ssh_ca_id is not null;
create index ssh_hosts_of_host_ca on ssh_hosts (host_ssh_ca_id) where host_ssh_ca_id is not null;

create table ssh_host_groups (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  name text not null,
  principal_mode text,
  user_ssh_ca_id uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint ssh_host_groups_name_unique unique (project_id, name),
  constraint ssh_host_groups_user_ca foreign key (user_ssh_ca_id) references ssh_certificate_authorities
    deferrable initially deferred,
  constraint ssh_host_groups_principal_mode check (principal_mode in ('login-user', 'host-bound'))
);
create index ssh_host_groups_organization on ssh_host_groups (organization_id);
create index ssh_host_groups_of_user_ca on ssh_host_groups (user_ssh_ca_id) where user_ssh_ca_id is not null;

create table ssh_host_group_memberships (
  id uuid primary key,
  organization_id uuid not null,
  ssh_host_group_id uuid not null references ssh_host_groups on delete cascade,
  ssh_host_id uuid not null references ssh_hosts on delete cascade,
  created_at timestamptz(3) not null default now(),
  constraint ssh_host_group_memberships_unique unique (ssh_host_id, ssh_host_group_id)
);
create index ssh_host_group_memberships_group on ssh_host_group_memberships (ssh_host_group_id);

-- A login user of a host, or of all hosts of a group.
create table ssh_login_users (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  ssh_host_id uuid references ssh_hosts on delete cascade,
  ssh_host_group_id uuid references ssh_host_groups on delete cascade,
  login_user text not null,
  constraint ssh_login_users_place check (num_nonnulls(ssh_host_id, ssh_host_group_id) = 1),
  constraint ssh_login_users_host_unique unique (ssh_host_id, login_user),
  constraint ssh_login_users_group_unique unique (ssh_host_group_id, login_user)
);

-- Who may log in as it: a member of the project, or all in a group that is one. It ends with the membership, and a later
-- membership does not bring it back.
create table ssh_login_mappings (
  id uuid primary key,
  organization_id uuid not null,
  project_id uuid not null,
  login_user_id uuid not null references ssh_login_users on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  constraint ssh_login_mappings_unique unique (login_user_id, membership_id)
);
create index ssh_login_mappings_membership on ssh_login_mappings (membership_id);
create index ssh_login_mappings_project on ssh_login_mappings (project_id);

alter table ssh_certificates add constraint ssh_certificates_host foreign key (ssh_host_id)
  references ssh_hosts on delete set null;

-- What holds for each host: its own settings, else those of its groups, which agree, else those of the project. Hosts with
-- one login domain accept the same certificates: those of one authority, unless certificates name the host.
create view ssh_host_settings as
  select s.*, case when s.principal_mode = 'host-bound' then 'host:' || s.ssh_host_id
    else 'ca:' || coalesce(s.user_ssh_ca_id::text, '') end as login_domain
  from (
    select h.id as ssh_host_id, h.organization_id, h.project_id, h.hostname,
      coalesce(h.principal_mode, g.principal_mode, 'login-user') as principal_mode,
      coalesce(h.user_ssh_ca_id, g.user_ssh_ca_id, c.default_user_ca_id) as user_ssh_ca_id,
      coalesce(h.host_ssh_ca_id, c.default_host_ca_id) as host_ssh_ca_id
    from ssh_hosts h
    left join ssh_project_configs c on c.project_id = h.project_id
    left join lateral (
      select min(g.principal_mode) as principal_mode, min(g.user_ssh_ca_id::text)::uuid as user_ssh_ca_id
      from ssh_host_group_memberships m cross join lateral (
        select g.principal_mode, g.user_ssh_ca_id from ssh_host_groups g where g.id = m.ssh_host_group_id offset 0
      ) g where m.ssh_host_id = h.id
    ) g on true
  ) s;

-- The membership that may log in on a host, and where that was said. What asks who may log in asks this view.
create view ssh_logins as
  select m.organization_id, m.project_id, m.membership_id, u.login_user, u.ssh_host_group_id, h.ssh_host_id
  from ssh_login_mappings m
  cross join lateral (
    select u.login_user, u.ssh_host_id, u.ssh_host_group_id from ssh_login_users u where u.id = m.login_user_id offset 0
  ) u
  cross join lateral (
    select u.ssh_host_id where u.ssh_host_id is not null
    union all
    select g.ssh_host_id from ssh_host_group_memberships g where g.ssh_host_group_id = u.ssh_host_group_id
    offset 0
  ) h;

-- By which the newest certificate of a host is found, and the certificates of logins that may have ended.
create index ssh_certificates_newest_of_host on ssh_certificates (ssh_host_id, created_at desc, id desc)
  where cert_type = 'host' and ssh_host_id is not null;
create index ssh_certificates_of_logins on ssh_certificates (not_after)
  where cert_type = 'user' and ssh_host_id is not null and revoked_at is null;
`,
);
