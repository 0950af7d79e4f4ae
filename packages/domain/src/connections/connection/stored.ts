import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import { sealedFieldsOf, type RemoteSession } from '../../family/index.ts';
import type { Context } from '../../kernel/index.ts';
import type { Connector, Credentials } from './connector.ts';
import { NO_FIELDS, type IntegrationAuthFields } from './integration-auth-fields.ts';
import { fromIntegrationAuth, toIntegrationAuth } from './integration-auth.ts';
import { remoteOf } from './remote.ts';

/** What is stored of a connection, its credentials sealed under the key of the project. */
export interface StoredConnection extends SealedRow {
  readonly credentials: Uint8Array;
  readonly given?: GivenAuth | null;
}

/** What `/api/v1/integration-auth` was given beside credentials, and answers. */
export type GivenAuth = Pick<IntegrationAuthFields, 'url' | 'namespace'>;

/** The name of the column when the first rows were sealed. */
const column = columnSeal('integration_auths.sealed');

/** Credentials of a method; or the fields of an integration authentication, where the app is not offered or an earlier release wrote them. */
type Sealed = Credentials | Omit<IntegrationAuthFields, keyof GivenAuth>;
const isOfMethod = (sealed: Sealed): sealed is Credentials => 'method' in sealed;

/** Seals what an integration authentication holds: as credentials of the app, or as it is where the app is not offered. */
export function sealAuth(
  ctx: Context,
  row: SealedRow,
  connector: Connector | undefined,
  fields: IntegrationAuthFields,
): Promise<Buffer> {
  const { url: _, namespace: _given, ...own } = fields;
  return column.sealJson(ctx, row, connector ? fromIntegrationAuth(connector, fields) : own);
}

/** What an integration authentication holds. */
export async function openAuth(
  ctx: Context,
  row: StoredConnection,
  connector: Connector | undefined,
): Promise<IntegrationAuthFields> {
  const sealed = await column.openJson<Sealed>(ctx, row, row.credentials);
  const own = isOfMethod(sealed) ? connector && toIntegrationAuth(connector, sealed) : sealed;
  return { ...NO_FIELDS, ...own, ...row.given };
}

/** Connects to an app. Its credentials are kept out of what the session lets be shown. */
export async function connect<Client>(
  ctx: Context,
  row: StoredConnection & { readonly projectId: string },
  connector: Connector<Client>,
  session: RemoteSession,
): Promise<Client> {
  const sealed = await column.openJson<Sealed>(ctx, row, row.credentials);
  const credentials = isOfMethod(sealed)
    ? sealed
    : fromIntegrationAuth(connector, { ...NO_FIELDS, ...sealed, ...row.given });
  const { shape } = connector.methods[credentials.method]!.credentials;
  for (const name of sealedFieldsOf(shape).keys()) {
    const value = credentials[name];
    if (typeof value === 'string') session.hide(value);
  }
  return connector.connect(credentials, remoteOf(session, row.projectId));
}
