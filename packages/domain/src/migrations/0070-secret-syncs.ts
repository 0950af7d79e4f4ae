import { migration } from './migration.ts';

/**
 * Syncs with a name, beside those that were made as integrations. Besides syncing, they import from their target and remove
 * what they have written there, when somebody asks for it.
 */
export const m0070SecretSyncs = migration(
  '0070-secret-syncs',
  `
alter table secret_syncs
  add column name text,
  add column description text,
  add column version integer not null default 1,
  -- Whether it follows changes of its source.
  add column is_auto_sync_enabled boolean not null default true,
  -- Whether only what was requested below is due, and no sync.
  add column skips_sync boolean not null default false,
  -- The behavior of a requested import; null where there is none.
  add column import_requested text,
  add column is_imported boolean,
  add column import_message text,
  add column last_imported_at timestamptz(3),
  add column last_import_job_id text,
  add column remove_requested boolean not null default false,
  add column is_removed boolean,
  add column remove_message text,
  add column last_removed_at timestamptz(3),
  add column last_remove_job_id text,
  add constraint secret_syncs_kind check ((given is null) <> (name is null));
create unique index secret_syncs_name_unique on secret_syncs (project_id, name) where name is not null;
`,
);
