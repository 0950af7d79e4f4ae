import { z } from 'zod';
import { auth0Client } from '../../../apps/auth0/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { httpsUrl, serverHost, token } from '../../fields.ts';

const DOMAIN = 'the domain of the tenant, as acme.eu.auth0.com';

export const auth0 = defineConnector({
  app: 'auth0',
  title: 'Auth0',
  methods: {
    'client-credentials': {
      credentials: z.object({
        domain: serverHost(DOMAIN, /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/).meta({ examples: ['acme.eu.auth0.com'] }),
        clientId: token('the client ID of an application'),
        clientSecret: sealed(token('the client secret of the application'), {
          sentTo: ['domain', 'clientId', 'audience'],
        }),
        audience: httpsUrl('the identifier of the Management API, as https://acme.eu.auth0.com/api/v2/'),
      }),
    },
  },
  systemOf: ({ domain }) => ({ name: domain }),
  connect: (credentials, remote) => auth0Client(remote, credentials),
  check: (client) => client.check(),
  lists: {
    clients: defineList({
      what: 'the applications',
      answer: z.object({ clients: z.array(z.object({ id: z.string(), name: z.string() })) }),
      read: async (client: Awaited<ReturnType<typeof auth0Client>>) => ({ clients: await client.clients() }),
    }),
  },
});
