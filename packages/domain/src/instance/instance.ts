import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Pool } from 'pg';
import { AUDIT_KEY, openBytes, rootKeySet, sealBytes, type RootKey } from '../crypto/index.ts';
import { DomainError } from '../kernel/index.ts';

/**
 * Makes the instance's row on first start (its root key's fingerprint, its key for signing audit checkpoints) and
 * afterwards refuses every other root key before anything is served.
 */
export async function openInstance(pool: Pool, rootKey: RootKey): Promise<void> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const sealed = sealBytes(rootKeySet(rootKey).newest, privateKey.export({ type: 'pkcs8', format: 'der' }), AUDIT_KEY);
  await pool.query(
    `insert into instance (root_key_fingerprint, audit_public_key, audit_private_key) values ($1, $2, $3) on conflict do nothing`,
    [rootKey.fingerprint, publicKey.export({ type: 'spki', format: 'pem' }), sealed],
  );
  const { rows } = await pool.query<{ rootKeyFingerprint: string }>(
    'select root_key_fingerprint as "rootKeyFingerprint" from instance',
  );
  const expected = rows[0]?.rootKeyFingerprint;
  if (expected !== rootKey.fingerprint) {
    throw new DomainError(
      'unavailable',
      'root_key.wrong',
      `This database belongs to the root key with fingerprint ${expected}; the given one has ${rootKey.fingerprint}. Set COFFER_ROOT_KEY to the right key. Nothing was changed`,
    );
  }
}

/** The Ed25519 key that signs the audit log's checkpoints. */
export async function auditSigningKey(pool: Pool, rootKey: RootKey): Promise<KeyObject> {
  const { rows } = await pool.query<{ auditPrivateKey: Buffer }>(
    'select audit_private_key as "auditPrivateKey" from instance',
  );
  const der = openBytes(rootKeySet(rootKey), rows[0]!.auditPrivateKey, AUDIT_KEY);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}
