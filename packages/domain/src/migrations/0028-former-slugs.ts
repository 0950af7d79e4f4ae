import { migration } from './migration.ts';

/**
 * The slugs that environments and tags had before. Rules name slugs, so an older version of a secret is authorized by
 * those of the time when it was written.
 */
export const m0028FormerSlugs = migration(
  '0028-former-slugs',
  `
-- The thing had the slug up to this revision of its project, included. A tag may be gone.
create table former_slugs (
  thing_id uuid not null,
  until_revision bigint not null,
  organization_id uuid not null,
  project_id uuid not null references projects on delete cascade,
  slug text not null,
  primary key (thing_id, until_revision)
);
create index former_slugs_project on former_slugs (project_id);

-- The slug that an environment or tag had at a revision, where it has another one now or is gone.
create function former_slug(thing uuid, revision bigint) returns text language sql stable as $$
  select slug from former_slugs where thing_id = thing and until_revision >= revision order by until_revision limit 1
$$;

-- Deferred: it runs after the transaction has taken its revision, which is the first one without the old slug.
create function note_former_slug() returns trigger language plpgsql as $$
begin
  insert into former_slugs (thing_id, until_revision, organization_id, project_id, slug)
  select old.id, r.revision - 1, old.organization_id, old.project_id, old.slug
  from project_revisions r join projects p on p.id = r.project_id where r.project_id = old.project_id
  on conflict do nothing;
  return null;
end $$;
create constraint trigger environments_former_slug after update of slug on environments deferrable initially deferred
  for each row when (old.slug is distinct from new.slug) execute function note_former_slug();
create constraint trigger tags_former_slug after update of slug on tags deferrable initially deferred
  for each row when (old.slug is distinct from new.slug) execute function note_former_slug();
create constraint trigger tags_deleted_slug after delete on tags deferrable initially deferred
  for each row execute function note_former_slug();
`,
);
