import { isRemote, remoteError, type RemoteSession } from '../../family/index.ts';
import { record, type Context, type Transaction } from '../../kernel/index.ts';
import { makePassword } from '../../secrets/dynamic/index.ts';
import {
  connectBy,
  hideCredentials,
  openNextCredentials,
  sealCredentials,
  sealedAt,
  sealNextCredentials,
  storePassword,
  type Connector,
  type Credentials,
} from '../connection/index.ts';
import { appConnectionPasswordChanged } from './app-connection.ts';
import { credentialsOf, type ConnectionRow } from './find.ts';

/** A connection whose next password is stored. */
export type PendingRow = ConnectionRow & { readonly nextCredentials: Buffer };

export const isPending = (row: ConnectionRow): row is PendingRow => Boolean(row.nextCredentials);

/** What is stored before the app gets a password that only Coffer knows. */
export const sealNextPassword = (
  ctx: Context,
  row: Parameters<typeof sealedAt>[0],
  credentials: Credentials,
): Promise<Buffer> => sealNextCredentials(ctx, sealedAt(row), { ...credentials, password: makePassword() });

/**
 * Changes the password of the login of a connection to the one that is stored as its next. May be repeated after whatever
 * interrupted it.
 *
 * @param isFirst Whether nothing can have been changed yet.
 * @returns the credentials that the app accepts now.
 * @throws DomainError `remote.rejected` only where nothing was changed.
 */
export async function changePassword(
  ctx: Context,
  row: PendingRow,
  connector: Connector,
  session: RemoteSession,
  { isFirst }: { readonly isFirst: boolean },
): Promise<Credentials> {
  const next = await openNextCredentials(ctx, sealedAt(row), row.nextCredentials);
  const present = await credentialsOf(ctx, row);
  for (const credentials of [next, present]) hideCredentials(connector, credentials, session);
  const logIn = async () => connector.check(await connectBy(ctx, connector, next, session, row), next);
  const isChanged = !isFirst && (await logIn().then(() => true, orRejected));
  if (isChanged) return next;
  const client = await connectBy(ctx, connector, present, session, row);
  await connector.changeOwnPassword!(client, present, String(next['password']));
  await logIn().catch((error: unknown) => {
    if (!isRemote(error, 'rejected')) throw error;
    throw remoteError('ambiguous', `The new password was set, and is not accepted: ${error.message}`);
  });
  return next;
}

function orRejected(error: unknown): false {
  if (isRemote(error, 'rejected')) return false;
  throw error;
}

/** Seals these credentials as the present ones; comes before the transaction. */
export const sealPresent = (ctx: Context, row: ConnectionRow, credentials: Credentials): Promise<Buffer> =>
  sealCredentials(ctx, sealedAt(row), credentials);

/** Stores what the app accepts now. The claim is held. */
export async function storeChanged(tx: Transaction, row: ConnectionRow, credentials: Buffer): Promise<void> {
  const { id, name, app, projectId } = row;
  await storePassword(tx, id, credentials);
  record(tx, appConnectionPasswordChanged, { connectionId: id, name, app }, { projectId: projectId ?? undefined });
}
