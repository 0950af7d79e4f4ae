import { z } from 'zod';
import {
  accountSuffixOf,
  gcpClient,
  impersonate,
  isAccountOf,
  missingAccountSetting,
  SERVICE_ACCOUNT,
  type GcpClient,
} from '../../../apps/gcp/index.ts';
import { badRequest } from '../../../kernel/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { needed } from '../../fields.ts';

const ACCOUNT = 'the e-mail address of a service account';
const PROJECT = 'the ID of a project, as acme-shop';
/** A number is another name of the same project. */
export const GcpProjectId = needed(PROJECT, 64)
  .regex(/^(?:[a-z0-9.-]+:)?[a-z][a-z0-9-]*[a-z0-9]$/, PROJECT)
  .meta({ examples: ['acme-shop'] });
const Project = z.object({ projectId: z.string(), displayName: z.string().nullish(), state: z.string() });
const Location = z.object({ locationId: z.string(), displayName: z.string().nullish() });

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
      missingSetting: missingAccountSetting,
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
  lists: {
    'secret-manager-projects': defineList({
      what: 'the projects',
      answer: z.array(z.object({ id: z.string(), name: z.string() })),
      async read(client: GcpClient) {
        const projects = await client.list(PROJECTS, 'projects', Project);
        const active = projects.filter(({ state }) => state === 'ACTIVE');
        return active.map(({ projectId, displayName }) => ({ id: projectId, name: displayName ?? projectId }));
      },
    }),
    'secret-manager-project-locations': defineList({
      what: 'the locations of secrets',
      query: z.object({ projectId: needed(PROJECT, 64).regex(/^[a-z0-9.:-]+$/, PROJECT) }),
      answer: z.array(z.object({ displayName: z.string(), locationId: z.string() })),
      // https://cloud.google.com/secret-manager/docs/reference/rest/v1/projects.locations/list
      async read(client: GcpClient, { projectId }) {
        const url = `https://secretmanager.googleapis.com/v1/projects/${projectId}/locations`;
        const locations = await client.list(url, 'locations', Location);
        return locations.map(({ displayName, locationId }) => ({ locationId, displayName: displayName ?? locationId }));
      },
    }),
  },
});
