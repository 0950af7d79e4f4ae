import { migration } from './migration.ts';

/**
 * What the names in a change stood for, of changes that earlier releases stored. A merged creation is found by the
 * commit of the merge, if only one secret of it has the name.
 */
export const STORED_NAMED_FOLDERS = `
update secret_approval_changes c set folder_id = (p.place ->> 'folderId')::uuid, folder_path = c.path,
  tag_slugs = array(select r.places -> 'tags' ->> t.id::text from unnest(c.tag_ids) as t (id) where r.places -> 'tags' ? t.id::text)
from secret_approval_requests r cross join lateral jsonb_array_elements(r.places -> 'places') as p (place)
where r.id = c.request_id and c.folder_id is null and p.place ->> 'folderId' is not null
  and p.place ->> 'environment' = c.environment and p.place ->> 'path' = c.path;

with merged as (
  select c.id, c.name, k.id as commit_id from secret_approval_changes c join secret_approval_requests r on r.id = c.request_id
  join commits k on k.project_id = r.project_id and k.message = 'Change request ' || r.slug
  where r.has_merged and c.kind = 'secret' and c.op = 'create' and c.created_id is null
), written as (
  select m.id, s.id as secret_id from merged m
  join secrets s on s.commit_id = m.commit_id and s.key = m.name and s.user_id is null
  union
  select m.id, s.secret_id from merged m
  join secret_versions s on s.commit_id = m.commit_id and s.key = m.name and s.user_id is null
)
update secret_approval_changes c set created_id = w.secret_id from written w
where c.id = w.id and not exists (select from written other where other.id = w.id and other.secret_id <> w.secret_id);
`;

/** The environment, folder and tags that the names in a change stood for, and the secret that it has created. */
export const m0113NamedFolders = migration(
  '0113-named-folders',
  `
alter table secret_approval_changes
  -- The deepest folder on the path that there was, and its path; null for changes of earlier releases.
  add column folder_id uuid,
  add column folder_path text collate "C",
  -- The slugs that the tags had.
  add column tag_slugs text[],
  -- The secret that a creation has written, by the merge; before that the one that is to return.
  add column created_id uuid;
${STORED_NAMED_FOLDERS}`,
);
