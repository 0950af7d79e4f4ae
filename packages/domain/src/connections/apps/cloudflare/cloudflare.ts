import { z } from 'zod';
import { CloudflareClient } from '../../../apps/cloudflare/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { needed, token } from '../../fields.ts';

const Zone = z.object({ id: z.string(), name: z.string() });
const ACCOUNT = 'the ID of the account, 32 hexadecimal digits';

export const cloudflare = defineConnector({
  app: 'cloudflare',
  title: 'Cloudflare',
  methods: {
    'api-token': {
      credentials: z.object({
        accountId: needed(ACCOUNT)
          .regex(/^[0-9a-f]{32}$/i, ACCOUNT)
          .meta({ examples: ['023e105f4ecef8ad9ca31a8372d0c353'] }),
        apiToken: sealed(token('an API token'), { sentTo: ['accountId'] }),
      }),
    },
  },
  systemOf: ({ accountId }) => ({ name: `account ${accountId.toLowerCase()}` }),
  connect: ({ apiToken }, remote) => new CloudflareClient(remote, apiToken),
  // https://developers.cloudflare.com/api/resources/accounts/methods/get/
  check: (client, { accountId }) => client.tell(`/accounts/${accountId}`, {}),
  lists: {
    'cloudflare-zones': defineList({
      what: 'the zones',
      answer: z.array(Zone),
      // https://developers.cloudflare.com/api/resources/zones/methods/list/
      read: (client: CloudflareClient, _query, { accountId }) =>
        client.list(`/zones?account.id=${String(accountId)}`, Zone),
    }),
  },
});
