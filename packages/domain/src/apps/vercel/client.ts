import { z } from 'zod';
import { allPages, JsonApi, jsonOf, pathTo, type RemoteIo } from '../../family/index.ts';
import type { OutboundResponse } from '../../kernel/index.ts';

const Pagination = z.object({ next: z.union([z.number(), z.string()]).nullish() }).nullish();
const Team = z.object({ id: z.string(), name: z.string().nullish(), slug: z.string() });
const Project = z.object({ id: z.string(), name: z.string() });
/** A custom environment of a project. */
export const VercelEnvironment = z.object({ id: z.string(), slug: z.string(), type: z.string() });
const Teams = z.object({ teams: z.array(Team), pagination: Pagination });
const Projects = z.object({ projects: z.array(Project), pagination: Pagination });
const Environments = z.object({ environments: z.array(VercelEnvironment) });
const Failure = z.object({ error: z.object({ message: z.string().optional(), code: z.string().optional() }) });

/** `{"error": {"code": "forbidden", "message": "Not authorized"}}` */
function wordsOf(answer: OutboundResponse): string {
  const { data } = Failure.safeParse(jsonOf(answer));
  return data?.error.message ?? data?.error.code ?? '';
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
}
