import { constants, sign, verify, type KeyObject, type SignKeyObjectInput } from 'node:crypto';
import { promisify } from 'node:util';
import type { SigningAlgorithmName } from './names.ts';
import { digestSigner, type DigestSigner } from './digest.ts';

/** A way to sign with a key. */
export interface SigningAlgorithm {
  readonly name: SigningAlgorithmName;
  /** For digests that the caller computed; absent where the algorithm signs whole messages only. */
  readonly digest?: DigestSigner;
  /** Signs; slow algorithms in the thread pool. */
  sign(key: KeyObject, data: Buffer): Promise<Buffer>;
  /** Signs in this turn of the event loop, however long it takes. */
  signNow(key: KeyObject, data: Buffer): Buffer;
  /** Whether the signature is one of this data; never throws. */
  verify(key: KeyObject, data: Buffer, signature: Buffer): boolean;
}

/**
 * Whether a signature is as long as those of a key. One of RSA has the length of the modulus (RFC 8017, sections 8.1.2 and 8.2.2);
 * OpenSSL also accepts it without its leading zeros.
 */
export function hasLengthFor(key: KeyObject, signature: Buffer): boolean {
  const bits = key.asymmetricKeyDetails?.modulusLength;
  return bits === undefined || signature.length === Math.ceil(bits / 8);
}

type How = Omit<SignKeyObjectInput, 'key'>;

const signInPool = promisify(sign) as (
  hash: string | null,
  data: Buffer,
  key: SignKeyObjectInput | KeyObject,
) => Promise<Buffer>;

interface Definition {
  readonly hash: string | null;
  readonly how?: How;
  /** Whether it takes so long that others would notice. */
  readonly isSlow?: true;
  readonly digest?: DigestSigner;
}

function signing(name: SigningAlgorithmName, { hash, how, isSlow, digest }: Definition): SigningAlgorithm {
  // Node takes ten microseconds more for a key inside of an object.
  const input = (key: KeyObject) => (how ? { key, ...how } : key);
  const signNow = (key: KeyObject, data: Buffer) => sign(hash, data, input(key));
  return {
    name,
    ...(digest && { digest }),
    signNow,
    sign: (key, data) =>
      isSlow ? signInPool(hash, data, input(key)) : new Promise((resolve) => resolve(signNow(key, data))),
    verify: (key, data, signature) => {
      try {
        return verify(hash, data, input(key), signature);
      } catch {
        return false;
      }
    },
  };
}

const SIZES = [256, 384, 512] as const;

/** The salt is as long as the hash, and so is that of signatures that verify. */
const PSS: How = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
const PKCS1: How = { padding: constants.RSA_PKCS1_PADDING };

export const RSA_SIGNING: readonly SigningAlgorithm[] = SIZES.flatMap((size) => {
  const hash = `sha${size}`;
  return [
    signing(`RSASSA_PSS_SHA_${size}`, { hash, how: PSS, isSlow: true, digest: digestSigner('pss', hash) }),
    signing(`RSASSA_PKCS1_V1_5_SHA_${size}`, { hash, how: PKCS1, isSlow: true, digest: digestSigner('pkcs1', hash) }),
  ];
});

/** Signatures are DER, as OpenSSL writes them. */
export const ECDSA_SIGNING: readonly SigningAlgorithm[] = SIZES.map((size) => {
  const hash = `sha${size}`;
  return signing(`ECDSA_SHA_${size}`, { hash, digest: digestSigner('ecdsa', hash) });
});

/** Pure Ed25519 (RFC 8032): deterministic, of whole messages. */
export const ED25519_SIGNING: readonly SigningAlgorithm[] = [signing('ED25519', { hash: null })];

export type MlDsaName = 'ML_DSA_44' | 'ML_DSA_65' | 'ML_DSA_87';

/** Pure ML-DSA with an empty context (FIPS 204), of whole messages. */
export const mlDsaSigning = (name: MlDsaName): readonly SigningAlgorithm[] => [
  signing(name, { hash: null, isSlow: true }),
];
