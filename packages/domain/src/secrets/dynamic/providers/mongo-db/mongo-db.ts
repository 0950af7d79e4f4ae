import type { Document } from 'bson';
import { z } from 'zod';
import {
  MAJORITY,
  MongoFault,
  openMongo,
  outcomeOf,
  saslPrep,
  USER_NOT_FOUND,
  type MongoSession,
} from '../../../../apps/mongo-db/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { Inputs, PORT } from './inputs.ts';

/** Of the user that creates the users. */
const LOGIN_DATABASE = 'admin';

const portOf = ({ port = PORT }: Pick<Inputs, 'port'>): number => port;

/** Users of a MongoDB. */
export const mongoDb = defineProvider({
  type: 'mongo-db',
  title: 'MongoDB',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 64, alphabet: /[A-Za-z0-9_.-]/ }),
  target: (inputs) => `mongodb://${inputs.host}:${portOf(inputs)}/${inputs.database}`,
  logins: {
    apps: ['mongodb'],
    of: ({ username, ...inputs }) => [
      {
        app: 'mongodb',
        credentials: {
          method: 'username-and-password',
          ...{ host: inputs.host, port: portOf(inputs), database: LOGIN_DATABASE, username },
        },
      },
    ],
  },
  validate({ password }) {
    try {
      saslPrep(password);
    } catch {
      throw badRequest('mongo_db.password', 'password has invalid characters');
    }
  },
  async check(inputs, io) {
    const { username, host, database } = inputs;
    const missing = missingRights(await run(inputs, io, { connectionStatus: 1, showPrivileges: true }), database);
    if (missing.length > 0)
      throw badRequest(
        'mongo_db.rights',
        `${username} lacks the permission to ${missing.join(', ')} on ${database} of ${host}`,
      );
  },
  prepare: (_inputs, { username }) => username,
  async issue(inputs, lease, io) {
    const password = io.password();
    await run(inputs, io, { createUser: lease.entityId, pwd: password, roles: inputs.roles, ...knownUntil(lease) });
    return { DB_USERNAME: lease.entityId, DB_PASSWORD: password };
  },
  // Only informational: MongoDB does not expire users.
  async renew(inputs, lease, io) {
    await run(inputs, io, { updateUser: lease.entityId, ...knownUntil(lease) });
  },
  async revoke(inputs, lease, io) {
    await run(inputs, io, { dropUser: lease.entityId, writeConcern: MAJORITY }, USER_NOT_FOUND);
  },
});

const knownUntil = ({ expireAt }: LeaseOf) => ({ customData: { madeBy: 'coffer', expireAt }, writeConcern: MAJORITY });

const Status = z.object({
  authInfo: z.object({
    authenticatedUserPrivileges: z.array(
      z.object({
        resource: z.object({ db: z.string().optional(), anyResource: z.boolean().optional() }),
        actions: z.array(z.string()),
      }),
    ),
  }),
});

/** The missing privileges on the database. */
function missingRights(status: Document, database: string): string[] {
  const { data } = Status.safeParse(status);
  // Older servers do not list privileges: errors then occur on use.
  if (!data) return [];
  const there = data.authInfo.authenticatedUserPrivileges
    .filter(({ resource }) => resource.anyResource === true || resource.db === '' || resource.db === database)
    .flatMap(({ actions }) => actions);
  if (there.includes('anyAction')) return [];
  return ['createUser', 'changeCustomData', 'dropUser'].filter((action) => !there.includes(action));
}

/** Runs one command in the database of the users. `expected` is an error to ignore. */
const run = (inputs: Inputs, io: ProviderIo, command: Document, expected?: number): Promise<Document> =>
  io.usePooled<MongoSession, Document>(
    (lasting) => openMongo({ ...inputs, port: portOf(inputs), authSource: LOGIN_DATABASE }, lasting),
    async (session) => {
      try {
        return await session.run(inputs.database, command);
      } catch (error) {
        if (!(error instanceof MongoFault)) throw error;
        if (error.code === expected) return {};
        throw outcomeOf(inputs.host, error);
      }
    },
  );
