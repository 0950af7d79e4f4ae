/** What most people enter for a provider, to begin with. */
export const usualInputs: Readonly<Record<string, object>> = {
  'sql-database': {
    client: 'postgres',
    port: 5432,
    creationStatement:
      'create role "{{username}}" login password \'{{password}}\' valid until \'{{expiration}}\'; grant select on all tables in schema public to "{{username}}"',
    renewStatement: 'alter role "{{username}}" valid until \'{{expiration}}\'',
    revocationStatement: 'revoke all on all tables in schema public from "{{username}}"; drop role "{{username}}"',
  },
  redis: {
    port: 6379,
    creationStatement: 'ACL SETUSER {{username}} on >{{password}} ~app:* resetchannels -@all +@read +@write',
    revocationStatement: 'ACL DELUSER {{username}}',
  },
};
