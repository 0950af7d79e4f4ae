import { z } from 'zod';
import {
  accountSuffixOf,
  gcpClient,
  impersonate,
  isAccountOf,
  SERVICE_ACCOUNT,
  type GcpClient,
} from '../../../apps/gcp/index.ts';
import { badRequest } from '../../../kernel/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { needed } from '../../fields.ts';

const ACCOUNT = 'the e-mail address of a service account';

/** Projects that the service account can see, as Secret Manager lists nothing by itself. */
const PROJECTS = 'https://cloudresourcemanager.googleapis.com/v3/projects:search';

export const gcp = defineConnector({
  app: 'gcp',
  title: 'Google Cloud',
  methods: {
    'service-account-impersonation': {
      credentials: z.object({
        serviceAccountEmail: needed(ACCOUNT, 254)
          .regex(SERVICE_ACCOUNT, ACCOUNT)
          .meta({ examples: ['coffer-df92581a-0fe9@acme.iam.gserviceaccount.com'] }),
      }),
      missingSetting: ({ gcpServiceAccount }) => (gcpServiceAccount ? undefined : 'COFFER_GCP_SERVICE_ACCOUNT'),
    },
  },
  systemOf: () => ({ name: 'googleapis.com' }),
  async connect({ serviceAccountEmail: email }, remote): Promise<GcpClient> {
    const { organizationId, settings } = remote;
    if (!isAccountOf(email, organizationId))
      throw badRequest(
        'gcp.service_account',
        `The name of the service account has to end with ${accountSuffixOf(organizationId)}, so that no other organization of this server can use it`,
      );
    const { gcpServiceAccount: own } = settings;
    if (!own) throw badRequest('app_connection.not_configured', 'The operator has not set COFFER_GCP_SERVICE_ACCOUNT');
    return gcpClient(remote, await impersonate(remote, own, email));
  },
  // https://cloud.google.com/resource-manager/reference/rest/v3/projects/search
  check: async (client) => void (await client.ask(`${PROJECTS}?pageSize=1`)),
});
