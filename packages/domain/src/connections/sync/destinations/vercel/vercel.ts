import { z } from 'zod';
import type { VercelVariable } from '../../../../apps/vercel/index.ts';
import { vercel as connector } from '../../../apps/vercel/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync } from '../../sync.ts';

const id = (what: string) => needed(what, 64).regex(/^[\w-]+$/, what);
const PROJECT = 'the ID of the project, as prj_…';
const BRANCH = 'a branch of the repository';
const TARGETS = ['production', 'preview', 'development'];

const Config = z
  .object({
    // Vercel takes the name of a project, too: one project would be two targets.
    app: needed(PROJECT, 64)
      .regex(/^(?:prj_\w+|Qm[1-9A-HJ-NP-Za-km-z]{44})$/, PROJECT)
      .meta({ examples: ['prj_XLKmu1DyR1eY7zq8UgeRKbA7yVLA'] }),
    appName: z
      .string()
      .max(255)
      .regex(/^\P{Cc}*$/u, 'the name of the project')
      .default('')
      .describe('The name of the project, for people'),
    env: id('production, preview, development, or the ID of a custom environment'),
    branch: z
      .string()
      .regex(/^[^\s\p{Cc}~^:?*[\\]{1,250}$/u, BRANCH)
      .optional()
      .describe('With `preview`: only for deployments of this branch'),
    teamId: id('the ID of the team, as team_…'),
  })
  .refine(({ env, branch }) => branch === undefined || env === 'preview', {
    path: ['branch'],
    message: 'only preview has branches',
  });

const targetsOf = ({ target }: VercelVariable) => [target ?? []].flat();
const environmentsOf = (variable: VercelVariable) => [...targetsOf(variable), ...(variable.customEnvironmentIds ?? [])];

export const vercel = defineSync({
  connector,
  destination: 'vercel',
  title: 'Vercel',
  config: Config,
  layout: ({ teamId, app, env, branch = '' }) => ({
    as: 'secrets',
    location: [teamId, app, env, branch].join(' '),
    limits: {
      name: /^[A-Za-z_]\w{0,255}$/,
      expected: 'letters, digits and _, not beginning with a digit',
      bytes: [0, 64 * 1024],
      secrets: 1_000,
    },
    listsAll: true,
  }),
  open(client, { teamId, app: project, env, branch }) {
    const place = { teamId, project };
    const scope = TARGETS.includes(env)
      ? { target: [env], ...(branch !== undefined && { gitBranch: branch }) }
      : { target: [], customEnvironmentIds: [env] };
    const isHere = (variable: VercelVariable) =>
      environmentsOf(variable).includes(env) && (variable.gitBranch ?? undefined) === branch;
    const isOnlyHere = (variable: VercelVariable) => environmentsOf(variable).length === 1;
    /** Leaves a variable to the other environments that it is for. */
    const leave = (variable: VercelVariable) =>
      client.update(place, variable.id, {
        target: targetsOf(variable).filter((one) => one !== env),
        customEnvironmentIds: variable.customEnvironmentIds?.filter((one) => one !== env),
      });
    let known: ReadonlyMap<string, VercelVariable> = new Map();
    return {
      async list() {
        const variables = (await client.variables(place)).filter(isHere);
        known = new Map(variables.map((variable) => [variable.key, variable]));
        return new Map(variables.map(({ key, value }) => [key, value]));
      },
      async put(key, value) {
        const present = known.get(key);
        if (present && isOnlyHere(present))
          // One whose value cannot be read back stays so.
          return client.update(place, present.id, { value, ...(present.type === 'plain' && { type: 'encrypted' }) });
        if (present) await leave(present);
        await client.create(place, { key, value, type: 'encrypted', ...scope });
      },
      async remove(key) {
        const present = known.get(key);
        if (present) await (isOnlyHere(present) ? client.remove(place, present.id) : leave(present));
      },
    };
  },
});
