import { migration } from './migration.ts';

/** Machine identities are found by a part of their name, without an extension of PostgreSQL. */
export const m0066NameFragments = migration(
  '0066-name-fragments',
  `
-- All parts of three characters of a name in lower case, each with the organization: a name that contains a text has all fragments of it.
create function name_fragments(organization_id uuid, name text) returns text[] language sql immutable parallel safe
return (
  select coalesce(array_agg(distinct organization_id::text || substr(lower(name), n, 3)), '{}')
  from generate_series(1, length(lower(name)) - 2) n
);
create index identities_fragments on identities using gin (name_fragments(organization_id, name));
`,
);
