import { sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { jsonOf, malformed, rejectedBy, type TokenIo } from '../../family/index.ts';
import { GitHubClient } from './client.ts';

/** An installation of a GitHub App, which its private key speaks for. */
export interface GitHubInstallation {
  readonly appId: string;
  /** RSA. */
  readonly privateKey: KeyObject;
  readonly installationId: string;
  /** The URL of a server; default: github.com. */
  readonly server?: string | undefined;
}

const Token = z.object({
  token: z.string().regex(/^[\x21-\x7e]{1,8192}$/),
  expires_at: z.iso.datetime(),
  permissions: z.record(z.string(), z.string()).default({}),
  repository_selection: z.string().default('all'),
});
/** A token of an installation; GitHub lets it live for an hour. */
export type InstallationToken = z.output<typeof Token>;

/** Seconds: from a minute ago, against clocks that differ, and not as long as GitHub allows. */
const [EARLIER, LIFE] = [60, 540];

/** In the thread pool: the key may be a long one. */
const signed = promisify<string, Buffer, KeyObject, Buffer>(sign);

/** https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app */
async function clientOfApp(io: TokenIo, { appId, privateKey, server }: GitHubInstallation): Promise<GitHubClient> {
  const now = Math.floor(io.now.getTime() / 1000);
  const claims = { iat: now - EARLIER, exp: now + LIFE, iss: appId };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims].map(encoded).join('.');
  const jwt = `${text}.${(await signed('sha256', Buffer.from(text), privateKey)).toString('base64url')}`;
  io.hide(jwt);
  return new GitHubClient(io, jwt, server);
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

const pathOf = ({ installationId }: GitHubInstallation) => `/app/installations/${encodeURIComponent(installationId)}`;

/** What a token is limited to. */
export interface TokenLimits {
  /** At most `MAX_REPOSITORIES` of the installation, all of which exist; default: all. */
  readonly repositoryIds?: readonly number[];
  /** By name, with `read` or `write`: no more than the installation has. */
  readonly permissions: Readonly<Record<string, string>>;
}

/** So many repositories a token can be limited to. */
export const MAX_REPOSITORIES = 500;

/**
 * A new token, which is hidden from all later texts.
 * https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
 */
export async function installationToken(
  io: TokenIo,
  installation: GitHubInstallation,
  limits?: TokenLimits,
): Promise<InstallationToken> {
  const client = await clientOfApp(io, installation);
  const path = `${pathOf(installation)}/access_tokens`;
  const { success, data } = Token.safeParse(
    jsonOf(await client.ask(path, { method: 'POST', ...(limits && { body: bodyOf(limits) }) })),
  );
  if (!success) throw malformed(client.urlOf(path), 'no installation token');
  io.hide(data.token);
  return data;
}

const bodyOf = ({ repositoryIds, permissions }: TokenLimits): string =>
  JSON.stringify({ ...(repositoryIds && { repository_ids: repositoryIds }), permissions });

const Shown = z.object({
  suspended_at: z.string().nullish(),
  account: z.object({ login: z.string(), type: z.string() }).nullish(),
  permissions: z.record(z.string(), z.string()).default({}),
});

/**
 * Shows that the key is accepted, and the installation in use.
 * https://docs.github.com/en/rest/apps/apps#get-an-installation-for-the-authenticated-app
 */
export async function checkInstallation(
  io: TokenIo,
  installation: GitHubInstallation,
): Promise<z.output<typeof Shown>> {
  const client = await clientOfApp(io, installation);
  const { data } = Shown.safeParse(jsonOf(await client.ask(pathOf(installation))));
  if (!data) throw malformed(client.urlOf(pathOf(installation)), 'no installation');
  if (data.suspended_at) throw rejectedBy('GitHub', 'the installation is suspended');
  return data;
}
