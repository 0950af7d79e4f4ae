import { z } from 'zod';
import { apiOf, GitHubClient } from '../../../apps/github/index.ts';
import { sealed } from '../../../family/index.ts';
import { defineConnector } from '../../connection/index.ts';
import { httpsUrl, needed, serverHost, systemAt, token } from '../../fields.ts';
import { clientOfInstallation, InstallationClient, reachFields, REPOSITORIES } from './installation.ts';
import { lists } from './lists.ts';

const HOST = 'the host name of a GitHub Enterprise server, as github.example.com';
const Server = z.object({
  instanceType: z.enum(['cloud', 'server']).optional().describe('server: host names it'),
  host: serverHost(HOST, /^[a-z0-9.-]+(?::\d{1,5})?$/)
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

const INSTALLATION = 'the number of an installation of the GitHub App';
/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const OAUTH = {
  callback: '/organization/app-connections/github/oauth/callback',
  tokenUrl: () => 'https://github.com/login/oauth/access_token',
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
    oauth: {
      credentials: z.object({ code: sealed(token('the code of an authorization')) }),
      oauth: { application: 'github', ...OAUTH, scope: 'repo admin:org' },
    },
    'github-app': {
      credentials: z.object({
        code: sealed(token('the code of an authorization'), { sentTo: ['installationId'] }),
        installationId: needed(INSTALLATION, 18).regex(/^\d+$/, INSTALLATION),
        ...reachFields,
      }),
      learned: { repositoryIds: ['code', 'installationId'], isOwner: ['code', 'installationId'] },
      oauth: { application: 'github_app', ...OAUTH, isProof: true },
      missingSetting: ({ githubApp }) => (githubApp ? undefined : 'COFFER_GITHUB_APP_ID'),
    },
  },
  systemOf: (given) => systemAt(apiOf(given.method === 'pat' ? urlOf(given) : undefined)),
  async connect(given, remote): Promise<GitHubClient> {
    if (given.method === 'github-app') return clientOfInstallation(remote, given);
    if (given.method === 'oauth') return new GitHubClient(remote, given.tokens.accessToken, undefined);
    return new GitHubClient(remote, given.personalAccessToken, urlOf(given));
  },
  // https://docs.github.com/en/rest/users/users#get-the-authenticated-user
  // https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-app-installation
  check: async (client) => void (await client.ask(client.isInstallation ? `${REPOSITORIES}?per_page=1` : '/user')),
  learn: (client) => (client instanceof InstallationClient ? { ...client.reach } : {}),
  lists,
});
