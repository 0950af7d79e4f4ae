import { z } from 'zod';
import type { GitHubClient } from '../../../apps/github/index.ts';
import { pathTo } from '../../../family/index.ts';
import { text } from '../../../kernel/index.ts';
import { defineList } from '../../connection/index.ts';
import { REPOSITORIES } from './installation.ts';

const Repository = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.object({ id: z.int(), login: z.string() }),
});
const Repositories = z.object({ repositories: z.array(Repository) }).transform(({ repositories }) => repositories);
const Owners = z
  .object({
    repositories: z.array(z.object({ owner: z.object({ id: z.int(), login: z.string(), type: z.string() }) })),
  })
  .transform(({ repositories }) => repositories.map(({ owner }) => owner));
const Organization = z.object({ id: z.int(), login: z.string() });
const Environment = z.object({ id: z.int(), name: z.string() });
const Environments = z.object({ environments: z.array(Environment) }).transform(({ environments }) => environments);
const name = (what: string) => text(255).trim().min(1).describe(what);

export const lists = {
  // https://docs.github.com/en/rest/repos/repos#list-repositories-for-the-authenticated-user
  repositories: defineList({
    what: 'the repositories',
    answer: z.object({ repositories: z.array(Repository) }),
    read: async (client: GitHubClient) => ({
      repositories: client.isInstallation
        ? await client.all(REPOSITORIES, Repositories)
        : await client.all('/user/repos', z.array(Repository)),
    }),
  }),
  // https://docs.github.com/en/rest/orgs/orgs#list-organizations-for-the-authenticated-user
  organizations: defineList({
    what: 'the organizations',
    answer: z.object({ organizations: z.array(Organization) }),
    async read(client: GitHubClient) {
      if (!client.isInstallation) return { organizations: await client.all('/user/orgs', z.array(Organization)) };
      // An installation belongs to one account.
      const owners = (await client.all(REPOSITORIES, Owners)).filter(({ type }) => type === 'Organization');
      return { organizations: [...new Map(owners.map(({ id, login }) => [id, { id, login }])).values()] };
    },
  }),
  // https://docs.github.com/en/rest/deployments/environments#list-environments
  environments: defineList({
    what: 'the environments of a repository',
    query: z.object({ owner: name('The owner of the repository'), repo: name('The name of the repository') }),
    answer: z.object({ environments: z.array(Environment) }),
    read: async (client: GitHubClient, { owner, repo }) => ({
      environments: await client.all(pathTo`/repos/${owner}/${repo}/environments`, Environments),
    }),
  }),
};
