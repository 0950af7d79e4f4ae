import { tryCredentials } from '../../access/index.ts';
import { badRequest, type Context } from '../../kernel/index.ts';
import {
  connectBy,
  hideCredentials,
  missingSettingOf,
  whileWaiting,
  withTokens,
  type Connector,
  type Credentials,
  type Owner,
} from '../connection/index.ts';

/**
 * Shows at the app that it accepts some credentials, and returns what is stored: with the tokens for a code, and with what
 * was learned of the system. Comes before the transaction.
 *
 * @throws DomainError 400 with the message of the app, redacted; `app_connection.not_configured`; 429 after many refusals.
 */
export async function requireAccepted(
  ctx: Context,
  connector: Connector,
  credentials: Credentials,
  owner: Owner,
): Promise<Credentials> {
  requireConfigured(ctx, connector, credentials);
  const tried = { ...placeOf(owner), what: connector.app, target: connector.systemOf(credentials).name };
  const failed = `${connector.title} does not accept these credentials`;
  return tryCredentials(ctx, tried, () =>
    whileWaiting(ctx, failed, async (session) => {
      hideCredentials(connector, credentials, session);
      const complete = await withTokens(ctx, connector, credentials, session, owner);
      const client = await connectBy(ctx, connector, complete, session, owner);
      await connector.check(client, complete);
      return storedOf(connector, { ...complete, ...connector.learn?.(client) });
    }),
  );
}

const placeOf = ({ organizationId, projectId }: Owner) => ({ organizationId, projectId });

/** Without the tokens of a code that only shows who the user is. */
function storedOf({ methods }: Connector, complete: Credentials): Credentials {
  if (!methods[complete.method]!.oauth?.isProof) return complete;
  const { tokens: _, ...stored } = complete;
  return stored;
}

function requireConfigured({ settings }: Context, { title, methods }: Connector, { method }: Credentials): void {
  const missing = missingSettingOf(methods[method]!, settings.apps);
  if (missing === undefined) return;
  const what = `The operator of this server has not set ${missing}, which the method ${method} of ${title} needs`;
  throw badRequest('app_connection.not_configured', what, { setting: missing });
}
