import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { keyAlgorithmOf } from '@coffer/x509';
import { readMlDsaKey, readPrivateKey } from '../../crypto/index.ts';
import type { KeyMaterial, SignatureAlgorithm, SigningCost } from './algorithm.ts';
import {
  ECDSA_SIGNING,
  ED25519_SIGNING,
  mlDsaSigning,
  RSA_SIGNING,
  type MlDsaName,
  type SigningAlgorithm,
} from './signing.ts';

// Keys with two halves: PKCS #8 and SubjectPublicKeyInfo. All are generated in the thread pool: RSA takes a second and more.

const generate = promisify(generateKeyPair) as (type: string, options?: object) => Promise<KeyPair>;

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** What tells a kind of keys from others. */
interface Kind {
  readonly generate: () => Promise<KeyPair>;
  /** The private key of a caller, of any kind. */
  readonly readPrivate?: (given: Buffer) => KeyObject | undefined;
  /** Whether a public key is of this kind, and strong. */
  readonly is: (publicKey: KeyObject) => boolean;
  readonly signing: readonly SigningAlgorithm[];
  readonly cost: SigningCost;
}

const pair = ({ generate: make, readPrivate = readPkcs8, is, signing, cost }: Kind): SignatureAlgorithm => ({
  usage: 'sign-verify',
  signing,
  cost,
  generate: async () => materialOf(await make()),
  read: (given) => {
    const privateKey = readPrivate(given);
    if (!privateKey) return undefined;
    const publicKey = createPublicKey(privateKey);
    return is(publicKey) && isConsistent(signing[0]!, { privateKey, publicKey })
      ? materialOf({ privateKey, publicKey })
      : undefined;
  },
  open: (secret) => createPrivateKey({ key: secret, type: 'pkcs8', format: 'der' }),
});

const materialOf = ({ privateKey, publicKey }: KeyPair): KeyMaterial => ({
  secret: privateKey.export({ type: 'pkcs8', format: 'der' }),
  publicKey: publicKey.export({ type: 'spki', format: 'der' }),
});

const PROBE = Buffer.from('A private key belongs to its public key');

/** A private key whose numbers do not fit signs wrongly, and can disclose its primes by that. */
function isConsistent(algorithm: SigningAlgorithm, { privateKey, publicKey }: KeyPair): boolean {
  try {
    return algorithm.verify(publicKey, PROBE, algorithm.signNow(privateKey, PROBE));
  } catch {
    return false;
  }
}

const PEM = Buffer.from('-----BEGIN ');

const pemOf = (given: Buffer): string =>
  given.subarray(0, PEM.length).equals(PEM)
    ? given.toString('latin1')
    : `-----BEGIN PRIVATE KEY-----\n${given.toString('base64')}\n-----END PRIVATE KEY-----`;

const readPkcs8 = (given: Buffer): KeyObject | undefined => readPrivateKey(pemOf(given));

/** The cost of signing and verifying; that of digests is the same unless it is given. */
type Costs = Pick<SigningCost, 'sign' | 'verify'> & Partial<SigningCost>;
const costs = ({ sign, verify, signDigest = sign, verifyDigest = verify }: Costs): SigningCost => ({
  sign,
  verify,
  signDigest,
  verifyDigest,
});

/** RSA with the usual exponent. */
export const rsa = (bits: 2048 | 3072 | 4096, cost: Costs): SignatureAlgorithm =>
  pair({
    generate: () => generate('rsa', { modulusLength: bits, publicExponent: 0x10001 }),
    is: (key) => keyAlgorithmOf(key) === `RSA_${bits}`,
    signing: RSA_SIGNING,
    cost: costs(cost),
  });

/** A curve of NIST, as OpenSSL names it. */
export const ec = (namedCurve: string, cost: SigningCost): SignatureAlgorithm =>
  pair({
    generate: () => generate('ec', { namedCurve }),
    is: (key) => key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === namedCurve,
    signing: ECDSA_SIGNING,
    cost,
  });

export const ed25519 = (cost: Costs): SignatureAlgorithm =>
  pair({
    generate: () => generate('ed25519'),
    is: (key) => keyAlgorithmOf(key) === 'ED25519',
    signing: ED25519_SIGNING,
    cost: costs(cost),
  });

/** ML-DSA (FIPS 204). `id` is the content of its object identifier (RFC 9881). */
export const mlDsa = (name: MlDsaName, id: string, cost: Costs): SignatureAlgorithm => {
  const type = name.toLowerCase().replaceAll('_', '-');
  return pair({
    generate: () => generate(type),
    readPrivate: (given) => readMlDsaKey(given, id),
    is: (key) => key.asymmetricKeyType === type,
    signing: mlDsaSigning(name),
    cost: costs(cost),
  });
};
