import { migration } from './migration.ts';

/** What the names of places in a change request stood for when it was made; null for requests of earlier releases. */
export const m0044PlacesOfRequests = migration(
  '0044-places-of-requests',
  `
alter table secret_approval_requests add column places jsonb;
`,
);
