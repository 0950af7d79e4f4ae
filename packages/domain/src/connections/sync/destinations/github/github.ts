import { z } from 'zod';
import { github as connector } from '../../../apps/github/index.ts';
import { needed } from '../../../fields.ts';
import { defineSync, type Limits } from '../../sync.ts';
import { SecretsApi } from './secrets-api.ts';

const part = (what: string) => needed(what, 255).regex(/^(?!\.{1,2}$)[\w.-]+$/, what);
const ENVIRONMENT = 'the name of the environment';
const owner = part('the user or organization');
const repo = part('the repository');

/** The three scopes of GitHub Actions secrets. */
const Config = z.discriminatedUnion(
  'scope',
  [
    z.object({ scope: z.literal('repository'), owner, repo }),
    z.object({
      scope: z.literal('repository-environment'),
      ...{ owner, repo, env: needed(ENVIRONMENT, 255).regex(/^(?!\.{1,2}$)/, ENVIRONMENT) },
    }),
    z.object({
      scope: z.literal('organization'),
      org: owner,
      visibility: z.enum(['all', 'private', 'selected']).default('private'),
      selectedRepositoryIds: z.array(z.int().positive()).max(1000).default([]),
    }),
  ],
  'where GitHub keeps the secrets',
);
type Config = z.output<typeof Config>;

function locationOf(config: Config): string {
  if (config.scope === 'organization') return `/orgs/${config.org}/actions`;
  const path = `/repos/${config.owner}/${config.repo}`;
  return config.scope === 'repository' ? `${path}/actions` : `${path}/environments/${encodeURIComponent(config.env)}`;
}

/** Which repositories of an organization may use a secret. */
const visibilityOf = (config: Config) => ({
  visibility: config.scope === 'organization' ? config.visibility : 'private',
  ...(config.scope === 'organization' &&
    config.visibility === 'selected' && { selected_repository_ids: config.selectedRepositoryIds }),
});

const SCOPES: Readonly<Record<string, Config['scope']>> = {
  'github-repo': 'repository',
  'github-env': 'repository-environment',
  'github-org': 'organization',
};

const limits: Limits = {
  name: /^(?!GITHUB_)[A-Z_][A-Z0-9_]{0,254}$/,
  expected: 'letters, digits and _, not beginning with a digit or GITHUB_',
  bytes: [0, 48 * 1024],
  secrets: 1_000,
};

export const github = defineSync({
  connector,
  destination: 'github',
  title: 'GitHub',
  config: Config,
  writeOnly: true,
  fingerprint: (config) => JSON.stringify(visibilityOf(config)),
  // GitHub stores names in upper case only, and asks clients to write one at a time.
  nameOf: (name) => name.toUpperCase(),
  layout: (config) => ({ as: 'secrets', location: locationOf(config).toLowerCase(), limits, listsAll: true }),
  open(client, config) {
    const api = new SecretsApi(client, locationOf(config));
    const visibility = config.scope === 'organization' ? visibilityOf(config) : {};
    return {
      list: async () => new Map((await api.names()).map((name) => [name.toUpperCase(), undefined])),
      put: (name, value) => api.put(name, value, visibility),
      remove: (name) => api.remove(name),
    };
  },
  integration: {
    name: 'github',
    fields: { scope: 'scope', owner: 'owner', org: 'owner', repo: 'app', env: 'targetEnvironmentId' },
    config: ({ scope = 'github-repo', ...others }) => ({ ...others, scope: SCOPES[scope] ?? scope }),
    mappings: ['one-to-one'],
    keepsByDefault: true,
  },
});
