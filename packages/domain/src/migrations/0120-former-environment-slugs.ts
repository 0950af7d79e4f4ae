import { migration } from './migration.ts';

/** The slugs that environments had before, which no other environment of the project gets for a while: machines name environments by slug. */
export const m0120FormerEnvironmentSlugs = migration(
  '0120-former-environment-slugs',
  `
-- The environment may be gone.
create table former_environment_slugs (
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  environment_id uuid not null,
  -- Who renamed or deleted the environment. Absent for those that were deleted before this release.
  actor_id uuid,
  reserved_until timestamptz not null,
  primary key (organization_id, project_id, slug)
);
create index former_environment_slugs_project on former_environment_slugs (project_id);
insert into former_environment_slugs (organization_id, project_id, slug, environment_id, reserved_until)
select distinct on (organization_id, project_id, slug) organization_id, project_id, slug, environment_id, deleted_at + interval '30 days'
from deleted_environments order by organization_id, project_id, slug, deleted_at desc;
`,
);
