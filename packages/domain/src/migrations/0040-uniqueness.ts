import { migration } from './migration.ts';

/** What was looked for before a write, and is now a constraint: two writers at once both saw nothing. */
export const m0040Uniqueness = migration(
  '0040-uniqueness',
  `
update environments e set position = n.position
from (select id, row_number() over (partition by project_id order by position, created_at, id) as position from environments) n
where n.id = e.id and n.position <> e.position;
alter table environments add constraint environments_position_unique unique (project_id, position) deferrable initially deferred;

-- Of several imports the highest position wins: the others of one source never showed anything.
delete from secret_imports i using secret_imports higher
where higher.folder_id = i.folder_id and higher.import_environment_id = i.import_environment_id
  and higher.import_path = i.import_path and higher.position > i.position and not higher.is_reserved and not i.is_reserved;
create unique index secret_imports_source_unique on secret_imports (folder_id, import_environment_id, import_path)
  where not is_reserved;

update pki_alert_channels c set position = n.position
from (select id, row_number() over (partition by alert_id order by position, id) - 1 as position from pki_alert_channels) n
where n.id = c.id and n.position <> c.position;
alter table pki_alert_channels add constraint pki_alert_channels_position_unique unique (alert_id, position) deferrable initially deferred;
`,
);
