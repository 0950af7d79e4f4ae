import { createPrivateKey, type KeyObject } from 'node:crypto';
import { openBytes, sealBytes, type SealedLocation } from '../../crypto/index.ts';
import type { KeySet, SealingKeys } from '../../kernel/index.ts';
import type { KeyPair } from '../x509/index.ts';

// Private keys that sign here: PKCS #8, sealed, and in memory in that form for no longer than it takes.

export function sealKey(keys: SealingKeys, { privateKey }: KeyPair, place: SealedLocation): Buffer {
  const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
  const sealed = sealBytes(keys.newest, pkcs8, place);
  pkcs8.fill(0);
  return sealed;
}

export function openKeyAt(keys: KeySet, sealed: Buffer, place: SealedLocation): KeyObject {
  const key = openBytes(keys, sealed, place);
  const privateKey = createPrivateKey({ key, type: 'pkcs8', format: 'der' });
  key.fill(0);
  return privateKey;
}
