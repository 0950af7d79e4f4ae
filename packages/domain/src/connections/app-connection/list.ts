import { eventOf, type Context } from '../../kernel/index.ts';
import { readList, sealedAt, whileWaiting } from '../connection/index.ts';
import { connectors } from '../registry.ts';
import { appConnectionListRead } from './app-connection.ts';
import { requireConnection } from './find.ts';

export interface ListAtApp {
  readonly connectionId: string;
  readonly [query: string]: unknown;
}

/**
 * One of the lists that an app declares, read there with the credentials of a connection: the use is recorded before.
 *
 * @throws DomainError 404, 403; 400 if the app cannot be reached, refuses it, or answers something else.
 */
export async function listAtApp(
  ctx: Context,
  app: string,
  list: string,
  { connectionId, ...query }: ListAtApp,
): Promise<unknown> {
  const row = await requireConnection(ctx, { app, connectionId }, 'connect');
  const connector = connectors.require(app);
  const found = connector.lists![list]!;
  const stored = { ...sealedAt(row), credentials: row.credentials };
  const data = { connectionId: row.id, name: row.name ?? '', app, list };
  const event = eventOf(appConnectionListRead, data, { projectId: row.projectId ?? undefined });
  return whileWaiting(ctx, `${connector.title} does not list ${found.what}`, async (session) =>
    readList(ctx, stored, connector, { list: found, query, event }, session),
  );
}
