import { createPublicKey } from 'node:crypto';
import {
  isOpensshPrivateKey,
  lineOf,
  opensshPrivateKey,
  pemOfOpenssh,
  readPublicKey,
  readPublicKeyBlob,
  SshError,
} from '@coffer/ssh';
import { MAX_RSA_BITS_IN_TURN, readPrivateKey } from '../../crypto/index.ts';

/** A private key of a caller in the form of OpenSSH, whatever its form was; `undefined` if it is none, or has a passphrase. */
export function readUserKey(text: string): string | undefined {
  return unlessMalformed(() => {
    const key = readPrivateKey(isOpensshPrivateKey(text) ? pemOfOpenssh(text) : text, MAX_RSA_BITS_IN_TURN);
    if (!key) return undefined;
    const spki = createPublicKey(key).export({ type: 'spki', format: 'der' });
    return opensshPrivateKey(key.export({ type: 'pkcs8', format: 'der' }), spki);
  });
}

/** The line of a public key without its comment, `ssh-ed25519 AAAA…`; `undefined` if it is none. */
export const readHostKey = (line: string): string | undefined =>
  unlessMalformed(() => lineOf(readPublicKey(line).blob));

/** The line of the key that a server has presented. */
export const hostKeyOf = (blob: Buffer): string | undefined =>
  unlessMalformed(() => lineOf(readPublicKeyBlob(blob).blob));

function unlessMalformed<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SshError) return undefined;
    throw error;
  }
}
