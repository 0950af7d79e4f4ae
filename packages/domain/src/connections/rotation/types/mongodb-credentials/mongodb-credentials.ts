import { MAJORITY, USER_NOT_FOUND } from '../../../../apps/mongo-db/index.ts';
import { makePassword } from '../../../../secrets/dynamic/index.ts';
import { mongodb } from '../../../apps/mongodb/index.ts';
import { defineRotation } from '../../rotation.ts';
import { twoLogins } from '../../two-logins.ts';

interface Login {
  readonly username: string;
  readonly password: string;
}

const setPassword = ({ username, password }: Login) => ({
  updateUser: username,
  pwd: password,
  writeConcern: MAJORITY,
});

/** The passwords of two users of a MongoDB database, in turn. */
export const mongodbCredentials = defineRotation({
  ...twoLogins((name) => name),
  type: 'mongodb-credentials',
  title: 'MongoDB Credentials',
  connector: mongodb,
  mapping: { username: 'MONGODB_USERNAME', password: 'MONGODB_PASSWORD' },
  secret: ['password'],
  async apply({ client }, { plan }) {
    await client(setPassword(plan));
    return plan;
  },
  async verify({ as }, { username, password }) {
    const run = await as({ username, password });
    await run({ connectionStatus: 1, showPrivileges: false });
  },
  // The users are not Coffer's: they stay, with passwords that nobody knows.
  async revoke({ client }, { plan: { username } }) {
    await client(setPassword({ username, password: makePassword() }), USER_NOT_FOUND);
  },
  canReconcile: true,
});
