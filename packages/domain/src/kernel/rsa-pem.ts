import { createPrivateKey } from 'node:crypto';

/** Whether a text that the operator sets is an RSA private key in PEM. Keys of callers: see `readPrivateKey`. */
export function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}
