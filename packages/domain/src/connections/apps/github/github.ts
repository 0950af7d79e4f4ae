import { z } from 'zod';
import { apiOf, GitHubClient } from '../../../apps/github/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { hostOf, httpsUrl, token } from '../../fields.ts';

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
  systemOf: ({ instanceUrl }) => ({ name: hostOf(apiOf(instanceUrl)) }),
  connect: ({ personalAccessToken, instanceUrl }, remote) => new GitHubClient(remote, personalAccessToken, instanceUrl),
});
