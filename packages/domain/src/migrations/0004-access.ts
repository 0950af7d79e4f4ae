import { migration } from './migration.ts';

/** Groups, additional privileges, and in one place who belongs where. */
export const m0004Access = migration(
  '0004-access',
  `
create table groups (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  name text not null,
  slug text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint groups_name_unique unique (organization_id, name),
  constraint groups_slug_unique unique (organization_id, slug)
);

-- A membership is held by a user, an identity, or a group for all who are in it. Who has one of its own is its actor.
alter table memberships add column group_id uuid references groups on delete cascade;
alter table memberships add column actor_id uuid generated always as (coalesce(user_id, identity_id)) stored;
alter table memberships drop constraint memberships_one_actor;
alter table memberships add constraint memberships_one_holder check (num_nonnulls(user_id, identity_id, group_id) = 1);
create unique index memberships_group_unique on memberships (group_id, organization_id, project_id) nulls not distinct where group_id is not null;
create index memberships_actor on memberships (actor_id, organization_id, project_id) where actor_id is not null;
create index memberships_invitation on memberships (invite_hash) where invite_hash is not null;
create index membership_roles_admins on membership_roles (organization_id, membership_id) where role = 'admin' and not is_temporary;

-- Who is in a group, by the membership of the organization: who leaves the organization leaves its groups.
create table group_members (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  group_id uuid not null references groups on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  actor_id uuid not null,
  created_at timestamptz(3) not null default now(),
  constraint group_members_unique unique (group_id, actor_id)
);
create index group_members_actor on group_members (actor_id, organization_id);
create index group_members_membership on group_members (membership_id);

-- Rules that one member of a project has beside its roles.
create table additional_privileges (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  project_id uuid not null references projects on delete cascade,
  membership_id uuid not null references memberships on delete cascade,
  slug text not null,
  permissions jsonb not null,
  is_temporary boolean not null default false,
  temporary_mode text,
  temporary_range text,
  temporary_access_start_time timestamptz(3),
  temporary_access_end_time timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  constraint additional_privileges_slug_unique unique (membership_id, slug)
);
create index additional_privileges_project on additional_privileges (project_id);

-- Who belongs where now, by itself or by a group, and through which membership. None but accepted, active memberships
-- count, and everywhere only those of actors who are active members of the organization. What asks for anybody's
-- access asks this view, so that no question forgets a part of it.
create view effective_memberships as
  select h.organization_id, h.project_id, h.actor_id, h.membership_id, h.group_id
  from (
    select m.organization_id, m.project_id, m.actor_id, m.id as membership_id, null::uuid as group_id
    from memberships m where m.actor_id is not null and m.status = 'accepted' and m.is_active
    union all
    select m.organization_id, m.project_id, g.actor_id, m.id, m.group_id
    from group_members g join memberships m on m.group_id = g.group_id where m.status = 'accepted' and m.is_active
  ) h
  where exists (
    select 1 from memberships o
    where o.actor_id = h.actor_id and o.organization_id = h.organization_id and o.project_id is null
      and o.status = 'accepted' and o.is_active
  );
`,
);
