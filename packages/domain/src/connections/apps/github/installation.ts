import { z } from 'zod';
import {
  checkInstallation,
  GitHubClient,
  installationToken,
  MAX_REPOSITORIES,
  type GitHubInstallation,
} from '../../../apps/github/index.ts';
import { readPrivateKey } from '../../../crypto/index.ts';
import { isRemote, type OAuthTokens } from '../../../family/index.ts';
import { badRequest, type DomainError } from '../../../kernel/index.ts';
import type { Remote } from '../../connection/index.ts';
import { requireReach, type Reach } from './reach.ts';

export const REPOSITORIES = '/installation/repositories';

interface Installation extends Partial<Reach> {
  readonly installationId: string;
  /** Of the user who saves the connection: only then. */
  readonly tokens?: OAuthTokens;
}

/** A client with the rights that whoever saved the connection has shown. */
export class InstallationClient extends GitHubClient {
  readonly reach: Reach;

  constructor(remote: Remote, token: string, reach: Reach) {
    super(remote, token, undefined, { isInstallation: true });
    this.reach = reach;
  }
}

/**
 * The client of an installation of the operator's GitHub App. Every member of an organization can find the number of its
 * installation, which gives the rights of the app. So whoever saves a connection has to administer all that it reaches
 * then; that is stored, and all tokens are limited to it: what others add to the installation later is theirs.
 *
 * @throws DomainError 400 `github.installation`, `app_connection.not_configured`.
 */
export async function clientOfInstallation(
  remote: Remote,
  { installationId, tokens, ...stored }: Installation,
): Promise<GitHubClient> {
  const { githubApp } = remote.settings;
  const privateKey = githubApp && readPrivateKey(githubApp.privateKey);
  if (!privateKey) throw badRequest('app_connection.not_configured', 'The operator has not set COFFER_GITHUB_APP_ID');
  const installation = { appId: githubApp.appId, privateKey, installationId };
  const { account, permissions } = await checkInstallation(remote, installation);
  const reach = tokens
    ? await requireReach({
        user: new GitHubClient(remote, tokens.accessToken, undefined),
        whole: await looking(remote, installation),
        installationId,
        account,
      })
    : reachOf(stored);
  const token = await tokenFor(remote, installation, { reach, granted: permissions });
  return new InstallationClient(remote, token, reach);
}

function reachOf({ repositoryIds = [], isOwner = false }: Partial<Reach>): Reach {
  if (repositoryIds.length === 0)
    throw badRequest(
      'github.installation',
      'It is not known which repositories this connection may reach: save it again with a new code',
    );
  return { repositoryIds, isOwner };
}

/** A client that sees all of an installation, and changes nothing. */
async function looking(remote: Remote, installation: GitHubInstallation): Promise<GitHubClient> {
  const { token } = await installationToken(remote, installation, { permissions: { metadata: 'read' } });
  return new GitHubClient(remote, token, undefined, { isInstallation: true });
}

/** What Coffer uses: https://docs.github.com/en/rest/authentication/permissions-required-for-github-apps */
const USED = { metadata: 'read', actions: 'read', environments: 'write', secrets: 'write' };
/** Only for whoever owns the organization. */
const OF_OWNERS = { organization_secrets: 'write' };

interface Limited {
  readonly reach: Reach;
  /** The permissions of the installation. */
  readonly granted: Readonly<Record<string, string>>;
}

async function tokenFor(
  remote: Remote,
  installation: GitHubInstallation,
  { reach: { repositoryIds, isOwner }, granted }: Limited,
): Promise<string> {
  const wanted = Object.entries({ ...USED, ...(isOwner && OF_OWNERS) });
  const permissions = Object.fromEntries(
    wanted.flatMap(([name, level]) => {
      const has = granted[name];
      return has === undefined ? [] : [[name, has === 'read' ? 'read' : level]];
    }),
  );
  const tokenOf = async (ids: readonly number[]) =>
    (await installationToken(remote, installation, { repositoryIds: ids, permissions })).token;
  try {
    return await tokenOf(repositoryIds);
  } catch (error) {
    if (!isRemote(error, 'rejected')) throw error;
    return tokenOf(await remaining(remote, installation, repositoryIds, error));
  }
}

/** Those that the installation still has. GitHub issues no token for others. @throws the error, where that is not why. */
async function remaining(
  remote: Remote,
  installation: GitHubInstallation,
  repositoryIds: readonly number[],
  error: DomainError,
): Promise<number[]> {
  const client = await looking(remote, installation);
  const present = new Set((await client.all(REPOSITORIES, Ids)).map(({ id }) => id));
  const left = repositoryIds.filter((id) => present.has(id));
  if (left.length === 0 || left.length === repositoryIds.length) throw error;
  return left;
}

const Ids = z
  .object({ repositories: z.array(z.object({ id: z.int() })) })
  .transform(({ repositories }) => repositories);

/** The fields in which the reach of a connection is stored. */
export const reachFields = {
  repositoryIds: z
    .array(z.int())
    .max(MAX_REPOSITORIES)
    .optional()
    .describe('The IDs of the repositories that it reaches: those of the installation when it was saved'),
  isOwner: z.boolean().optional().describe('Whether it reaches secrets of the organization: who saved it owns that'),
};
