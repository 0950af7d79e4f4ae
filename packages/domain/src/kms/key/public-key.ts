import { createPublicKey, type KeyObject } from 'node:crypto';
import { passByRows } from '../../access/index.ts';
import { badRequest, notFound, type Context } from '../../kernel/index.ts';
import type { KmsPublicKey, KmsPublicKeyRef } from './key.ts';
import { kmsPermissions } from './key.ts';
import { requireKey } from './find.ts';
import { findVersion } from './stored.ts';

/** The name of a version of a key in JSON Web Keys. */
export const keyIdOfJwk = (keyId: string, version: number): string => `${keyId}.${version}`;

/** A public key as a JSON Web Key for signatures. */
export const toJwk = (publicKey: KeyObject, kid: string): Record<string, unknown> => ({
  ...publicKey.export({ format: 'jwk' }),
  kid,
  use: 'sig',
});

export const readSpki = (spki: Buffer): KeyObject => createPublicKey({ key: spki, type: 'spki', format: 'der' });

/**
 * The public half of a version of a key: anybody may know it who may read the key.
 *
 * @throws DomainError 404, 403; 400 `kms_key.symmetric`
 */
export async function getKmsPublicKey(ctx: Context, { keyId, version }: KmsPublicKeyRef): Promise<KmsPublicKey> {
  const row = await requireKey(ctx, keyId, kmsPermissions.read);
  passByRows(ctx, (again) => requireKey(again, keyId, kmsPermissions.read));
  const found = await findVersion(ctx, row, version ?? row.version);
  if (!found) throw notFound('kms key version');
  if (!found.publicKey) throw badRequest('kms_key.symmetric', `A key of ${row.algorithm} has no public key`);
  const publicKey = readSpki(found.publicKey);
  return {
    publicKey: found.publicKey.toString('base64'),
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    publicKeyJwk: toJwk(publicKey, keyIdOfJwk(row.id, found.version)),
    version: found.version,
  };
}
