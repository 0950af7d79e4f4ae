import { badRequest, DomainError, type Context } from '../../kernel/index.ts';
import {
  beginWork,
  connectBy,
  hideCredentials,
  missingSettingOf,
  withTokens,
  type Connector,
  type Credentials,
  type Owner,
} from '../connection/index.ts';

/** Deadline of a check in milliseconds: a caller waits for it. */
const CHECK_MS = 20_000;

/**
 * Shows at the app that it accepts some credentials, and returns what is stored: with the tokens for a code. Comes
 * before the transaction.
 *
 * @throws DomainError 400 with the message of the app, redacted; `app_connection.not_configured`.
 */
export async function requireAccepted(
  ctx: Context,
  connector: Connector,
  credentials: Credentials,
  owner: Owner,
): Promise<Credentials> {
  requireConfigured(ctx, connector, credentials);
  const session = beginWork(ctx, CHECK_MS);
  hideCredentials(connector, credentials, session);
  try {
    const complete = await withTokens(ctx, connector, credentials, session, owner);
    await connector.check(await connectBy(ctx, connector, complete, session, owner), complete);
    return complete;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const why = await session.redact(error.message);
    throw new DomainError('bad_request', error.code, `${connector.title} does not accept these credentials: ${why}`);
  }
}

function requireConfigured({ settings }: Context, { title, methods }: Connector, { method }: Credentials): void {
  const missing = missingSettingOf(methods[method]!, settings.apps);
  if (missing === undefined) return;
  const what = `The operator of this server has not set ${missing}, which the method ${method} of ${title} needs`;
  throw badRequest('app_connection.not_configured', what, { setting: missing });
}
