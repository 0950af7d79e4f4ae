import { createPrivateKey, type KeyObject } from 'node:crypto';
import { columnSeal, sealedRowOf } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';

/** Private keys of certificates, as PKCS #8. */
export const privateKeys = columnSeal('certificates.private_key');

export interface SealedKey {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly privateKey: Buffer | null;
}

/** The private key of a certificate, if it is stored. */
export async function openPrivateKey(ctx: Context, row: SealedKey): Promise<KeyObject | undefined> {
  if (!row.privateKey) return undefined;
  const key = await privateKeys.openBytes(ctx, sealedRowOf(row), row.privateKey);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

export const privateKeyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
