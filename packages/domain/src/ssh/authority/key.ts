import { createPublicKey, type KeyObject } from 'node:crypto';
import { generateInTurn, readPrivateKey } from '../../crypto/index.ts';
import { badRequest, type Context } from '../../kernel/index.ts';
import { generateKey, keyAlgorithmOf, type KeyPair } from '@coffer/x509';
import {
  blobOf,
  isOpensshPrivateKey,
  pemOfOpenssh,
  readPublicKey,
  SSH_KEY_ALGORITHMS,
  type SshKeyAlgorithm,
} from '../ssh.ts';
import type { SshKeyOrder } from './authority.ts';
import type { SshCaKey } from './stored.ts';

/**
 * Generates the key of an authority, or reads an imported one.
 *
 * @throws DomainError 400 `ssh_authority.key` for contradictions, `ssh_authority.private_key`, `.key_algorithm`,
 * `.other_key`, and as `readPublicKey`.
 */
export async function keyOfAuthority(ctx: Context, order: SshKeyOrder): Promise<SshCaKey> {
  const { publicKey, privateKey, keyAlgorithm } = order;
  const keySource = order.keySource ?? (privateKey === undefined ? 'internal' : 'external');
  if (keySource === 'internal') {
    if (publicKey !== undefined || privateKey !== undefined)
      throw badRequest('ssh_authority.key', 'A key of the source internal is generated; a given key is external');
    const generated = keyAlgorithm ?? 'ED25519';
    const pair = await generateInTurn(ctx, generated, () => generateKey(generated));
    return { pair, publicKey: blobOf(pair.publicKey), keyAlgorithm: generated, keySource };
  }
  if (privateKey === undefined)
    throw badRequest('ssh_authority.key', 'An external key needs its privateKey, by which the authority signs');
  const pair = imported(privateKey);
  const algorithm = algorithmOf(pair.publicKey);
  if (keyAlgorithm !== undefined && keyAlgorithm !== algorithm)
    throw badRequest('ssh_authority.key_algorithm', `The key is of ${algorithm}, not of ${keyAlgorithm}`);
  const blob = blobOf(pair.publicKey);
  if (publicKey !== undefined && !readPublicKey(publicKey).blob.equals(blob))
    throw badRequest('ssh_authority.other_key', 'publicKey and privateKey do not belong together');
  return { pair, publicKey: blob, keyAlgorithm: algorithm, keySource };
}

function imported(text: string): KeyPair {
  const privateKey = readPrivateKey(isOpensshPrivateKey(text) ? pemOfOpenssh(text) : text);
  if (!privateKey)
    throw badRequest(
      'ssh_authority.private_key',
      'privateKey is not a private key without a passphrase of RSA, P-256, P-384 or Ed25519',
    );
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

function algorithmOf(key: KeyObject): SshKeyAlgorithm {
  const found = SSH_KEY_ALGORITHMS.find((one) => one === keyAlgorithmOf(key));
  if (found) return found;
  const known = SSH_KEY_ALGORITHMS.join(', ');
  throw badRequest('ssh_authority.key_algorithm', `The key is weak, or of another algorithm than ${known}`);
}
