import { z } from 'zod';
import { clientCredentialsToken, JsonApi, objectOf, pathTo, type TokenIo } from '../../family/index.ts';

const Clusters = z.array(z.object({ uuid: z.string(), name: z.string() }));
const Secrets = objectOf(z.string());

/** Camunda's Administration API (SaaS): https://docs.camunda.io/docs/apis-tools/administration-api/ */
export class CamundaClient {
  readonly #api: JsonApi;

  constructor(api: JsonApi) {
    this.#api = api;
  }

  clusters(): Promise<{ uuid: string; name: string }[]> {
    return this.#api.read(Clusters, '/clusters');
  }

  /** The connector secrets of a cluster, with their values. */
  async secrets(cluster: string): Promise<Map<string, string>> {
    return new Map(Object.entries(await this.#api.read(Secrets, pathTo`/clusters/${cluster}/secrets`)));
  }

  async createSecret(cluster: string, secretName: string, secretValue: string): Promise<void> {
    const body = { secretName, secretValue };
    await this.#api.ask(pathTo`/clusters/${cluster}/secrets`, { method: 'POST', body });
  }

  async updateSecret(cluster: string, secretName: string, secretValue: string): Promise<void> {
    await this.#api.ask(pathTo`/clusters/${cluster}/secrets/${secretName}`, { method: 'PUT', body: { secretValue } });
  }

  /** Also of one that does not exist. */
  async deleteSecret(cluster: string, secretName: string): Promise<void> {
    await this.#api.ask(pathTo`/clusters/${cluster}/secrets/${secretName}`, { method: 'DELETE', accepts: [404] });
  }
}

/** Logs in by the credentials of an API client of the organization. */
export async function camundaClient(
  io: TokenIo,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<CamundaClient> {
  const form = { audience: 'api.cloud.camunda.io', client_id: clientId, client_secret: clientSecret };
  const token = await clientCredentialsToken(io, 'https://login.cloud.camunda.io/oauth/token', { form });
  const headers = { authorization: `Bearer ${token}` };
  return new CamundaClient(new JsonApi(io, { url: 'https://api.cloud.camunda.io', headers }));
}
