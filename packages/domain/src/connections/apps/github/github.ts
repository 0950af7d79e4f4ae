import { z } from 'zod';
import { GitHubClient } from '../../../apps/github/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { httpsUrl, token } from '../../fields.ts';

export const github = defineConnector({
  app: 'github',
  title: 'GitHub',
  methods: {
    pat: {
      credentials: z.object({
        personalAccessToken: sealed(token('a token')),
        instanceUrl: httpsUrl('the https URL of a GitHub Enterprise server').optional(),
      }),
      integrationAuth: { personalAccessToken: 'accessToken', instanceUrl: 'url' },
    },
  },
  connect: ({ personalAccessToken, instanceUrl }, remote) => new GitHubClient(remote, personalAccessToken, instanceUrl),
});
