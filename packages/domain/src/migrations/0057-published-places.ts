import { migration } from './migration.ts';

/**
 * Syncs keep the places that their items and their message may name, and the last path of a source folder that is
 * deleted: also where the previous release renames and deletes it.
 */
export const m0057PublishedPlaces = migration(
  '0057-published-places',
  `
-- Pairs of environment ID and path. Null if they are unknown: for syncs that the previous release has run.
alter table secret_syncs add column named_places jsonb;

create function keep_source_path() returns trigger language plpgsql as $$
begin
  update secret_syncs set secret_path = old.path where folder_id = old.id;
  return old;
end $$;
create trigger folders_source_path before delete on folders
  for each row when (not old.is_reserved) execute function keep_source_path();
`,
);
