import { defineAzureConnector } from '../../azure-account.ts';

export const azureAppConfiguration = defineAzureConnector({
  app: 'azure-app-configuration',
  title: 'Azure App Configuration',
  scope: 'appConfiguration',
  system: 'azconfig.io',
  // Which store is not known before a sync names it: the login is all that can be checked.
  check: async () => undefined,
});
