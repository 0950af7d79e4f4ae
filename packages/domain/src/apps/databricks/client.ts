import { z } from 'zod';
import { allPages, clientCredentialsToken, JsonApi, pathTo, RemoteName, type TokenIo } from '../../family/index.ts';
import { withoutSlashes } from '../../kernel/index.ts';

/** A service principal of a workspace. */
export interface DatabricksPrincipal {
  readonly workspaceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** An OAuth secret of a service principal, without itself. */
export interface PrincipalSecret {
  readonly id: string;
  /** Seconds from its creation to its end; absent if it has none. */
  readonly lifetime: number | undefined;
}

const Principal = z.object({ id: z.string(), applicationId: z.string(), displayName: z.string().nullish() });
const Principals = z.object({ Resources: z.array(Principal).default([]), totalResults: z.int().default(0) });
const PrincipalSecrets = z.object({
  secrets: z
    .array(z.object({ id: z.string(), create_time: z.string().nullish(), expire_time: z.string().nullish() }))
    .default([]),
  next_page_token: z.string().nullish(),
});
const Created = z.object({ secret: z.string().min(1) });
const secretsOf = (principalId: string) =>
  pathTo`/api/2.0/accounts/servicePrincipals/${principalId}/credentials/secrets`;
const PRINCIPALS = '/api/2.0/preview/scim/v2/ServicePrincipals';
const PAGE = 100;

const Scopes = z.object({ scopes: z.array(z.object({ name: z.string() })).default([]) });
const Secrets = z.object({ secrets: z.array(z.object({ key: RemoteName })).default([]) });

/** Databricks' API of one workspace: https://docs.databricks.com/api/workspace */
export class DatabricksClient {
  readonly #api: JsonApi;

  constructor(api: JsonApi) {
    this.#api = api;
  }

  /** Who the caller is. */
  async me(): Promise<void> {
    await this.#api.ask('/api/2.0/preview/scim/v2/Me');
  }

  async secretScopes(): Promise<{ name: string }[]> {
    return (await this.#api.read(Scopes, '/api/2.0/secrets/scopes/list')).scopes;
  }

  /** The names of the secrets of a scope; values cannot be read back. */
  async secrets(scope: string): Promise<string[]> {
    const { secrets } = await this.#api.read(Secrets, '/api/2.0/secrets/list', { query: { scope } });
    return secrets.map(({ key }) => key);
  }

  /** Creates or overwrites. */
  async putSecret(scope: string, key: string, value: string): Promise<void> {
    const body = { scope, key, string_value: value };
    await this.#api.ask('/api/2.0/secrets/put', { method: 'POST', body });
  }

  /** Also of one that does not exist. */
  async deleteSecret(scope: string, key: string): Promise<void> {
    await this.#api.ask('/api/2.0/secrets/delete', { method: 'POST', body: { scope, key }, accepts: [404] });
  }

  /** The service principals of the workspace: https://docs.databricks.com/api/workspace/serviceprincipals/list */
  servicePrincipals(): Promise<z.output<typeof Principal>[]> {
    return allPages(async (startIndex: number = 1) => {
      const query = { startIndex, count: PAGE };
      const { Resources, totalResults } = await this.#api.read(Principals, PRINCIPALS, { query });
      const next = startIndex + Resources.length;
      return { items: Resources, next: Resources.length > 0 && next <= totalResults ? next : undefined };
    });
  }

  /** The application ID of a service principal. */
  async applicationOf(principalId: string): Promise<string> {
    return (await this.#api.read(Principal, PRINCIPALS + pathTo`/${principalId}`)).applicationId;
  }

  // https://docs.databricks.com/api/authentication/v1/service-principal-secret-proxy
  principalSecrets(principalId: string): Promise<PrincipalSecret[]> {
    return allPages(async (page_token: string | undefined) => {
      const { secrets, next_page_token: next } = await this.#api.read(PrincipalSecrets, secretsOf(principalId), {
        query: { page_token },
      });
      return { items: secrets.map(toSecret), next: next || undefined };
    });
  }

  /** Returns a new secret with a lifetime in seconds. */
  async createPrincipalSecret(principalId: string, lifetime: number): Promise<string> {
    const request = { method: 'POST', body: { lifetime: `${lifetime}s` } } as const;
    return (await this.#api.read(Created, secretsOf(principalId), request)).secret;
  }

  /** Also of one that does not exist. */
  async deletePrincipalSecret(principalId: string, id: string): Promise<void> {
    await this.#api.ask(secretsOf(principalId) + pathTo`/${id}`, { method: 'DELETE', accepts: [404] });
  }
}

function toSecret({ id, create_time: from, expire_time: to }: z.output<typeof PrincipalSecrets>['secrets'][number]) {
  return { id, lifetime: from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : undefined };
}

/** Logs in as a service principal: https://docs.databricks.com/aws/en/dev-tools/auth/oauth-m2m */
export async function databricksClient(io: TokenIo, principal: DatabricksPrincipal): Promise<DatabricksClient> {
  const url = withoutSlashes(principal.workspaceUrl);
  const token = await clientCredentialsToken(io, `${url}/oidc/v1/token`, {
    form: { scope: 'all-apis' },
    basic: principal,
  });
  return new DatabricksClient(new JsonApi(io, { url, headers: { authorization: `Bearer ${token}` } }));
}
