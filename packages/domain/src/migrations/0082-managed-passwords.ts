import { migration } from './migration.ts';

/** Connections whose password Coffer has changed to one that nobody else knows. */
export const m0082ManagedPasswords = migration(
  '0082-managed-passwords',
  `
alter table app_connections
  add column is_platform_managed boolean not null default false,
  -- The credentials with the next password, sealed: stored before the app gets it, which may have it by now.
  add column next_credentials bytea;
`,
);
