import { z } from 'zod';
import { allPages, clientCredentialsToken, JsonApi, pathTo, type TokenIo } from '../../family/index.ts';

/** An application that may use the Management API of its tenant. */
export interface Auth0Application {
  /** Of the tenant, as `acme.eu.auth0.com`. */
  readonly domain: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The identifier of the Management API: `https://acme.eu.auth0.com/api/v2/`. */
  readonly audience: string;
}

/** Its largest page. */
const PAGE = 100;
const Page = z.object({ total: z.int(), clients: z.array(z.object({ client_id: z.string(), name: z.string() })) });

const Secret = z.object({ client_secret: z.string() });

/** Auth0's Management API (version 2) of one tenant: https://auth0.com/docs/api/management/v2 */
export class Auth0Client {
  readonly #api: JsonApi;

  constructor(api: JsonApi) {
    this.#api = api;
  }

  /** One application: shows that the token may read them. */
  async check(): Promise<void> {
    await this.#page(0, 1);
  }

  /** The applications of the tenant, without the one that stands for the tenant itself. */
  async clients(): Promise<{ id: string; name: string }[]> {
    const clients = await allPages(async (page: number = 0) => {
      const { total, clients: items } = await this.#page(page, PAGE);
      const isLast = items.length === 0 || (page + 1) * PAGE >= total;
      return { items, next: isLast ? null : page + 1 };
    });
    return clients.map(({ client_id: id, name }) => ({ id, name }));
  }

  /** https://auth0.com/docs/api/management/v2/clients/patch-clients-by-id */
  async setSecret(clientId: string, secret: string): Promise<void> {
    await this.#api.ask(pathTo`/clients/${clientId}`, { method: 'PATCH', body: { client_secret: secret } });
  }

  /** https://auth0.com/docs/api/management/v2/clients/get-clients-by-id */
  async secretOf(clientId: string): Promise<string> {
    const query = { fields: 'client_secret', include_fields: 'true' };
    return (await this.#api.read(Secret, pathTo`/clients/${clientId}`, { query })).client_secret;
  }

  /** Gives it a secret that only Auth0 knows: https://auth0.com/docs/api/management/v2/clients/post-rotate-secret */
  async rotateSecret(clientId: string): Promise<void> {
    await this.#api.ask(pathTo`/clients/${clientId}/rotate-secret`, { method: 'POST', accepts: [404] });
  }

  // https://auth0.com/docs/api/management/v2/clients/get-clients
  #page(page: number, size: number): Promise<z.output<typeof Page>> {
    const fields = { fields: 'client_id,name', include_fields: 'true', is_global: 'false' };
    return this.#api.read(Page, '/clients', { query: { page, per_page: size, include_totals: 'true', ...fields } });
  }
}

/** Logs in by the credentials of an application: https://auth0.com/docs/secure/tokens/access-tokens */
export async function auth0Client(io: TokenIo, application: Auth0Application): Promise<Auth0Client> {
  const { domain, clientId, clientSecret, audience } = application;
  const form = { client_id: clientId, client_secret: clientSecret, audience };
  const token = await clientCredentialsToken(io, `https://${domain}/oauth/token`, { form });
  const headers = { authorization: `Bearer ${token}` };
  return new Auth0Client(new JsonApi(io, { url: `https://${domain}/api/v2`, headers }));
}
