import { migration } from './migration.ts';

/** Machine identities that belong to one project. */
export const m0007ProjectIdentities = migration(
  '0007-project-identities',
  `
-- The project that an identity belongs to and ends with; null for those of the organization.
alter table identities add column project_id uuid references projects on delete cascade;
create index identities_project on identities (project_id, name) where project_id is not null;

-- Such an identity is in no other project, neither by itself nor by a group, whoever writes the row.
create function keep_identity_in_its_project() returns trigger language plpgsql as $$
begin
  raise exception 'identity of another project' using errcode = 'check_violation', constraint = 'identities_of_one_project';
end $$;
create function is_identity_of_another_project(identity_id uuid, project_id uuid) returns boolean language sql stable
return exists (select 1 from identities i where i.id = $1 and i.project_id is distinct from $2 and i.project_id is not null);

create trigger memberships_identity_of_one_project before insert or update of identity_id, project_id on memberships
  for each row when (new.identity_id is not null and new.project_id is not null
    and is_identity_of_another_project(new.identity_id, new.project_id))
  execute function keep_identity_in_its_project();
create trigger group_members_identity_of_one_project before insert or update of actor_id on group_members
  for each row when (is_identity_of_another_project(new.actor_id, null))
  execute function keep_identity_in_its_project();
`,
);
