import { z } from 'zod';
import { allPages, JsonApi, jsonOf, pathTo, rejectedBy, RemoteName, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';

const Pagination = z.object({ next: z.union([z.number(), z.string()]).nullish() }).nullish();
const Team = z.object({ id: z.string(), name: z.string().nullish(), slug: z.string() });
const Project = z.object({ id: z.string(), name: z.string() });
/** A custom environment of a project. */
export const VercelEnvironment = z.object({ id: z.string(), slug: z.string(), type: z.string() });
const Teams = z.object({ teams: z.array(Team), pagination: Pagination });
const Projects = z.object({ projects: z.array(Project), pagination: Pagination });
const Environments = z.object({ environments: z.array(VercelEnvironment) });
const Variable = z.object({
  id: z.string(),
  key: RemoteName,
  /** `plain`, `encrypted`, or `sensitive`, which cannot be read back. */
  type: z.string(),
  value: z.string().nullish(),
  decrypted: z.boolean().nullish(),
  target: z.union([z.string(), z.array(z.string())]).nullish(),
  gitBranch: z.string().nullish(),
  customEnvironmentIds: z.array(z.string()).nullish(),
});
/** An environment variable, with its value if that can be read. */
export type VercelVariable = Omit<z.output<typeof Variable>, 'value' | 'decrypted'> & {
  readonly value: string | undefined;
};
const Variables = z.object({ envs: z.array(Variable) });
const Created = z.object({
  created: z.object({ id: z.string() }),
  failed: z.array(z.object({ error: z.object({ message: z.string() }) })).default([]),
});
const Failure = z.object({ error: z.object({ message: z.string().optional(), code: z.string().optional() }) });

/** `{"error": {"code": "forbidden", "message": "Not authorized"}}` */
function wordsOf(answer: OutboundResponse): string {
  const { data } = Failure.safeParse(jsonOf(answer));
  return data?.error.message ?? data?.error.code ?? '';
}

/** A project of a team. */
export interface VercelProject {
  readonly teamId: string;
  readonly project: string;
}

const PAGE = 100;

/** Vercel's REST API: https://vercel.com/docs/rest-api */
export class VercelClient {
  readonly #api: JsonApi;

  constructor(io: RemoteIo, apiToken: string) {
    const headers = { authorization: `Bearer ${apiToken}` };
    this.#api = new JsonApi(io, { url: 'https://api.vercel.com', headers, words: wordsOf });
  }

  /** Who the caller is. */
  async user(): Promise<void> {
    await this.#api.ask('/v2/user');
  }

  teams(): Promise<z.output<typeof Team>[]> {
    return allPages(async (until: number | string | undefined) => {
      const { teams, pagination } = await this.#api.read(Teams, '/v2/teams', { query: { limit: PAGE, until } });
      return { items: teams, next: pagination?.next };
    });
  }

  projects(teamId: string): Promise<z.output<typeof Project>[]> {
    return allPages(async (from: number | string | undefined) => {
      const query = { teamId, limit: PAGE, from };
      const { projects, pagination } = await this.#api.read(Projects, '/v10/projects', { query });
      return { items: projects, next: pagination?.next };
    });
  }

  async customEnvironments(teamId: string, projectId: string): Promise<z.output<typeof VercelEnvironment>[]> {
    const path = pathTo`/v9/projects/${projectId}/custom-environments`;
    return (await this.#api.read(Environments, path, { query: { teamId } })).environments;
  }

  // https://vercel.com/docs/rest-api/projects/retrieve-the-environment-variables-of-a-project-by-id-or-name
  async variables({ teamId, project }: VercelProject): Promise<VercelVariable[]> {
    const query = { teamId, decrypt: 'true' };
    const { envs } = await this.#api.read(Variables, pathTo`/v10/projects/${project}/env`, { query });
    return envs.map(({ value, decrypted, ...variable }) => ({
      ...variable,
      value: decrypted || variable.type === 'plain' ? (value ?? undefined) : undefined,
    }));
  }

  // https://vercel.com/docs/rest-api/projects/create-one-or-more-environment-variables
  async create({ teamId, project }: VercelProject, variable: object): Promise<void> {
    const path = pathTo`/v10/projects/${project}/env`;
    const { failed } = await this.#api.read(Created, path, {
      method: 'POST',
      query: { teamId },
      body: variable,
    });
    if (failed[0]) throw rejectedBy('Vercel', failed[0].error.message);
  }

  // https://vercel.com/docs/rest-api/projects/edit-an-environment-variable
  async update({ teamId, project }: VercelProject, id: string, changes: object): Promise<void> {
    const path = pathTo`/v9/projects/${project}/env/${id}`;
    await this.#api.ask(path, { method: 'PATCH', query: { teamId }, body: changes });
  }

  /** Also of one that does not exist. https://vercel.com/docs/rest-api/projects/remove-an-environment-variable */
  async remove({ teamId, project }: VercelProject, id: string): Promise<void> {
    const path = pathTo`/v9/projects/${project}/env/${id}`;
    await this.#api.ask(path, { method: 'DELETE', query: { teamId }, accepts: [404] });
  }
}
