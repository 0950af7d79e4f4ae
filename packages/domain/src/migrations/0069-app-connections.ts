import { migration } from './migration.ts';

/**
 * Connections with a name, of an organization or one of its projects, beside those that were made as integration
 * authentications. Those of an organization are sealed under its key.
 */
export const m0069AppConnections = migration(
  '0069-app-connections',
  `
alter table app_connections
  add column name text,
  add column description text,
  -- Counts the changes of the credentials.
  add column credentials_version integer not null default 1,
  alter column project_id drop not null,
  add constraint app_connections_kind check ((integration is null) <> (name is null)),
  add constraint app_connections_place check (project_id is not null or integration is null);
create unique index app_connections_name_unique on app_connections (organization_id, project_id, name)
  nulls not distinct where name is not null;
`,
);
