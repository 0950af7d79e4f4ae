import { z } from 'zod';
import type { GitHubClient } from '../../../apps/github/index.ts';
import { pathTo } from '../../../family/index.ts';
import { text } from '../../../kernel/index.ts';
import { defineList } from '../../connection/index.ts';

const Repository = z.object({
  id: z.int(),
  name: z.string(),
  owner: z.object({ id: z.int(), login: z.string() }),
});
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
      repositories: await client.all('/user/repos', z.array(Repository)),
    }),
  }),
  // https://docs.github.com/en/rest/orgs/orgs#list-organizations-for-the-authenticated-user
  organizations: defineList({
    what: 'the organizations',
    answer: z.object({ organizations: z.array(Organization) }),
    read: async (client: GitHubClient) => ({
      organizations: await client.all('/user/orgs', z.array(Organization)),
    }),
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
