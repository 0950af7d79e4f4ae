import { z } from 'zod';
import { camundaClient, type CamundaClient } from '../../../apps/camunda/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { token } from '../../fields.ts';

export const camunda = defineConnector({
  app: 'camunda',
  title: 'Camunda',
  methods: {
    'client-credentials': {
      credentials: z.object({
        clientId: token('the client ID of an API client of the organization'),
        clientSecret: sealed(token('the client secret of the API client'), { sentTo: ['clientId'] }),
      }),
    },
  },
  systemOf: () => ({ name: 'api.cloud.camunda.io' }),
  connect: (credentials, remote) => camundaClient(remote, credentials),
  check: async (client) => void (await client.clusters()),
  lists: {
    clusters: defineList({
      what: 'the clusters',
      answer: z.object({ clusters: z.array(z.object({ uuid: z.string(), name: z.string() })) }),
      read: async (client: CamundaClient) => ({ clusters: await client.clusters() }),
    }),
  },
});
