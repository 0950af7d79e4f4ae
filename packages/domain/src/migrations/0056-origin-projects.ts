import { migration } from './migration.ts';

/**
 * Copied credentials keep the projects that they come from: their integrations are compared with those of these
 * projects. Also copies that the previous release makes.
 */
export const m0056OriginProjects = migration(
  '0056-origin-projects',
  `
alter table app_connections add column origin_project_ids uuid[] not null default '{}';

-- Unknown where the original was deleted.
update app_connections c set origin_project_ids = array[o.project_id]
from app_connections o
where c.given ? 'origin' and o.id::text = c.given ->> 'origin' and o.organization_id = c.organization_id;

create function note_origin_project() returns trigger language plpgsql as $$
begin
  new.origin_project_ids := coalesce(
    (select array[o.project_id] from app_connections o
     where o.id = (new.given ->> 'origin')::uuid and o.organization_id = new.organization_id),
    '{}');
  return new;
end $$;
create trigger app_connections_origin_project before insert on app_connections
  for each row when (new.given ? 'origin' and new.origin_project_ids = '{}') execute function note_origin_project();
`,
);
