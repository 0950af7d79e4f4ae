import { DomainError, type Context } from '../../kernel/index.ts';
import { beginWork, connectBy, type Connector, type Credentials } from '../connection/index.ts';

/** Deadline of what a caller waits for, in milliseconds. */
const WAIT_MS = 20_000;

/**
 * Works at an app with some credentials, while a caller waits. Comes before the transaction.
 *
 * @param externalId See `Remote`.
 * @param failed What a failure of the app means, for people.
 * @throws DomainError 400 with the message of the app, redacted.
 */
export async function workAt<Client, T>(
  ctx: Context,
  connector: Connector<Client>,
  credentials: Credentials,
  externalId: string,
  failed: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const session = beginWork(ctx, WAIT_MS);
  try {
    return await work(await connectBy(connector, credentials, session, externalId));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const why = await session.redact(error.message);
    throw new DomainError('bad_request', error.code, `${failed}: ${why}`);
  }
}

/** Shows at the app that it accepts some credentials. @throws DomainError as `workAt` */
export const requireAccepted = (
  ctx: Context,
  connector: Connector,
  credentials: Credentials,
  externalId: string,
): Promise<void> =>
  workAt(ctx, connector, credentials, externalId, `${connector.title} does not accept these credentials`, (client) =>
    connector.check(client, credentials),
  );
