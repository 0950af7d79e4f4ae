import { columnSeal, type SealedRow } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';
import type { Credentials } from './connector.ts';

/** The name of the column when the first rows were sealed. */
export const column = columnSeal('integration_auths.sealed');

/** Where the credentials of a connection are sealed: under the key of its project, or of the organization. */
export const sealedAt = ({
  id,
  organizationId,
  projectId,
}: {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
}): SealedRow => ({ id, organizationId, projectId: projectId ?? undefined });

/** Seals the credentials of a connection that is no integration authentication. */
export const sealCredentials = (ctx: Context, row: SealedRow, credentials: Credentials): Promise<Buffer> =>
  column.sealJson(ctx, row, credentials);

const next = columnSeal('app_connections.next_credentials');

/** Seals the credentials with the next password of a connection. */
export const sealNextCredentials = (ctx: Context, row: SealedRow, credentials: Credentials): Promise<Buffer> =>
  next.sealJson(ctx, row, credentials);

/** These. */
export const openNextCredentials = (ctx: Context, row: SealedRow, sealed: Uint8Array): Promise<Credentials> =>
  next.openJson<Credentials>(ctx, row, sealed);

/** The credentials of such a connection. */
export const openCredentials = (ctx: Context, row: SealedRow, sealed: Uint8Array): Promise<Credentials> =>
  column.openJson<Credentials>(ctx, row, sealed);
