import type { SealedRow } from '../../crypto/index.ts';
import { sealedFieldsOf, type RemoteSession } from '../../family/index.ts';
import { unlessInvalid, type Context, type PendingEvent } from '../../kernel/index.ts';
import type { Connector, ConnectorList, Credentials, System } from './connector.ts';
import { NO_FIELDS, type IntegrationAuthFields } from './integration-auth-fields.ts';
import { fromIntegrationAuth, toIntegrationAuth } from './integration-auth.ts';
import { remoteOf, type Owner } from './remote.ts';
import { column, sealedAt } from './seal.ts';
import { tokensIn, withCurrentTokens } from './tokens.ts';

/** The stored form of a connection, with credentials sealed under the key of the project, or of the organization. */
export interface StoredConnection {
  readonly id: string;
  readonly organizationId: string;
  /** Absent or null: the organization's. */
  readonly projectId?: string | null | undefined;
  readonly credentials: Uint8Array;
  readonly given?: GivenAuth | null;
}

/** The fields that `/api/v1/integration-auth` received besides credentials, and returns. */
export interface GivenAuth extends Pick<IntegrationAuthFields, 'url' | 'namespace'> {
  /** Of a copy: the connection that these credentials were first given to. */
  readonly origin?: string;
}

/** Where the credentials of a connection come from. */
export interface Origin {
  /** The connection that they were first given to, if they are a copy. */
  readonly connectionId?: string | undefined;
  /** All projects that they were copied from. */
  readonly projectIds: readonly string[];
}

/** Of credentials that were given to the connection itself. */
export const NO_ORIGIN: Origin = { projectIds: [] };

/** Credentials of a method; or the fields of an integration authentication, where the app is not offered or an earlier release wrote them. */
type Sealed = Credentials | Omit<IntegrationAuthFields, keyof GivenAuth>;
const isOfMethod = (sealed: Sealed): sealed is Credentials => 'method' in sealed;

/**
 * Seals the content of an integration authentication: credentials of the app, or the given fields if the app is not
 * supported.
 */
export function sealAuth(
  ctx: Context,
  row: SealedRow,
  connector: Connector | undefined,
  fields: IntegrationAuthFields,
): Promise<Buffer> {
  const { url: _, namespace: _given, ...own } = fields;
  return column.sealJson(ctx, row, connector ? fromIntegrationAuth(connector, fields) : own);
}

/** The content of an integration authentication. */
export async function openAuth(
  ctx: Context,
  row: StoredConnection,
  connector: Connector | undefined,
): Promise<IntegrationAuthFields> {
  const sealed = await column.openJson<Sealed>(ctx, sealedAt(row), row.credentials);
  const own = isOfMethod(sealed) ? connector && toIntegrationAuth(connector, sealed) : sealed;
  const { url = null, namespace = null } = row.given ?? {};
  return { ...NO_FIELDS, ...own, ...(row.given && { url, namespace }) };
}

/** The credentials of a connection as they are stored; `undefined` where its fields are no longer valid. */
export async function storedCredentials(
  ctx: Context,
  row: StoredConnection,
  connector: Connector,
): Promise<Credentials | undefined> {
  const sealed = await column.openJson<Sealed>(ctx, sealedAt(row), row.credentials);
  return unlessInvalid(() => methodOf(connector, sealed, row));
}

/** The system that a connection reaches; `undefined` where its fields are no longer valid. */
export async function systemOf(ctx: Context, row: StoredConnection, connector: Connector): Promise<System | undefined> {
  const credentials = await storedCredentials(ctx, row, connector);
  return credentials && unlessInvalid(() => connector.systemOf(credentials));
}

const methodOf = (connector: Connector, sealed: Sealed, { given }: StoredConnection): Credentials =>
  isOfMethod(sealed) ? sealed : fromIntegrationAuth(connector, { ...NO_FIELDS, ...sealed, ...given });

/** The system that the fields of an integration authentication lead to; `undefined` where these are not valid. */
export const systemByFields = (connector: Connector, fields: IntegrationAuthFields): System | undefined =>
  unlessInvalid(() => connector.systemOf(fromIntegrationAuth(connector, fields)));

/** Connects to an app. The session redacts its credentials. */
export async function connect<Client>(
  ctx: Context,
  row: StoredConnection,
  connector: Connector<Client>,
  session: RemoteSession,
): Promise<Client> {
  return connectBy(ctx, connector, await currentCredentials(ctx, row, connector, session), session, row);
}

async function currentCredentials(ctx: Context, row: StoredConnection, connector: Connector, session: RemoteSession) {
  const stored = methodOf(connector, await column.openJson<Sealed>(ctx, sealedAt(row), row.credentials), row);
  return withCurrentTokens(ctx, sealedAt(row), connector, stored, session);
}

interface ListToRead {
  readonly list: ConnectorList;
  readonly query: object;
  /** Of the use of the credentials, which is recorded before. */
  readonly event: PendingEvent;
}

/** Reads one of the lists of an app, with a query as its schema reads it. @throws DomainError `remote.*` */
export async function readList(
  ctx: Context,
  row: StoredConnection,
  connector: Connector,
  { list, query, event }: ListToRead,
  session: RemoteSession,
): Promise<unknown> {
  await ctx.commitRead(event, ctx);
  const credentials = await currentCredentials(ctx, row, connector, session);
  return list.read(await connectBy(ctx, connector, credentials, session, row), query as never, credentials);
}

/** The same with credentials that may not be stored. */
export async function connectBy<Client>(
  ctx: Context,
  connector: Connector<Client>,
  credentials: Credentials,
  session: RemoteSession,
  owner: Owner,
): Promise<Client> {
  hideCredentials(connector, credentials, session);
  return connector.connect(credentials, remoteOf(ctx, session, owner));
}

/** Redacts what is secret in some credentials from all later texts. */
export function hideCredentials(connector: Connector, credentials: Credentials, session: RemoteSession): void {
  const { shape } = connector.methods[credentials.method]!.credentials;
  for (const name of sealedFieldsOf(shape).keys()) {
    const value = credentials[name];
    if (typeof value === 'string') session.hide(value);
  }
  const { accessToken, refreshToken } = tokensIn(credentials) ?? {};
  for (const token of [accessToken, refreshToken]) if (token !== undefined) session.hide(token);
}
