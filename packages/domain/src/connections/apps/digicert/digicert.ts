import { z } from 'zod';
import { DIGICERT_REGIONS, DigiCertClient } from '../../../apps/digicert/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { token } from '../../fields.ts';

export const digicert = defineConnector({
  app: 'digicert',
  title: 'DigiCert',
  methods: {
    'api-key': {
      credentials: z.object({
        region: z.enum(DIGICERT_REGIONS).default('us').describe('The region of the CertCentral account'),
        apiKey: sealed(token('an API key of CertCentral'), { sentTo: ['region'] }),
      }),
    },
  },
  // Orders name an organization, whose ID belongs to one account: a key of another account cannot order for it.
  systemOf: ({ region }) => ({ name: `CertCentral ${region}` }),
  connect: ({ apiKey, region }, remote) => new DigiCertClient(remote, apiKey, region),
  // https://dev.digicert.com/certcentral-apis/services-api/users/view-my-info.html
  check: async (client) => void (await client.call('GET', '/user/me')),
});
