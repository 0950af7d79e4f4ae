import { defineAzureConnector } from '../../azure-account.ts';

export const azureClientSecrets = defineAzureConnector({
  app: 'azure-client-secrets',
  title: 'Azure Client Secrets',
  scope: 'graph',
  system: 'graph.microsoft.com',
  // https://learn.microsoft.com/en-us/graph/api/application-list
  check: async (graph) => void (await graph.ask('https://graph.microsoft.com/v1.0/applications?$top=1&$select=id')),
});
