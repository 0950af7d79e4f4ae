import { migration } from './migration.ts';

/** Refresh tokens rotate: each refresh replaces the token, and an old one that is shown again ends the session. */
export const m0032RefreshRotation = migration(
  '0032-refresh-rotation',
  `
alter table user_sessions
  -- The hash of what all refresh tokens of the session have in common; null until the first rotation of a session that
  -- the release before opened.
  add column refresh_family_hash bytea,
  -- The token that the present one replaced, and when.
  add column previous_refresh_hash bytea,
  add column refreshed_at timestamptz(3),
  -- With the replaced token, makes the present one again.
  add column refresh_nonce text;
create unique index user_sessions_family on user_sessions (refresh_family_hash) where refresh_family_hash is not null;
`,
);
