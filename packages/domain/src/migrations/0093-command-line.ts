import { migration } from './migration.ts';

/** Logins of the command line through a browser: their codes, and sessions with a name. */
export const m0093CommandLine = migration(
  '0093-command-line',
  `
-- What uses the session, where it is not the browser that it was opened in.
alter table user_sessions add column name text;

create table command_line_codes (
  hash bytea primary key,
  -- The session in which the user agreed.
  session_id uuid not null references user_sessions (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  organization_id uuid not null references organizations (id) on delete cascade,
  -- SHA-256 of the verifier that only the command line has.
  challenge bytea not null,
  expires_at timestamptz(3) not null
);
create index command_line_codes_session on command_line_codes (session_id);
create index command_line_codes_user on command_line_codes (user_id);
create index command_line_codes_organization on command_line_codes (organization_id);
`,
);
