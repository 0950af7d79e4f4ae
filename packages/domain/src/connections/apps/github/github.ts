import { z } from 'zod';
import { apiOf, GitHubClient } from '../../../apps/github/index.ts';
import { sealed } from '../../../family/index.ts';
import { text } from '../../../kernel/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { hostOf, httpsUrl, token } from '../../fields.ts';
import { lists } from './lists.ts';

const HOST = 'the host name of a GitHub Enterprise server, as github.example.com';
const Server = z.object({
  instanceType: z.enum(['cloud', 'server']).optional().describe('server: host names it'),
  host: text(255)
    .trim()
    .toLowerCase()
    .regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, HOST)
    .optional()
    .describe('The host name of a GitHub Enterprise server; default: github.com'),
  instanceUrl: httpsUrl('the https URL of a GitHub Enterprise server')
    .optional()
    .describe('Instead of host, for a server below a path'),
});

/** The URL of the server; `undefined` for github.com. */
const urlOf = ({ instanceType, host, instanceUrl }: z.output<typeof Server>): string | undefined => {
  if (instanceUrl !== undefined) return instanceUrl;
  return host === undefined || instanceType === 'cloud' ? undefined : `https://${host}`;
};

export const github = defineConnector({
  app: 'github',
  title: 'GitHub',
  methods: {
    pat: {
      credentials: Server.extend({
        personalAccessToken: sealed(token('a token'), { sentTo: ['instanceType', 'host', 'instanceUrl'] }),
      }),
      integrationAuth: { personalAccessToken: 'accessToken', instanceUrl: 'url' },
    },
  },
  systemOf: (server) => ({ name: hostOf(apiOf(urlOf(server))) }),
  connect: (credentials, remote) => new GitHubClient(remote, credentials.personalAccessToken, urlOf(credentials)),
  // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
  check: async (client) => void (await client.ask('/user')),
  lists,
});
