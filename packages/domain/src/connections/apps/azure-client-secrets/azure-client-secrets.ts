import { z } from 'zod';
import type { AzureClient } from '../../../apps/azure/index.ts';
import { defineAzureConnector } from '../../azure-account.ts';
import { defineList } from '../../connection/index.ts';

// https://learn.microsoft.com/en-us/graph/api/application-list
const APPLICATIONS = 'https://graph.microsoft.com/v1.0/applications';
const Application = z.object({ id: z.string(), appId: z.string(), displayName: z.string().nullish() });
const Client = z.object({
  name: z.string(),
  id: z.string().describe('The object ID of the application'),
  appId: z.string().describe('Its client ID'),
});

export const azureClientSecrets = defineAzureConnector({
  app: 'azure-client-secrets',
  title: 'Azure Client Secrets',
  scope: 'graph',
  system: 'graph.microsoft.com',
  check: async (graph) => void (await graph.ask(`${APPLICATIONS}?$top=1&$select=id`)),
  lists: {
    clients: defineList({
      what: 'the applications',
      answer: z.object({ clients: z.array(Client) }),
      async read(graph: AzureClient) {
        const url = `${APPLICATIONS}?$top=999&$select=id,appId,displayName`;
        const applications = await graph.list(url, Application, '@odata.nextLink');
        return {
          clients: applications.map(({ id, appId, displayName }) => ({ id, appId, name: displayName ?? appId })),
        };
      },
    }),
  },
});
