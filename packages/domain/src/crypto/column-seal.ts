import type { Context, KeySet } from '../kernel/index.ts';
import { openBytes, sealBytes, type SealedLocation } from './seal.ts';

/** A row with a sealed column. */
export interface SealedRow {
  readonly id: string;
  readonly organizationId: string;
  /** Absent where the row belongs to no project: then the key is the organization's. */
  readonly projectId?: string | undefined;
  /** The version of the sealed value; default 0. */
  readonly version?: number | undefined;
}

/** A row without a `version` of its own, which would be taken for that of the sealed value. */
export const sealedRowOf = (row: { id: string; organizationId: string; projectId: string }): SealedRow => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
});

/** Seals and opens the values of one column. */
export interface ColumnSeal {
  seal(ctx: Context, row: SealedRow, text: string | Uint8Array): Promise<Buffer>;
  /** @throws Error where the value was changed, or sealed for another place; see `openBytes`. */
  open(ctx: Context, row: SealedRow, sealed: Uint8Array): Promise<string>;
  /** The same, answered as bytes, which the caller can overwrite. */
  openBytes(ctx: Context, row: SealedRow, sealed: Uint8Array): Promise<Buffer>;
  sealJson(ctx: Context, row: SealedRow, value: unknown): Promise<Buffer>;
  /** The value given to `sealJson`; only Coffer can have sealed it, so it is not validated. */
  openJson<T>(ctx: Context, row: SealedRow, sealed: Uint8Array): Promise<T>;
}

/**
 * The values of a column, each sealed for its row under the key of the row's project or organization. `crypto/rotation`
 * names every such column.
 */
export function columnSeal(column: SealedLocation['column']): ColumnSeal {
  const locationOf = ({ id, organizationId, projectId, version = 0 }: SealedRow): SealedLocation => ({
    column,
    owner: projectId ?? organizationId,
    row: id,
    version,
  });
  const seal: ColumnSeal['seal'] = async (ctx, row, text) => {
    const keys = await ctx.keys.sealing(row.organizationId, row.projectId);
    return sealBytes(keys.newest, text, locationOf(row));
  };
  const openAsBytes: ColumnSeal['openBytes'] = async (ctx, row, sealed) =>
    openBytes(await keysOf(ctx, row), Buffer.from(sealed), locationOf(row));
  const open: ColumnSeal['open'] = async (ctx, row, sealed) => (await openAsBytes(ctx, row, sealed)).toString('utf8');
  return {
    seal,
    open,
    openBytes: openAsBytes,
    sealJson: (ctx, row, value) => seal(ctx, row, JSON.stringify(value)),
    openJson: async <T>(ctx: Context, row: SealedRow, sealed: Uint8Array) =>
      JSON.parse(await open(ctx, row, sealed)) as T,
  };
}

const keysOf = (ctx: Context, { organizationId, projectId }: SealedRow): Promise<KeySet> =>
  projectId === undefined ? ctx.keys.organization(organizationId) : ctx.keys.project(organizationId, projectId);
