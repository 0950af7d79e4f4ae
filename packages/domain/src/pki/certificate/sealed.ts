import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openBytes, type SealedLocation } from '../../crypto/index.ts';
import type { Context } from '../../kernel/index.ts';

/** Where the private key of a certificate is sealed. */
export const privateKeyPlace = (projectId: string, certificateId: string): SealedLocation => ({
  column: 'certificates.private_key',
  owner: projectId,
  row: certificateId,
  version: 0,
});

export interface SealedKey {
  readonly id: string;
  readonly organization_id: string;
  readonly project_id: string;
  readonly private_key: Buffer | null;
}

/** The private key of a certificate, where it is kept here. */
export async function openPrivateKey(ctx: Context, row: SealedKey): Promise<KeyObject | undefined> {
  if (!row.private_key) return undefined;
  const keys = await ctx.keys.project(row.organization_id, row.project_id);
  const key = openBytes(keys, row.private_key, privateKeyPlace(row.project_id, row.id));
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

export const privateKeyPem = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();
