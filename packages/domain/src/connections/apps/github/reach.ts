import { z } from 'zod';
import { MAX_REPOSITORIES, type GitHubClient } from '../../../apps/github/index.ts';
import { isRemote, jsonOf, pathTo } from '../../../family/index.ts';
import { badRequest } from '../../../kernel/index.ts';

/** What whoever saves a connection has shown to administer. */
export interface Reach {
  readonly repositoryIds: readonly number[];
  /** Whether they own the organization of the installation. */
  readonly isOwner: boolean;
}

interface Asked {
  /** As the user who saves the connection. */
  readonly user: GitHubClient;
  /** As the whole installation. */
  readonly whole: GitHubClient;
  readonly installationId: string;
  readonly account: { readonly login: string; readonly type: string } | null | undefined;
}

const Page = z
  .object({
    total_count: z.int(),
    repositories: z.array(z.object({ id: z.int(), permissions: z.object({ admin: z.boolean() }).optional() })),
  })
  .transform(({ total_count: of, repositories }) => repositories.map((one) => ({ ...one, of })));

/**
 * Requires that a user administers all repositories of an installation.
 * https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token
 *
 * @throws DomainError 400 `github.installation`
 */
export async function requireReach({ user, whole, installationId, account }: Asked): Promise<Reach> {
  const own = await allOf(user, pathTo`/user/installations/${installationId}/repositories`);
  const administered = new Set(own.flatMap(({ id, permissions }) => (permissions?.admin ? [id] : [])));
  const reached = await allOf(whole, '/installation/repositories');
  if (reached.length === 0) throw refused('The installation has no repositories yet: select them first');
  if (reached.some(({ id }) => !administered.has(id)))
    throw refused('Who authorizes the connection has to administer all repositories of the installation');
  if (reached.length > MAX_REPOSITORIES)
    throw refused(
      `The installation has ${reached.length} repositories, and a connection reaches at most ${MAX_REPOSITORIES}: select fewer for it`,
    );
  const isOwner = account?.type === 'Organization' && (await isOwnerOf(user, account.login));
  return { repositoryIds: reached.map(({ id }) => id), isOwner };
}

const refused = (message: string) => badRequest('github.installation', message);

/** A whole list: nothing is decided by the part of one. */
async function allOf(client: GitHubClient, path: string) {
  const all = await client.all(path, Page);
  if (all.length < Math.max(0, ...all.map(({ of }) => of)))
    throw refused('The installation has more repositories than can be checked: select fewer for it');
  return all;
}

const Membership = z.object({ state: z.literal('active'), role: z.literal('admin') });

/** https://docs.github.com/en/rest/orgs/members#get-an-organization-membership-for-the-authenticated-user */
async function isOwnerOf(user: GitHubClient, organization: string): Promise<boolean> {
  try {
    const answer = await user.ask(pathTo`/user/memberships/orgs/${organization}`);
    return Membership.safeParse(jsonOf(answer)).success;
  } catch (error) {
    if (isRemote(error, 'rejected')) return false;
    throw error;
  }
}
