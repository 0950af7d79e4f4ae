import { migration } from './migration.ts';

/** The slugs that projects had before, which no other project gets for a while: machines name projects by slug. */
export const m0052FormerProjectSlugs = migration(
  '0052-former-project-slugs',
  `
-- The project may be gone.
create table former_project_slugs (
  organization_id uuid not null references organizations on delete cascade,
  slug text not null,
  project_id uuid not null,
  reserved_until timestamptz not null,
  primary key (organization_id, slug)
);
`,
);
