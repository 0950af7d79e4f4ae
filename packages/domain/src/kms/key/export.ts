import { passByRows } from '../../access/index.ts';
import { badRequest, eventOf, notFound, type Context } from '../../kernel/index.ts';
import { requireKey } from './find.ts';
import { keyExported, kmsPermissions } from './key.ts';
import { findVersion, material, requireUsable, type KeyRow } from './stored.ts';
import type { ExportedKmsKey, ExportKmsKey, ExportKmsKeys } from './transfer.ts';

/**
 * The material of a version of a key that was created exportable.
 *
 * @throws DomainError 404, 403; 400 `kms_key.not_exportable`, `kms_key.disabled`, `kms_key.pending_deletion`
 */
export async function exportKmsKey(ctx: Context, { keyId, version }: ExportKmsKey): Promise<ExportedKmsKey> {
  return exportVersion(ctx, await requireExportable(ctx, keyId), version);
}

/**
 * The same of several keys: all of them or none.
 *
 * @throws DomainError as `exportKmsKey`, for the first key that is refused.
 */
export async function exportKmsKeys(ctx: Context, { keyIds }: ExportKmsKeys): Promise<ExportedKmsKey[]> {
  const rows: KeyRow[] = [];
  for (const keyId of new Set(keyIds)) rows.push(await requireExportable(ctx, keyId));
  const exported: ExportedKmsKey[] = [];
  for (const row of rows) exported.push(await exportVersion(ctx, row));
  return exported;
}

/** It may wait for its version: nothing of it is answered unless it may still be exported then. */
async function requireExportable(ctx: Context, keyId: string): Promise<KeyRow> {
  const row = await exportableRow(ctx, keyId);
  passByRows(ctx, (again) => exportableRow(again, keyId));
  return row;
}

async function exportableRow(ctx: Context, keyId: string): Promise<KeyRow> {
  const row = await requireKey(ctx, keyId, kmsPermissions['export-private-key']);
  requireUsable(row);
  if (!row.isExportable)
    throw badRequest('kms_key.not_exportable', `The key ${row.name} was not created exportable, which never changes`);
  return row;
}

async function exportVersion(ctx: Context, row: KeyRow, number = row.version): Promise<ExportedKmsKey> {
  const { id, organizationId, projectId, name, usage, algorithm } = row;
  const found = await findVersion(ctx, row, number);
  if (!found) throw notFound('kms key version');
  const secret = await material.openBytes(ctx, { id, organizationId, projectId, version: number }, found.material);
  const event = { keyId: id, keyName: name, keyVersion: number };
  await ctx.commitRead(eventOf(keyExported, event, { projectId }), ctx);
  const privateKey = secret.toString('base64');
  secret.fill(0);
  return {
    keyId: id,
    name,
    keyUsage: usage,
    algorithm,
    version: number,
    privateKey,
    ...(found.publicKey && { publicKey: found.publicKey.toString('base64') }),
  };
}
