import { requestTokens, type TokenIo } from '../../family/index.ts';

/** The APIs that tokens are issued for, and their scopes with all that was granted to the application. */
export const AZURE_SCOPES = {
  /** https://learn.microsoft.com/en-us/azure/azure-app-configuration/rest-api-authentication-azure-ad */
  appConfiguration: 'https://appconfig.azure.com/.default',
  graph: 'https://graph.microsoft.com/.default',
  keyVault: 'https://vault.azure.net/.default',
  /** The resource manager: DNS zones, subscriptions, resource groups. */
  management: 'https://management.azure.com/.default',
} as const;
export type AzureScope = keyof typeof AZURE_SCOPES;

/** The ID of a tenant, or one of its domains: a part of the path of its token endpoint. */
export const TENANT = /^[a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?$/i;

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols#endpoints */
export const azureTokenUrl = (tenant: string): string =>
  `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/token`;

/** An application with a client secret. */
export interface AzureApplication {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/**
 * Logs in as an application, and returns an access token
 * (https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-client-creds-grant-flow).
 *
 * @throws DomainError 400 where Entra refuses.
 */
export async function azureLogin(
  io: TokenIo,
  { tenantId, clientId, clientSecret }: AzureApplication,
  scope: AzureScope,
): Promise<string> {
  io.hide(clientSecret);
  const { accessToken } = await requestTokens(io, azureTokenUrl(tenantId), {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: AZURE_SCOPES[scope],
  });
  return accessToken;
}
