import { migration } from './migration.ts';

/** How often something was done on a day that is limited by its subject: a user, an organization, an e-mail address. */
export const m0116DailyCounts = migration(
  '0116-daily-counts',
  `
create table daily_counts (
  -- What is counted, and for whom; addresses are hashed.
  subject text collate "C" primary key,
  day date not null,
  uses integer not null
);
create index daily_counts_day on daily_counts (day);
`,
);
