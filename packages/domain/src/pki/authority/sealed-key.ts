import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ColumnSeal, SealedRow } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';
import type { KeyPair } from '../x509.ts';

// Private signing keys: PKCS #8, sealed; in memory in this form only while needed.

export async function sealKey(
  ctx: Context,
  column: ColumnSeal,
  row: SealedRow,
  { privateKey }: KeyPair,
): Promise<Buffer> {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  try {
    return await column.seal(ctx, row, pkcs8);
  } finally {
    pkcs8.fill(0);
  }
}

export async function openKeyAt(
  ctx: Context,
  column: ColumnSeal,
  row: SealedRow,
  sealed: Uint8Array,
): Promise<KeyObject> {
  const key = await column.openBytes(ctx, row, sealed);
  const privateKey = createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  key.fill(0);
  return privateKey;
}
