import { z } from 'zod';
import { databricksClient, type DatabricksClient } from '../../../apps/databricks/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { httpsUrl, systemAt, token } from '../../fields.ts';

export const databricks = defineConnector({
  app: 'databricks',
  title: 'Databricks',
  methods: {
    'service-principal': {
      credentials: z.object({
        workspaceUrl: httpsUrl('the https URL of the workspace'),
        clientId: token('the application ID of a service principal'),
        clientSecret: sealed(token('an OAuth secret of the service principal'), {
          sentTo: ['workspaceUrl', 'clientId'],
        }),
      }),
    },
  },
  systemOf: ({ workspaceUrl }) => systemAt(workspaceUrl),
  connect: (credentials, remote) => databricksClient(remote, credentials),
  check: (client) => client.me(),
  lists: {
    'secret-scopes': defineList({
      what: 'the secret scopes',
      answer: z.object({ secretScopes: z.array(z.object({ name: z.string() })) }),
      read: async (client: DatabricksClient) => ({ secretScopes: await client.secretScopes() }),
    }),
    'service-principals': defineList({
      what: 'the service principals',
      answer: z.object({
        servicePrincipals: z.array(
          z.object({ id: z.string(), name: z.string(), clientId: z.string().describe('Its application ID') }),
        ),
      }),
      async read(client: DatabricksClient) {
        const principals = await client.servicePrincipals();
        return {
          servicePrincipals: principals.map(({ id, applicationId, displayName }) => ({
            ...{ id, name: displayName ?? applicationId, clientId: applicationId },
          })),
        };
      },
    }),
  },
});
