import { z } from 'zod';
import { azureKeyVault as connector, VaultBaseUrl } from '../../../apps/azure-key-vault/index.ts';
import { defineSync } from '../../sync.ts';
import { KeyVault } from './key-vault.ts';

export const azureKeyVault = defineSync({
  connector,
  destination: 'azure-key-vault',
  title: 'Azure Key Vault',
  config: z.object({ vaultBaseUrl: VaultBaseUrl }),
  nameOf: (name) => name.replaceAll('_', '-'),
  ignoresCase: true,
  layout: ({ vaultBaseUrl }) => ({
    as: 'secrets',
    location: vaultBaseUrl,
    limits: {
      name: /^[A-Za-z0-9-]{1,127}$/,
      expected: 'at most 127 letters, digits and -',
      bytes: [0, 25 * 1024],
      secrets: 10_000,
      concurrency: 4,
    },
    listsAll: true,
  }),
  open: (client, { vaultBaseUrl }) => new KeyVault(client, vaultBaseUrl),
});
