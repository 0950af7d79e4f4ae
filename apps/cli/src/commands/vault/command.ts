import { defineCommand } from '../../table/command.ts';

const kind = (name: 'auto' | 'file', summary: string) =>
  defineCommand({ name, summary, load: async () => (await import('./vault.ts')).setVault(name) });

export const vaultCommand = defineCommand({
  name: 'vault',
  summary: 'show where credentials are kept',
  load: async () => (await import('./vault.ts')).showVault,
  commands: [
    defineCommand({
      name: 'set',
      summary: 'choose where credentials are kept',
      commands: [
        kind('auto', 'the keyring of the system, or the file where there is none'),
        kind('file', 'a file of mode 0600, encrypted where COFFER_VAULT_FILE_PASSPHRASE is set'),
      ],
    }),
  ],
});
