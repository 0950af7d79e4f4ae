import { z } from 'zod';
import { JsonApi, pathTo, RemoteName, type RemoteIo } from '../../family/index.ts';

const Named = z.object({ id: z.string(), name: z.string() });
const App = Named.extend({ envs: z.array(Named).default([]) });
const Value = z.object({
  key: RemoteName,
  value: z.string().nullish(),
  description: z.string().nullish(),
  is_secret: z.boolean(),
  source: z.enum(['app', 'env']),
});
/** A shared value; that of a secret cannot be read back. */
export type HumanitecValue = z.output<typeof Value>;

/** Where shared values are: of an application, or of one of its environments. */
export interface HumanitecPlace {
  readonly org: string;
  readonly app: string;
  readonly env?: string | undefined;
}

const pathOf = ({ org, app, env }: HumanitecPlace) =>
  env === undefined ? pathTo`/orgs/${org}/apps/${app}/values` : pathTo`/orgs/${org}/apps/${app}/envs/${env}/values`;

/** Humanitec's API with a token of a service user: https://developer.humanitec.com/platform-orchestrator/reference/api-references/ */
export class HumanitecClient {
  readonly #api: JsonApi;

  constructor(io: RemoteIo, apiToken: string) {
    const headers = { authorization: `Bearer ${apiToken}` };
    this.#api = new JsonApi(io, { url: 'https://api.humanitec.io', headers });
  }

  /** Who the caller is. */
  async currentUser(): Promise<void> {
    await this.#api.ask('/current-user');
  }

  /** All organizations with their applications and environments. */
  async organizations(): Promise<(z.output<typeof Named> & { apps: z.output<typeof App>[] })[]> {
    const organizations = [];
    for (const { id, name } of await this.#api.read(z.array(Named), '/orgs'))
      organizations.push({ id, name, apps: await this.#api.read(z.array(App), pathTo`/orgs/${id}/apps`) });
    return organizations;
  }

  values(place: HumanitecPlace): Promise<HumanitecValue[]> {
    return this.#api.read(z.array(Value), pathOf(place));
  }

  /** A new shared value, as a secret. */
  async create(place: HumanitecPlace, key: string, value: string): Promise<void> {
    const body = { key, value, description: '', is_secret: true };
    await this.#api.ask(pathOf(place), { method: 'POST', body });
  }

  /** Gives a shared value another value, as a secret. */
  async update(place: HumanitecPlace, present: HumanitecValue, value: string): Promise<void> {
    const { key, description, is_secret: isSecret } = present;
    const path = pathOf(place) + pathTo`/${key}`;
    const whole = { value, description: description ?? '', is_secret: true };
    await this.#api.ask(path, isSecret ? { method: 'PATCH', body: { value } } : { method: 'PUT', body: whole });
  }

  /** Also of one that does not exist. */
  async remove(place: HumanitecPlace, key: string): Promise<void> {
    await this.#api.ask(pathOf(place) + pathTo`/${key}`, { method: 'DELETE', accepts: [404] });
  }
}
