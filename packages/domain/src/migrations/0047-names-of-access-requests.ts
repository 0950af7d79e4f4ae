import { migration } from './migration.ts';

/** What the names in an access request stood for when it was made; null for requests of earlier releases. */
export const m0047NamesOfAccessRequests = migration(
  '0047-names-of-access-requests',
  `
alter table access_approval_requests add column places jsonb;
`,
);
