import { z } from 'zod';
import {
  encodePassword,
  inDirectory,
  isSameDn,
  readLdif,
  renderLdif,
  type Values,
} from '../../../../apps/ldap/index.ts';
import { badRequest, unlessInvalid } from '../../../../kernel/index.ts';
import { defineProvider, type LeaseOf, type ProviderIo } from '../../provider.ts';
import { refuseIn } from '../../statement.ts';
import { Inputs } from './inputs.ts';
import { ALL, accountOf, entryOf, MAX_USERNAME, requireLifecycle, requireRotation } from './login.ts';

/** Entries of a directory, or the password of an existing one, by LDIF of the owner. */
export const ldap = defineProvider({
  type: 'ldap',
  title: 'LDAP',
  inputs: Inputs,
  data: z.object({
    DN_ARRAY: z.array(z.string()).describe('The entries that were created or changed'),
    USERNAME: z.string(),
    PASSWORD: z.string(),
  }),
  username: () => ({ maxLength: MAX_USERNAME, alphabet: /[A-Za-z0-9_.-]/ }),
  // One account has one password at a time.
  maxLeases: ({ credentialType }) => (credentialType === 'static' ? 1 : Infinity),
  target(inputs) {
    const { protocol, hostname, port } = new URL(inputs.url);
    const server = `${protocol}//${hostname}:${port || (protocol === 'ldaps:' ? 636 : 389)}`;
    return inputs.credentialType === 'static' ? `${server} ${accountOf(inputs.rotationLdif)}` : server;
  },
  logins: {
    apps: ['ldap'],
    of: (inputs) => {
      // An earlier release may have stored an LDIF that is no longer valid.
      const account = inputs.credentialType === 'static' && unlessInvalid(() => accountOf(inputs.rotationLdif));
      return [inputs.binddn, ...(account ? [account] : [])].map((dn) => ({
        app: 'ldap',
        credentials: { method: 'simple-bind', url: inputs.url, dn },
      }));
    },
  },
  validate(inputs) {
    if (inputs.credentialType === 'static') requireRotation(inputs);
    else requireLifecycle(inputs);
  },
  check: (inputs, io) => inDirectory(inputs, io, () => Promise.resolve()),
  // The name of the login, and the entry that it is.
  prepare: (inputs, { username }) => `${username} ${entryOf(inputs, username)}`,
  async issue(inputs, lease, io) {
    const password = passwordOf(io);
    const { username, dn } = readEntity(lease);
    const ldif = inputs.credentialType === 'static' ? inputs.rotationLdif : inputs.creationLdif;
    const operations = render(ldif, { username, password });
    await inDirectory(inputs, io, async (directory) => {
      try {
        await directory.doAll(operations);
      } catch (error) {
        const rollback = inputs.credentialType === 'dynamic' && inputs.rollbackLdif;
        // Ignore the outcome: the rest is revoked.
        if (rollback) await directory.undoAll(render(rollback, { username, password })).catch(() => undefined);
        throw error;
      }
    });
    const touched = [...new Set(operations.map((operation) => operation.dn))];
    return { DN_ARRAY: touched, USERNAME: inputs.credentialType === 'static' ? dn : username, PASSWORD: password };
  },
  async revoke(inputs, lease, io) {
    const { username, dn } = readEntity(lease);
    const isStatic = inputs.credentialType === 'static';
    const operations = render(isStatic ? inputs.rotationLdif : inputs.revocationLdif, {
      username,
      password: passwordOf(io),
    });
    await inDirectory(inputs, io, async (directory) => {
      const changed = await directory.undoAll(operations);
      // The owner's LDIF may lock an entry, or set an unknown password: then it stays.
      if (changed.some((one) => isSameDn(one, dn))) return;
      // An account that was not to change the entry may not even see it.
      const isNamed = operations.some((one) => one.change !== 'add' && isSameDn(one.dn, dn));
      if (!isNamed || (await directory.hasEntry(dn)))
        throw badRequest(
          'dynamic_secret.login_left',
          `The ${isStatic ? 'rotationLdif' : 'revocationLdif'} did not change the entry`,
        );
    });
  },
});

/** Every encoding of it is redacted from the directory's messages. */
function passwordOf(io: ProviderIo): string {
  const password = io.password();
  io.secret(encodePassword(password).toString('base64'));
  return password;
}

const readEntity = ({ entityId }: LeaseOf): { username: string; dn: string } => {
  const blank = entityId.indexOf(' ');
  return { username: entityId.slice(0, blank), dn: entityId.slice(blank + 1) };
};

const render = (ldif: string, values: Values) => renderLdif(readLdif(ldif, ALL, refuseIn('LDIF')), values);
