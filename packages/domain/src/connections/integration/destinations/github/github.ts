import { z } from 'zod';
import { httpsUrl, items, needed, type Destination, type IntegrationSettings } from '../../destination.ts';
import { SecretsApi } from './api.ts';

const GitHubCredentials = z.object({
  accessToken: needed('a token (accessToken)').regex(/^[\x21-\x7e]+$/, 'a token (accessToken)'),
  url: httpsUrl('the https URL of a GitHub Enterprise server (url)').optional(),
});

const part = (what: string) => needed(what, 255).regex(/^(?!\.{1,2}$)[\w.-]+$/, what);
const owner = part('the user or organization (owner)');
const app = part('the repository (app)');

/** As the published API names the three places where GitHub keeps secrets of Actions; a repository where nothing is said. */
const Target = z
  .object({
    scope: z.enum(['github-repo', 'github-org', 'github-env']).default('github-repo'),
    owner,
    app: app.optional(),
    targetEnvironmentId: needed('the name of the environment (targetEnvironmentId)', 255).optional(),
  })
  .superRefine(({ scope, ...target }, ctx) => {
    const missing = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (scope !== 'github-org' && target.app === undefined) missing('app', 'the repository (app)');
    if (scope === 'github-env' && target.targetEnvironmentId === undefined)
      missing('targetEnvironmentId', 'the name of the environment (targetEnvironmentId)');
  });
type Target = z.output<typeof Target>;

function locationOf({ scope, owner: who, app: repository = '', targetEnvironmentId = '' }: Target): string {
  if (scope === 'github-org') return `/orgs/${who}/actions`;
  const path = `/repos/${who}/${repository}`;
  return scope === 'github-env' ? `${path}/environments/${encodeURIComponent(targetEnvironmentId)}` : `${path}/actions`;
}

/** Which repositories of an organization may use a secret: its private ones where nothing is said. */
const visibilityOf = ({
  githubVisibility: visibility = 'private',
  githubVisibilityRepoIds = [],
}: IntegrationSettings) => ({
  visibility,
  ...(visibility === 'selected' && { selected_repository_ids: githubVisibilityRepoIds.map(Number) }),
});

export const github: Destination = {
  slug: 'github',
  title: 'GitHub',
  credentials: GitHubCredentials,
  writeOnly: true,
  fingerprint: (settings) => JSON.stringify(visibilityOf(settings)),
  keepsByDefault: true,
  // GitHub knows names in capitals only.
  nameOf: (name) => name.toUpperCase(),
  mappings: {
    'one-to-one': items(GitHubCredentials, {
      target: Target,
      place: (target) => locationOf(target).toLowerCase(),
      limits: {
        name: /^(?!GITHUB_)[A-Z_][A-Z0-9_]{0,254}$/,
        expected: 'letters, digits and _, not beginning with a digit or GITHUB_',
        bytes: [0, 48 * 1024],
        secrets: 1_000,
      },
      // GitHub asks for writes one after the other.
      atOnce: 1,
      async open({ remote, credentials: { accessToken, url }, target, settings }) {
        const api = new SecretsApi(remote, accessToken, url, locationOf(target));
        const visibility = target.scope === 'github-org' ? visibilityOf(settings) : {};
        return {
          list: async () => new Map((await api.names()).map((name) => [name.toUpperCase(), undefined])),
          put: (name, value) => api.put(name, value, visibility),
          remove: (name) => api.remove(name),
        };
      },
    }),
  },
};
