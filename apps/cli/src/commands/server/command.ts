import { defineCommand, text, type Argument, type Command, type Flags } from '../../table/command.ts';

const byCaller = true;

/** A command that the server's own package carries out. */
const onServer = (group: string, name: string, summary: string, args: readonly Argument[] = [], flags: Flags = {}) =>
  defineCommand({
    name,
    summary,
    args,
    flags,
    load: async () => (await import('./server.ts')).onServer(`${group} ${name}`),
  });

const email = [{ name: 'email', summary: 'address of the user' }];

const keys: Command = {
  name: 'keys',
  summary: 'the keys that encrypt all data',
  commands: [
    onServer('keys', 'fingerprint', 'show the fingerprint of the root key'),
    onServer('keys', 'rotate', 'create new keys and re-encrypt all data; servers can keep running', [], {
      organization: text('only this organization', { placeholder: 'id' }),
    }),
    onServer('keys', 'rotate-root', 'wrap all keys with a new root key; restart the servers afterwards', [], {
      'new-key-file': text('file of the new key, which is made if there is none (or set COFFER_NEW_ROOT_KEY)', {
        placeholder: 'path',
        byCaller,
      }),
    }),
  ],
};

const audit: Command = {
  name: 'audit',
  summary: 'the audit log',
  commands: [
    onServer(
      'audit',
      'verify',
      'verify an export of the audit log; needs neither a server nor a database',
      [{ name: 'file', summary: 'the export, or - for standard input' }],
      {
        'public-key': text('PEM file with the public key of the instance', { placeholder: 'path', byCaller }),
        checkpoint: text('a block that the export has to contain, as noted earlier', { placeholder: 'sequence:hash' }),
      },
    ),
  ],
};

const users: Command = {
  name: 'users',
  summary: 'users with an account',
  commands: [
    onServer('users', 'reset-password', 'create a link for a new password; valid once, for one hour', email),
    onServer(
      'users',
      'sign-up-link',
      'create a link for an invited user without an account; valid for one hour',
      email,
    ),
  ],
};

export const serverCommand = defineCommand({
  name: 'server',
  summary: 'maintain a server, on its machine',
  description:
    "Maintains a server: its keys, the audit log, its users. Runs on the server's machine, where the package @coffer/server is, with the variables and the data directory of the server.",
  commands: [keys, audit, users],
});
