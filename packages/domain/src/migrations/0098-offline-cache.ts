import { migration } from './migration.ts';

/** For how long command lines may use what they have read while the server is unreachable, in seconds; 0: not at all. */
export const m0098OfflineCache = migration(
  '0098-offline-cache',
  `
alter table projects add column offline_cache_max_age integer not null default 0
  constraint projects_offline_cache_max_age_range check (offline_cache_max_age between 0 and 2592000);
`,
);
