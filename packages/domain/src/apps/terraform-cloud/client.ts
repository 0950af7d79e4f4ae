import { z } from 'zod';
import { allPages, JsonApi, jsonOf, pathTo, RemoteName, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';

export interface TerraformVariable {
  readonly id: string;
  readonly key: string;
  readonly category: string;
}

const PAGE = 100;
/** A page of JSON:API resources. */
const pageOf = <Attributes extends z.ZodRawShape>(attributes: Attributes) =>
  z.object({
    data: z.array(z.object({ id: z.string(), attributes: z.object(attributes) })),
    meta: z.object({ pagination: z.object({ 'next-page': z.int().nullish() }).optional() }).optional(),
  });
const Names = pageOf({ name: z.string() });
const Sets = pageOf({ name: z.string(), description: z.string().nullish(), global: z.boolean().nullish() });
const Variables = pageOf({ key: RemoteName, category: z.string() });
const Created = z.object({ data: z.object({ id: z.string() }) });
const Errors = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().nullish() })),
});

/** `{"errors": [{"status": "422", "title": "invalid attribute", "detail": "Key can't be blank"}]}` */
function wordsOf(answer: OutboundResponse): string {
  const { data } = Errors.safeParse(jsonOf(answer));
  return data?.errors.map(({ title, detail }) => detail ?? title ?? '').join('; ') ?? '';
}

/** The API of HCP Terraform (Terraform Cloud): https://developer.hashicorp.com/terraform/cloud-docs/api-docs */
export class TerraformClient {
  readonly #api: JsonApi;

  constructor(io: RemoteIo, apiToken: string) {
    this.#api = new JsonApi(io, {
      url: 'https://app.terraform.io/api/v2',
      headers: { authorization: `Bearer ${apiToken}` },
      mediaType: 'application/vnd.api+json',
      words: wordsOf,
    });
  }

  /** One organization: every kind of token may read its own. */
  async check(): Promise<void> {
    await this.#api.read(Names, '/organizations', { query: { 'page[size]': 1 } });
  }

  /** All organizations with their workspaces and variable sets. */
  async organizations() {
    const organizations = [];
    for (const { id, attributes } of await this.#all(Names, '/organizations')) {
      const sets = await this.#all(Sets, pathTo`/organizations/${id}/varsets`);
      const workspaces = await this.#all(Names, pathTo`/organizations/${id}/workspaces`);
      organizations.push({
        id,
        name: attributes.name,
        variableSets: sets.map((set) => ({
          id: set.id,
          name: set.attributes.name,
          description: set.attributes.description ?? undefined,
          global: set.attributes.global ?? undefined,
        })),
        workspaces: workspaces.map((workspace) => ({ id: workspace.id, name: workspace.attributes.name })),
      });
    }
    return organizations;
  }

  /** The variables at a place; sensitive values cannot be read back. */
  async variables(place: string): Promise<TerraformVariable[]> {
    return (await this.#all(Variables, place)).map(({ id, attributes }) => ({ id, ...attributes }));
  }

  /** Returns the ID of a new sensitive variable. */
  async create(place: string, key: string, value: string, category: string): Promise<string> {
    const attributes = { key, value, category, hcl: false, sensitive: true };
    const body = { data: { type: 'vars', attributes } };
    return (await this.#api.read(Created, place, { method: 'POST', body })).data.id;
  }

  async update(place: string, id: string, value: string): Promise<void> {
    const body = { data: { id, type: 'vars', attributes: { value, hcl: false, sensitive: true } } };
    await this.#api.ask(place + pathTo`/${id}`, { method: 'PATCH', body });
  }

  /** Also of one that does not exist. */
  async remove(place: string, id: string): Promise<void> {
    await this.#api.ask(place + pathTo`/${id}`, { method: 'DELETE', accepts: [404] });
  }

  #all<Page extends ReturnType<typeof pageOf<z.ZodRawShape>>>(
    schema: Page,
    path: string,
  ): Promise<z.output<Page>['data'][number][]> {
    return allPages(async (page: number = 1) => {
      const { data, meta } = await this.#api.read(schema, path, {
        query: { 'page[number]': page, 'page[size]': PAGE },
      });
      return { items: data, next: meta?.pagination?.['next-page'] };
    });
  }
}
