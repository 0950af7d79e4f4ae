import type { Context } from '../../kernel/index.ts';
import { connectBy, whileWaiting, type Connector, type Credentials } from '../connection/index.ts';

/**
 * Shows at the app that it accepts some credentials. Comes before the transaction.
 *
 * @param externalId See `Remote`.
 * @throws DomainError 400 with the message of the app, redacted.
 */
export const requireAccepted = (
  ctx: Context,
  connector: Connector,
  credentials: Credentials,
  externalId: string,
): Promise<void> =>
  whileWaiting(ctx, `${connector.title} does not accept these credentials`, async (session) =>
    connector.check(await connectBy(connector, credentials, session, externalId), credentials),
  );
