import { migration } from './migration.ts';

/** The last colors of tags that are deleted, with which they are created again. */
export const m0136FormerTagColors = migration(
  '0136-former-tag-colors',
  `
-- Absent for environments, and for tags that were deleted before this release.
alter table former_slugs add column color text;
create or replace function note_former_slug() returns trigger language plpgsql as $$
begin
  insert into former_slugs (thing_id, until_revision, organization_id, project_id, slug, color)
  select old.id, r.revision - 1, old.organization_id, old.project_id, old.slug, to_jsonb(old) ->> 'color'
  from project_revisions r join projects p on p.id = r.project_id where r.project_id = old.project_id
  on conflict do nothing;
  return null;
end $$;
`,
);
