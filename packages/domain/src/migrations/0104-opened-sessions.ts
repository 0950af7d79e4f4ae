import { migration } from './migration.ts';

/**
 * The session in which another one was opened, by the hash of its family of refresh tokens: it may have ended when one of them is
 * presented.
 */
export const m0104OpenedSessions = migration(
  '0104-opened-sessions',
  `
alter table user_sessions add column opener_family_hash bytea;
create index user_sessions_opener on user_sessions (opener_family_hash) where opener_family_hash is not null;
`,
);
