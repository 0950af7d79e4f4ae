import { defineAzureConnector } from '../../azure-account.ts';

export const azureKeyVault = defineAzureConnector({
  app: 'azure-key-vault',
  title: 'Azure Key Vault',
  scope: 'keyVault',
  system: 'vault.azure.net',
  // Which vault is not known before a sync names it: the login is all that can be checked.
  check: async () => undefined,
});
