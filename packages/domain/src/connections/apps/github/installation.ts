import { z } from 'zod';
import { GitHubClient, installationToken } from '../../../apps/github/index.ts';
import { readPrivateKey } from '../../../crypto/index.ts';
import type { OAuthTokens } from '../../../family/index.ts';
import { badRequest } from '../../../kernel/index.ts';
import type { Remote } from '../../connection/index.ts';

interface Installation {
  readonly installationId: string;
  /** Of the user who saves the connection: only then. */
  readonly tokens?: OAuthTokens;
}

export const REPOSITORIES = '/installation/repositories';

/**
 * The client of an installation of the operator's GitHub App. Whoever saves a connection to it has to administer all that
 * it reaches: it gives the rights of the app, and every member of an organization can find its number.
 *
 * @throws DomainError 400 `github.installation`, `app_connection.not_configured`.
 */
export async function clientOfInstallation(
  remote: Remote,
  { installationId, tokens }: Installation,
): Promise<GitHubClient> {
  const { githubApp } = remote.settings;
  const privateKey = githubApp && readPrivateKey(githubApp.privateKey);
  if (!privateKey) throw badRequest('app_connection.not_configured', 'The operator has not set COFFER_GITHUB_APP_ID');
  const { token } = await installationToken(remote, { appId: githubApp.appId, privateKey, installationId });
  const client = new GitHubClient(remote, token, undefined, { isInstallation: true });
  if (tokens) {
    const user = new GitHubClient(remote, tokens.accessToken, undefined);
    await requireAdministrator(user, client, installationId);
  }
  return client;
}

const Page = z
  .object({
    repositories: z.array(z.object({ id: z.int(), permissions: z.object({ admin: z.boolean() }).optional() })),
  })
  .transform(({ repositories }) => repositories);

/** https://docs.github.com/en/rest/apps/installations#list-repositories-accessible-to-the-user-access-token */
async function requireAdministrator(user: GitHubClient, client: GitHubClient, installationId: string): Promise<void> {
  const own = await user.all(`/user/installations/${encodeURIComponent(installationId)}/repositories`, Page);
  const administered = new Set(own.flatMap(({ id, permissions }) => (permissions?.admin ? [id] : [])));
  const reached = await client.all(REPOSITORIES, Page);
  if (reached.some(({ id }) => !administered.has(id)))
    throw badRequest(
      'github.installation',
      'Who authorizes the connection has to administer all repositories of the installation',
    );
}
