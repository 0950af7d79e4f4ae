import { randomBytes } from 'node:crypto';
import {
  bodyWith,
  JsonService,
  type JsonCall,
  type JsonReply,
  type Route,
} from '../../../family/testing/json-service.ts';

const refusal = (status: number, code: string, message: string): JsonReply => ({
  status,
  body: { error: { code, message } },
});
const TEAM = 'team_acme';
const ENVIRONMENTS = ['production', 'preview', 'development'];
/** Some of the names that deployments use themselves: https://vercel.com/docs/environment-variables/reserved-environment-variables */
const RESERVED = ['TZ', 'AWS_SECRET_KEY', 'LAMBDA_TASK_ROOT'];

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly type: string;
  readonly target?: string[];
  readonly gitBranch?: string;
  readonly customEnvironmentIds?: string[];
}

/** Whether both are for one environment. */
const overlap = (one: Variable, other: Variable) =>
  one.key === other.key &&
  one.gitBranch === other.gitBranch &&
  environmentsOf(one).some((environment) => environmentsOf(other).includes(environment));
const environmentsOf = ({ target = [], customEnvironmentIds = [] }: Variable) => [...target, ...customEnvironmentIds];

/**
 * Vercel's REST API with one team and a custom environment in each of its projects.
 * - https://vercel.com/docs/rest-api/teams/list-all-teams
 * - https://vercel.com/docs/rest-api/projects/retrieve-a-list-of-projects
 * - https://vercel.com/docs/rest-api/environment/retrieve-custom-environments
 * - https://vercel.com/docs/rest-api/projects/create-one-or-more-environment-variables
 */
export class Vercel extends JsonService {
  readonly token = randomBytes(18).toString('base64url');
  /** Of the project `prj_shop`. */
  readonly variables: (Variable & { readonly id: string })[] = [];
  #number = 0;
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
    ['GET', /^\/v10\/projects\/prj_shop\/env$/, (call) => this.#ofTeam(call, () => this.#shown(call))],
    ['POST', /^\/v10\/projects\/prj_shop\/env$/, (call) => this.#ofTeam(call, () => this.#create(call))],
    ['PATCH', /^\/v9\/projects\/prj_shop\/env\/(\w+)$/, (call, id) => this.#ofTeam(call, () => this.#update(call, id))],
    ['DELETE', /^\/v9\/projects\/prj_shop\/env\/(\w+)$/, (call, id) => this.#ofTeam(call, () => this.#remove(id))],
  ];

  add(variable: Variable): void {
    this.variables.push({ id: `env${++this.#number}`, ...variable });
  }

  /** Sensitive values are never shown, encrypted ones only if they are asked for. */
  #shown({ query }: JsonCall): JsonReply {
    const isDecrypted = query.get('decrypt') === 'true';
    const envs = this.variables.map(({ value, ...variable }) => {
      if (variable.type === 'plain') return { ...variable, value };
      const decrypted = isDecrypted && variable.type === 'encrypted';
      return { ...variable, value: decrypted ? value : 'eyJ2IjoidjIiLCJjIjoi', decrypted };
    });
    return { status: 200, body: { envs } };
  }

  #create(call: JsonCall): JsonReply {
    const fields = ['key', 'value', 'type', 'target', 'gitBranch?', 'customEnvironmentIds?'];
    const variable = bodyWith(call, fields) as Variable | undefined;
    const fault = variable ? this.#faultOf(variable) : 'Invalid request';
    if (fault !== undefined || !variable) return refusal(400, 'BAD_REQUEST', fault ?? '');
    if (this.variables.some((one) => overlap(one, variable)))
      return refusal(403, 'ENV_ALREADY_EXISTS', `A variable with the name \`${variable.key}\` already exists`);
    const { target, ...others } = variable;
    this.add({ ...others, ...((target?.length || others.customEnvironmentIds) && { target: target ?? [] }) });
    return { status: 201, body: { created: { ...variable, id: `env${this.#number}` }, failed: [] } };
  }

  #faultOf({ key, value, type, gitBranch, ...places }: Variable): string | undefined {
    const environments = environmentsOf({ key, value, type, ...places });
    if (typeof value !== 'string' || !['plain', 'encrypted', 'sensitive'].includes(type))
      return 'Invalid value or type';
    if (!/^[A-Za-z_]\w*$/.test(key)) return 'The name contains invalid characters';
    if (RESERVED.includes(key)) return `The name of your Environment Variable "${key}" is reserved`;
    const isKnown = environments.every((one) => ENVIRONMENTS.includes(one) || one.startsWith('env_'));
    if (environments.length === 0 || !isKnown) return 'Invalid target';
    if (gitBranch !== undefined && environments.join() !== 'preview') return 'gitBranch is only for preview';
    return undefined;
  }

  #update(call: JsonCall, id: string): JsonReply {
    const changes = bodyWith(call, ['value?', 'type?', 'target?', 'customEnvironmentIds?']);
    const at = this.variables.findIndex((one) => one.id === id);
    if (at < 0) return refusal(404, 'NOT_FOUND', 'The environment variable was not found');
    const changed = { ...this.variables[at]!, ...changes };
    const fault = changes ? this.#faultOf(changed) : 'Invalid request';
    if (fault !== undefined) return refusal(400, 'BAD_REQUEST', fault);
    if (this.variables[at]!.type === 'sensitive' && changed.type !== 'sensitive')
      return refusal(400, 'BAD_REQUEST', 'You cannot change the type of a Sensitive Environment Variable');
    this.variables[at] = changed;
    return { status: 200, body: changed };
  }

  #remove(id: string): JsonReply {
    const at = this.variables.findIndex((one) => one.id === id);
    if (at < 0) return refusal(404, 'NOT_FOUND', 'The environment variable was not found');
    return { status: 200, body: this.variables.splice(at, 1)[0] };
  }

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
