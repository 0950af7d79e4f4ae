import { isRemote, remoteError, requestTokens, type OAuthTokens } from '../../family/index.ts';
import { badRequest, type AppSettings, type OAuthApplication, type OAuthClient } from '../../kernel/index.ts';
import type { Connector, Method, OAuthMethod, Remote } from './connector.ts';

/**
 * The variable of the operator that a method needs, where it is not set: methods without it are not offered.
 */
export function missingSettingOf(method: Method, settings: AppSettings): string | undefined {
  const application = method.oauth?.application;
  if (application !== undefined && !settings.oauth[application]) return variableOf(application);
  return method.missingSetting?.(settings);
}

/** The variable that the operator has to set before an app can be used, where none of its methods is available. */
export function missingSettingOfApp(
  { methods }: Pick<Connector, 'methods'>,
  settings: AppSettings,
): string | undefined {
  const missing = Object.values(methods).map((method) => missingSettingOf(method, settings));
  return missing.includes(undefined) ? undefined : missing[0];
}

const variableOf = (application: OAuthApplication) => `COFFER_${application.toUpperCase()}_CLIENT_ID`;

/** @throws DomainError 400 where the operator has removed it since. */
function clientOf({ oauth }: AppSettings, application: OAuthApplication): OAuthClient {
  const client = oauth[application];
  if (client) return client;
  throw badRequest('app_connection.not_configured', `The operator has not set ${variableOf(application)}`);
}

/** Exchanges a code for tokens. @throws DomainError 400, `remote.rejected` for a code that is wrong, old or used. */
export const exchangeCode = (
  method: OAuthMethod,
  credentials: Readonly<Record<string, unknown>>,
  remote: Remote,
): Promise<OAuthTokens> =>
  ask(method, credentials, remote, {
    grant_type: 'authorization_code',
    code: String(credentials['code']),
    redirect_uri: remote.siteUrl + method.callback,
  });

/** Exchanges a refresh token for new tokens; the same one stays, where the app issues no new one. */
export async function refreshTokens(
  method: OAuthMethod,
  credentials: Readonly<Record<string, unknown>>,
  remote: Remote,
  refreshToken: string,
): Promise<OAuthTokens> {
  try {
    const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
    return { refreshToken, ...(await ask(method, credentials, remote, fields)) };
  } catch (error) {
    if (!isRemote(error, 'rejected')) throw error;
    throw remoteError('rejected', `${error.message}; authorize Coffer again and update the connection with the code`);
  }
}

async function ask(
  method: OAuthMethod,
  credentials: Readonly<Record<string, unknown>>,
  remote: Remote,
  fields: Readonly<Record<string, string>>,
): Promise<OAuthTokens> {
  const { clientId, clientSecret } = clientOf(remote.settings, method.application);
  remote.hide(clientSecret);
  const own = { client_id: clientId, client_secret: clientSecret, ...fields };
  return requestTokens(
    remote,
    method.tokenUrl(credentials),
    method.scope === undefined ? own : { ...own, scope: method.scope },
  );
}
