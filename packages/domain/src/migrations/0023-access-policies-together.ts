import { migration } from './migration.ts';

/** All access policies that cover some of what is asked for apply together. */
export const m0023AccessPoliciesTogether = migration(
  '0023-access-policies-together',
  `
-- Every policy that a request has to satisfy, the one that it was made under first; null where that is the only one.
alter table access_approval_requests add column policy_ids uuid[];
`,
);
