import { z } from 'zod';
import { azureKeyVault as connector } from '../../../apps/azure-key-vault/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';
import { KeyVault } from './key-vault.ts';

const VAULT = 'the URL of a vault, as https://shop.vault.azure.net';

export const azureKeyVault = defineSync({
  connector,
  destination: 'azure-key-vault',
  title: 'Azure Key Vault',
  config: z.object({
    // The token is sent there: only to vaults of Azure.
    vaultBaseUrl: needed(VAULT, 64)
      .toLowerCase()
      .overwrite((url) => url.replace(/\/$/, ''))
      .regex(/^https:\/\/[a-z](?:[a-z0-9-]{1,22})[a-z0-9]\.vault\.azure\.net$/, VAULT)
      .meta({ examples: ['https://shop.vault.azure.net'] }),
  }),
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
