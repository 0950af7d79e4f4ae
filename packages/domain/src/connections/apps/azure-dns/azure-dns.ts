import { z } from 'zod';
import { azureClient, azureLogin, TENANT, type AzureClient } from '../../../apps/azure/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { needed, token } from '../../fields.ts';

const TENANT_EXAMPLE = 'the ID of a tenant, or one of its domains';
const SUBSCRIPTION = 'the ID of a subscription';
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MANAGEMENT = 'https://management.azure.com';
const Zone = z.object({ id: z.string(), name: z.string() });
// https://learn.microsoft.com/en-us/rest/api/dns/zones/list
const zonesOf = (subscriptionId: string) =>
  `${MANAGEMENT}/subscriptions/${subscriptionId}/providers/Microsoft.Network/dnszones?api-version=2018-05-01`;

export const azureDns = defineConnector({
  app: 'azure-dns',
  title: 'Azure DNS',
  methods: {
    'client-secret': {
      credentials: z.object({
        tenantId: needed(TENANT_EXAMPLE, 254)
          .regex(TENANT, TENANT_EXAMPLE)
          .meta({ examples: ['11112222-bbbb-3333-cccc-4444dddd5555'] }),
        subscriptionId: needed(SUBSCRIPTION)
          .regex(UUID, SUBSCRIPTION)
          .meta({ examples: ['11112222-bbbb-3333-cccc-4444dddd5555'] }),
        clientId: needed('the client ID of an application', 128).regex(/^[\w-]+$/, 'the client ID of an application'),
        clientSecret: sealed(token('a client secret of the application'), { sentTo: ['tenantId', 'clientId'] }),
      }),
      shown: ['clientId'],
    },
  },
  systemOf: ({ subscriptionId }) => ({ name: `subscription ${subscriptionId.toLowerCase()}` }),
  connect: async (credentials, remote) => azureClient(remote, await azureLogin(remote, credentials, 'management')),
  check: async (client, { subscriptionId }) => void (await client.ask(`${zonesOf(subscriptionId)}&$top=1`)),
  lists: {
    'azure-dns-zones': defineList({
      what: 'the DNS zones',
      answer: z.array(Zone),
      read: (client: AzureClient, _query, { subscriptionId }) => client.list(zonesOf(String(subscriptionId)), Zone),
    }),
  },
});
