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
        accountId: z.string().optional().describe('The account of the key; found out when it is saved'),
      }),
      learned: { accountId: ['region', 'apiKey'] },
    },
  },
  // Accounts share the host. One that an earlier release has stored is unknown, and so another one than any.
  systemOf: ({ region, accountId }) => ({ name: ['CertCentral', region, accountId].filter(Boolean).join(' ') }),
  connect: ({ apiKey, region }, remote) => new DigiCertClient(remote, apiKey, region),
  check: (client) => client.findAccount(),
  learn: ({ accountId }) => ({ accountId }),
});
