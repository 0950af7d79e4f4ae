import { DomainError, type Context } from '../../kernel/index.ts';
import { beginWork, connectBy, type Connector, type Credentials } from '../connection/index.ts';

/** Deadline of a check in milliseconds: a caller waits for it. */
const CHECK_MS = 20_000;

/**
 * Shows at the app that it accepts some credentials. Comes before the transaction.
 *
 * @param externalId See `Remote`.
 * @throws DomainError 400 with the message of the app, redacted.
 */
export async function requireAccepted(
  ctx: Context,
  connector: Connector,
  credentials: Credentials,
  externalId: string,
): Promise<void> {
  const session = beginWork(ctx, CHECK_MS);
  try {
    await connector.check(await connectBy(connector, credentials, session, externalId), credentials);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const why = await session.redact(error.message);
    throw new DomainError('bad_request', error.code, `${connector.title} does not accept these credentials: ${why}`);
  }
}
