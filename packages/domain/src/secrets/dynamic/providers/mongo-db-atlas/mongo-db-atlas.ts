import { AtlasUsers } from '../../../../apps/mongo-db-atlas/index.ts';
import { badRequest } from '../../../../kernel/index.ts';
import { UsernameAndPassword } from '../../fields.ts';
import { defineProvider, type ProviderIo } from '../../provider.ts';
import { Inputs } from './inputs.ts';

const usersOf = ({ adminPublicKey, adminPrivateKey, groupId }: Inputs, io: ProviderIo) =>
  new AtlasUsers(io, { publicKey: adminPublicKey, privateKey: adminPrivateKey }, groupId);

/** Database users of a project of MongoDB Atlas. */
export const mongoDbAtlas = defineProvider({
  type: 'mongo-db-atlas',
  title: 'MongoDB Atlas',
  inputs: Inputs,
  data: UsernameAndPassword,
  username: () => ({ maxLength: 128, alphabet: /[A-Za-z0-9_.-]/ }),
  target: ({ groupId }) => `https://cloud.mongodb.com project ${groupId}`,
  check: (inputs, io) => usersOf(inputs, io).check(),
  prepare: (_inputs, { username }) => username,
  async issue(inputs, { entityId: username }, io) {
    const password = io.password();
    const roles = inputs.roles.map(({ collectionName, ...role }) => ({
      ...role,
      ...(collectionName && { collectionName }),
    }));
    await usersOf(inputs, io).create({ username, password, roles, scopes: inputs.scopes });
    return { DB_USERNAME: username, DB_PASSWORD: password };
  },
  async revoke(inputs, { entityId: username }, io) {
    const users = usersOf(inputs, io);
    await users.remove(username);
    if (await users.has(username))
      throw badRequest('dynamic_secret.login_left', 'The user still exists after its deletion');
  },
});
