import { z } from 'zod';
import { clientCredentialsToken, JsonApi, type TokenIo } from '../../family/index.ts';
import { withoutSlashes } from '../../kernel/index.ts';

/** A service principal of a workspace. */
export interface DatabricksPrincipal {
  readonly workspaceUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

const Scopes = z.object({ scopes: z.array(z.object({ name: z.string() })).default([]) });
const Secrets = z.object({ secrets: z.array(z.object({ key: z.string() })).default([]) });

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
