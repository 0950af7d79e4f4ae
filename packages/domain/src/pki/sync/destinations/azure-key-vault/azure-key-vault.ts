import { z } from 'zod';
import { azureKeyVault as connector, VaultBaseUrl } from '../../../../connections/apps/azure-key-vault/index.ts';
import { definePkiSync, includeRootCa } from '../../destination.ts';
import { VAULT_KEYS, VaultCertificates } from './vault-certificates.ts';

export const azureKeyVault = definePkiSync({
  connector,
  destination: 'azure-key-vault',
  title: 'Azure Key Vault',
  config: z.object({ vaultBaseUrl: VaultBaseUrl }),
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
