import { migration } from './migration.ts';

/**
 * Tables with names of the glossary. The old names stay as views for the release before this one, which reads and writes
 * through them while both run.
 */
export const m0051StandardNames = migration(
  '0051-standard-names',
  `
alter table pki_alert_tellings rename to pki_alert_notifications;
alter table pki_alert_notifications rename column thing_id to item_id;
alter table pki_alert_notifications rename column about to event_at;
alter index pki_alert_tellings_pkey rename to pki_alert_notifications_pkey;
alter table pki_alert_notifications rename constraint pki_alert_tellings_alert_id_fkey to pki_alert_notifications_alert_id_fkey;
create view pki_alert_tellings as
  select alert_id, item_id as thing_id, event_at as about, organization_id from pki_alert_notifications;

alter table departed_environments rename to deleted_environments;
alter index departed_environments_pkey rename to deleted_environments_pkey;
alter index departed_environments_root rename to deleted_environments_root;
alter index departed_environments_project rename to deleted_environments_project;
alter table deleted_environments rename constraint departed_environments_project_id_fkey to deleted_environments_project_id_fkey;
create view departed_environments as
  select environment_id, organization_id, project_id, root_folder_id, slug, name, deleted_at, revision, imports
  from deleted_environments;
`,
);
