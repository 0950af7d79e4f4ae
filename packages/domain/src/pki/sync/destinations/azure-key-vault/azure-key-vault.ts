import { z } from 'zod';
import { VAULT_URL } from '../../../../apps/azure/index.ts';
import { azureKeyVault as connector } from '../../../../connections/apps/azure-key-vault/index.ts';
import { needed } from '../../../../connections/connection/index.ts';
import { definePkiSync, includeRootCa } from '../../destination.ts';
import { VAULT_KEYS, VaultCertificates } from './vault-certificates.ts';

const VAULT = 'the URL of a vault, as https://shop.vault.azure.net';

export const azureKeyVault = definePkiSync({
  connector,
  destination: 'azure-key-vault',
  title: 'Azure Key Vault',
  config: z.object({
    vaultBaseUrl: needed(VAULT, 64)
      .toLowerCase()
      .overwrite((url) => url.replace(/\/$/, ''))
      .regex(VAULT_URL, VAULT)
      .meta({ examples: ['https://shop.vault.azure.net'] }),
  }),
  options: z.object({
    includeRootCa,
    enableVersioning: z
      .boolean()
      .default(true)
      .describe('Whether a renewed certificate is a new version of the one before'),
  }),
  limits: {
    name: /^[0-9A-Za-z-]{1,127}$/,
    expected: 'at most 127 letters, digits and -',
    longestName: 127,
    keys: VAULT_KEYS,
  },
  replaces: ({ enableVersioning }) => enableVersioning,
  open: (client, { vaultBaseUrl }, { syncId }) => new VaultCertificates(client, vaultBaseUrl, syncId),
});
