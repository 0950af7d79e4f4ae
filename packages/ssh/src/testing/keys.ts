import { createPrivateKey } from 'node:crypto';
import { newKey } from '@coffer/x509';
import { SSH_KEY_ALGORITHMS, type SshKeyAlgorithm } from '../content.ts';
import { blobOfSpki } from '../key-type.ts';

/** The longest RSA keys take seconds, and differ in nothing else. */
export const TESTED_ALGORITHMS = SSH_KEY_ALGORITHMS.filter((one) => one !== 'RSA_4096');

const made = new Map<string, ReturnType<typeof make>>();

/** A key of an algorithm, made once for each name: RSA keys take a test's time. */
export function keyNamed(algorithm: SshKeyAlgorithm, name: string) {
  const id = `${algorithm} ${name}`;
  const key = made.get(id) ?? make(algorithm);
  made.set(id, key);
  return key;
}

async function make(algorithm: SshKeyAlgorithm) {
  const { publicKey, privateKey: pkcs8 } = await newKey(algorithm);
  const privateKey = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
  return { privateKey, pkcs8, spki: publicKey.spki, publicKey: blobOfSpki(publicKey.spki) };
}
