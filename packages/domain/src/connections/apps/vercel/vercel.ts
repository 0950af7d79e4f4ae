import { z } from 'zod';
import { VercelClient, VercelEnvironment } from '../../../apps/vercel/index.ts';
import { mapAtOnce, sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { token } from '../../fields.ts';

const Named = z.object({ id: z.string(), name: z.string() });
const Team = Named.extend({
  slug: z.string(),
  apps: z.array(Named.extend({ envs: z.array(VercelEnvironment).describe('Its custom environments') })),
});

/** Projects that are asked about at once. */
const AT_ONCE = 10;

/** Every team with its projects. */
async function projectsOf(client: VercelClient): Promise<z.input<typeof Team>[]> {
  const teams = [];
  for (const { id, name, slug } of await client.teams()) {
    const withEnvironments = async (project: { id: string; name: string }) => ({
      ...project,
      envs: await client.customEnvironments(id, project.id),
    });
    const apps = await mapAtOnce(await client.projects(id), AT_ONCE, withEnvironments);
    teams.push({ id, name: name ?? slug, slug, apps });
  }
  return teams;
}

export const vercel = defineConnector({
  app: 'vercel',
  title: 'Vercel',
  methods: {
    'api-token': { credentials: z.object({ apiToken: sealed(token('an access token')) }) },
  },
  systemOf: () => ({ name: 'api.vercel.com' }),
  connect: ({ apiToken }, remote) => new VercelClient(remote, apiToken),
  check: (client) => client.user(),
  lists: {
    projects: defineList({ what: 'the teams with their projects', answer: z.array(Team), read: projectsOf }),
  },
});
