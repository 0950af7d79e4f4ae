import { z } from 'zod';
import { HumanitecClient } from '../../../apps/humanitec/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector, defineList } from '../../connection/index.ts';
import { token } from '../../fields.ts';

const Named = z.object({ id: z.string(), name: z.string() });

export const humanitec = defineConnector({
  app: 'humanitec',
  title: 'Humanitec',
  methods: {
    'api-token': { credentials: z.object({ apiToken: sealed(token('the API token of a service user')) }) },
  },
  systemOf: () => ({ name: 'api.humanitec.io' }),
  connect: ({ apiToken }, remote) => new HumanitecClient(remote, apiToken),
  check: (client) => client.currentUser(),
  lists: {
    organizations: defineList({
      what: 'the organizations with their applications and environments',
      answer: z.array(Named.extend({ apps: z.array(Named.extend({ envs: z.array(Named) })) })),
      read: (client: HumanitecClient) => client.organizations(),
    }),
  },
});
