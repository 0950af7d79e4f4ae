import { randomBytes } from 'node:crypto';
import { JsonService, type JsonCall, type JsonReply, type Route } from '../../../family/testing/json-service.ts';

const refusal = (status: number, code: string, message: string): JsonReply => ({
  status,
  body: { error: { code, message } },
});
const TEAM = 'team_acme';

/**
 * Vercel's REST API with one team and a custom environment in each of its projects.
 * - https://vercel.com/docs/rest-api/teams/list-all-teams
 * - https://vercel.com/docs/rest-api/projects/retrieve-a-list-of-projects
 * - https://vercel.com/docs/rest-api/environment/retrieve-custom-environments
 */
export class Vercel extends JsonService {
  readonly token = randomBytes(18).toString('base64url');
  readonly projects: { id: string; name: string }[] = [{ id: 'prj_shop', name: 'shop' }];

  protected refuse({ headers }: JsonCall): JsonReply | undefined {
    if (headers.authorization === `Bearer ${this.token}`) return undefined;
    return refusal(403, 'forbidden', 'Not authorized');
  }

  protected readonly routes: readonly Route[] = [
    ['GET', /^\/v2\/user$/, () => ({ status: 200, body: { user: { id: 'u1', username: 'coffer' } } })],
    [
      'GET',
      /^\/v2\/teams$/,
      () => ({
        status: 200,
        body: { teams: [{ id: TEAM, slug: 'acme', name: 'Acme' }], pagination: { count: 1, next: null, prev: null } },
      }),
    ],
    ['GET', /^\/v10\/projects$/, (call) => this.#ofTeam(call, () => this.#list(call))],
    [
      'GET',
      /^\/v9\/projects\/([^/]+)\/custom-environments$/,
      (call, project) =>
        this.#ofTeam(call, () => ({
          status: 200,
          body: {
            accountLimit: { total: 12 },
            environments: [{ id: `env_${project}`, slug: 'staging', type: 'preview', description: '', createdAt: 1 }],
          },
        })),
    ],
  ];

  #ofTeam({ query }: JsonCall, reply: () => JsonReply): JsonReply {
    return query.get('teamId') === TEAM ? reply() : refusal(403, 'forbidden', 'You do not have access to this team');
  }

  /** In pages with the place of the next. */
  #list({ query }: JsonCall): JsonReply {
    const [from, limit] = [Number(query.get('from') ?? 0), Number(query.get('limit') ?? 20)];
    const projects = this.projects.slice(from, from + limit);
    const next = from + limit < this.projects.length ? from + limit : null;
    return { status: 200, body: { projects, pagination: { count: projects.length, next, prev: null } } };
  }
}
