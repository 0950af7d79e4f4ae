import { migration } from './migration.ts';

/** How many messages an organization, or the alerts of a project, have sent on a day to addresses that members choose. */
export const m0107MailCounts = migration(
  '0107-mail-counts',
  `
create table mail_counts (
  organization_id uuid not null references organizations (id) on delete cascade,
  -- Null for the organization itself.
  project_id uuid references projects (id) on delete cascade,
  day date not null,
  messages integer not null,
  constraint mail_counts_unique unique nulls not distinct (organization_id, project_id)
);
create index mail_counts_project on mail_counts (project_id) where project_id is not null;
`,
);
