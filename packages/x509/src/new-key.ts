import { createECDH, generateKeyPairSync } from 'node:crypto';
import { generateKey, POINTS, spkiOf } from './algorithm.ts';
import type { KeyAlgorithm, WrittenKey } from './content.ts';

/** A new key in encoded form, for its recipient. */
export interface NewKey {
  readonly publicKey: WrittenKey;
  /** DER of the PrivateKeyInfo (PKCS #8). */
  readonly privateKey: Buffer;
}

/** The octets before an EC private key in PKCS #8 (RFC 5958, RFC 5915), and between it and its point. */
const CURVES = {
  EC_prime256v1: {
    name: 'prime256v1',
    length: 32,
    before: Buffer.from('308187020100301306072a8648ce3d020106082a8648ce3d030107046d306b0201010420', 'hex'),
    between: Buffer.from('a144034200', 'hex'),
  },
  EC_secp384r1: {
    name: 'secp384r1',
    length: 48,
    before: Buffer.from('3081b6020100301006072a8648ce3d020106052b8104002204819e30819b0201010430', 'hex'),
    between: Buffer.from('a164036200', 'hex'),
  },
};

/**
 * Generates a key that is only handed out, without key objects, which take longer to create and to encode than the key
 * itself. RSA keys are generated in the thread pool.
 */
export async function newKey(algorithm: KeyAlgorithm): Promise<NewKey> {
  if (algorithm === 'EC_prime256v1' || algorithm === 'EC_secp384r1') return newPoint(algorithm);
  if (algorithm === 'ED25519') {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'der' },
      privateKeyEncoding: { type: 'pkcs8', format: 'der' },
    });
    return { publicKey: { spki: publicKey, algorithm }, privateKey };
  }
  const { publicKey, privateKey } = await generateKey(algorithm);
  return {
    publicKey: { spki: spkiOf(publicKey), algorithm },
    privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

function newPoint(algorithm: keyof typeof CURVES): NewKey {
  const { name, length, before, between } = CURVES[algorithm];
  const pair = createECDH(name);
  const point = pair.generateKeys();
  const number = pair.getPrivateKey();
  // A number without the zeros that it begins with.
  const zeros = Buffer.alloc(length - number.length);
  return {
    publicKey: { spki: Buffer.concat([POINTS[algorithm].prefix, point.subarray(1)]), algorithm },
    privateKey: Buffer.concat([before, zeros, number, between, point]),
  };
}
