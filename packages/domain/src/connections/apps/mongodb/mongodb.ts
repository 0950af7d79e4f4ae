import type { Document } from 'bson';
import { MongoFault, openMongo, outcomeOf } from '../../../apps/mongo-db/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { databaseFields } from '../../sql-database.ts';

/** Runs a command in the database of the connection. `expected` is the code of an error to ignore. */
export type MongoAccess = (command: Document, expected?: number) => Promise<Document>;

export const mongodb = defineConnector({
  app: 'mongodb',
  title: 'MongoDB',
  methods: { 'username-and-password': { credentials: databaseFields(27_017) } },
  systemOf: ({ host, port, database }) => ({ name: `${host.replace(/\.$/, '')}:${port}/${database}` }),
  connect:
    ({ sslEnabled, sslCertificate, database, ...server }, remote): MongoAccess =>
    async (command, expected) => {
      const ca = sslEnabled ? sslCertificate : null;
      const session = await openMongo({ ...server, authSource: database, ca, isSecure: sslEnabled }, remote);
      try {
        return await session.client.run(database, command);
      } catch (error) {
        if (!(error instanceof MongoFault)) throw error;
        if (error.code === expected) return {};
        throw outcomeOf(server.host, error);
      } finally {
        session.close();
      }
    },
  check: async (run) => void (await run({ connectionStatus: 1, showPrivileges: false })),
});
