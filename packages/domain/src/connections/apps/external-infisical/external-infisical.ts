import { z } from 'zod';
import { sealed } from '../../../family/index.ts';
import { badRequest } from '../../../kernel/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { hostOf, httpsUrl, systemAt, token } from '../../fields.ts';
import { SecretsApi } from './secrets-api.ts';

export const externalInfisical = defineConnector({
  app: 'external-infisical',
  title: 'External Infisical',
  methods: {
    'machine-identity-universal-auth': {
      credentials: z.object({
        instanceUrl: httpsUrl('the https URL of the server'),
        machineIdentityClientId: token('the client ID of a machine identity'),
        machineIdentityClientSecret: sealed(token('a client secret of the machine identity'), {
          sentTo: ['instanceUrl', 'machineIdentityClientId'],
        }),
      }),
    },
  },
  systemOf: ({ instanceUrl }) => systemAt(instanceUrl),
  connect({ instanceUrl, ...credentials }, remote) {
    // A key schema would add secrets to its own source again and again.
    if (hostOf(instanceUrl) === hostOf(remote.siteUrl))
      throw badRequest('app_connection.own_server', 'This is the same server: import the folder there instead');
    const { machineIdentityClientId: clientId, machineIdentityClientSecret: clientSecret } = credentials;
    return SecretsApi.open(remote, instanceUrl, { clientId, clientSecret });
  },
  // The login is the check.
  check: async () => undefined,
});
