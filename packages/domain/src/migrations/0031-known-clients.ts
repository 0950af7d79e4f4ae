import { migration } from './migration.ts';

/**
 * Clients that have logged in as a subject: devices of people, addresses of machines. Guesses that others make do not
 * delay them.
 */
export const m0031KnownClients = migration(
  '0031-known-clients',
  `
create table known_clients (
  subject text not null,
  client text not null,
  last_seen_at timestamptz(3) not null,
  primary key (subject, client)
);
create index known_clients_last_seen on known_clients (last_seen_at);
`,
);
