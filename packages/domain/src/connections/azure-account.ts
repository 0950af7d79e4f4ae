import { z } from 'zod';
import {
  AZURE_SCOPES,
  azureClient,
  azureLogin,
  azureTokenUrl,
  TENANT,
  type AzureClient,
  type AzureScope,
} from '../apps/azure/index.ts';
import { sealed } from '../family/index.ts';
import { defineConnector, type ConnectorList } from './connection/index.ts';
import { needed, token } from './fields.ts';

const TENANT_EXAMPLE = 'the ID of a tenant, or one of its domains';
const Tenant = needed(TENANT_EXAMPLE, 254)
  .regex(TENANT, TENANT_EXAMPLE)
  .meta({ examples: ['11112222-bbbb-3333-cccc-4444dddd5555'] });

const Application = z.object({
  tenantId: Tenant,
  clientId: needed('the client ID of an application', 128).regex(/^[\w-]+$/, 'the client ID of an application'),
  clientSecret: sealed(token('a client secret of the application'), { sentTo: ['tenantId', 'clientId'] }),
});

/** Any tenant: whose account the user has signed in with is in the code. */
const ANY_TENANT = 'organizations';

interface AzureApp<App extends string, Lists> {
  readonly app: App;
  readonly title: string;
  /** The API that its tokens are for. */
  readonly scope: AzureScope;
  /** The same for all credentials: what is found there has one name in all of Azure. */
  readonly system: string;
  readonly check: (client: AzureClient) => Promise<void>;
  readonly lists?: Lists;
}

/** A connector to one of the services of Azure, with an application and its client secret, or as a user. */
export const defineAzureConnector = <
  const App extends string,
  const Lists extends Readonly<Record<string, ConnectorList<AzureClient>>> = {},
>({
  app,
  title,
  scope,
  system,
  check,
  lists,
}: AzureApp<App, Lists>) =>
  defineConnector({
    app,
    title,
    methods: {
      oauth: {
        credentials: z.object({
          code: sealed(token('the code of an authorization'), { sentTo: ['tenantId'] }),
          tenantId: Tenant.optional().describe('The tenant of the user; default: that of their account'),
        }),
        oauth: {
          application: 'azure',
          callback: '/organization/app-connections/azure/oauth/callback',
          tokenUrl: ({ tenantId = ANY_TENANT }) => azureTokenUrl(String(tenantId)),
          scope: `${AZURE_SCOPES[scope]} openid offline_access`,
        },
      },
      'client-secret': { credentials: Application, shown: ['clientId'] },
    },
    systemOf: () => ({ name: system }),
    connect: async (credentials, remote): Promise<AzureClient> =>
      azureClient(
        remote,
        credentials.method === 'oauth' ? credentials.tokens.accessToken : await azureLogin(remote, credentials, scope),
      ),
    check,
    ...(lists && { lists }),
  });
