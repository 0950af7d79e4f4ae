import {
  createHash,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';
import type { KeyAlgorithm, PublicKey, SignatureAlgorithm } from './content.ts';
import { bits, der, oid, oidText, sequence, TAG, within } from './der.ts';
import { isVerifiable } from './key-limits.ts';
import { isWeakModulus } from './weak-key.ts';

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

/** A signing key; an `Issuer` is one. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly algorithm: KeyAlgorithm;
}

type Family = 'rsa' | 'ec' | 'ed25519';
interface Signature {
  readonly name: string;
  readonly family: Family;
  readonly hash: string | null;
  /** AlgorithmIdentifier: RFC 4055, section 5 (with NULL); RFC 5758, section 3.2; RFC 8410, section 3 (without). */
  readonly identifier: Buffer;
}

const signature = (name: string, family: Family, hash: string | null, id: string): Signature => ({
  name,
  family,
  hash,
  identifier: family === 'rsa' ? sequence(oid(id), der(TAG.null)) : sequence(oid(id)),
});

/** Signature algorithms that are accepted from others; Coffer uses fewer. */
const SIGNATURES: readonly Signature[] = [
  signature('RSA-SHA256', 'rsa', 'sha256', '1.2.840.113549.1.1.11'),
  signature('RSA-SHA384', 'rsa', 'sha384', '1.2.840.113549.1.1.12'),
  signature('RSA-SHA512', 'rsa', 'sha512', '1.2.840.113549.1.1.13'),
  signature('ECDSA-SHA256', 'ec', 'sha256', '1.2.840.10045.4.3.2'),
  signature('ECDSA-SHA384', 'ec', 'sha384', '1.2.840.10045.4.3.3'),
  signature('ECDSA-SHA512', 'ec', 'sha512', '1.2.840.10045.4.3.4'),
  signature('Ed25519', 'ed25519', null, '1.3.101.112'),
];
const byIdentifier = new Map(SIGNATURES.map((one) => [one.identifier.toString('latin1'), one]));
const byName = new Map(SIGNATURES.map((one) => [one.name, one]));

const SIGNED_BY: Record<KeyAlgorithm, SignatureAlgorithm> = {
  RSA_2048: 'RSA-SHA256',
  RSA_3072: 'RSA-SHA256',
  RSA_4096: 'RSA-SHA256',
  EC_prime256v1: 'ECDSA-SHA256',
  EC_secp384r1: 'ECDSA-SHA384',
  ED25519: 'Ed25519',
};

/** How a key of ours signs. */
export const signatureAlgorithmOf = (algorithm: KeyAlgorithm): SignatureAlgorithm => SIGNED_BY[algorithm];

const signatureOf = (algorithm: KeyAlgorithm) => byName.get(SIGNED_BY[algorithm])!;

/** DER of the AlgorithmIdentifier for signatures of such a key. */
export const signatureIdentifier = (algorithm: KeyAlgorithm): Buffer => signatureOf(algorithm).identifier;

/** The published name of a signature's AlgorithmIdentifier (DER); the OID of an unknown one. */
export const signatureName = (identifier: Buffer): string =>
  byIdentifier.get(identifier.toString('latin1'))?.name ?? oidText(within(identifier, TAG.sequence)[0]);

/** Whether such a signature is possible with such a key, and accepted. */
export const suits = (identifier: Buffer, publicKey: KeyObject): boolean =>
  byIdentifier.get(identifier.toString('latin1'))?.family === publicKey.asymmetricKeyType;

const generate = promisify(generateKeyPair);

const pointAfter = (prefix: string, length: number) => ({ prefix: Buffer.from(prefix, 'hex'), length });

/** The octets before the point of an uncompressed key on a named curve (RFC 5480), and of Ed25519 (RFC 8410). */
export const POINTS = {
  EC_prime256v1: pointAfter('3059301306072a8648ce3d020106082a8648ce3d03010703420004', 64),
  EC_secp384r1: pointAfter('3076301006072a8648ce3d020106052b8104002203620004', 96),
  ED25519: pointAfter('302a300506032b6570032100', 32),
};

/** Generates a key. RSA takes 100 ms and more, in the thread pool. */
export async function generateKey(algorithm: KeyAlgorithm): Promise<KeyPair> {
  switch (algorithm) {
    case 'ED25519':
      return generateKeyPairSync('ed25519');
    case 'EC_prime256v1':
    case 'EC_secp384r1':
      return generateKeyPairSync('ec', { namedCurve: algorithm.slice('EC_'.length) });
    default:
      return generate('rsa', { modulusLength: Number(algorithm.slice('RSA_'.length)), publicExponent: 0x10001 });
  }
}

const known = new WeakMap<KeyObject, { algorithm: KeyAlgorithm | undefined }>();

/**
 * The algorithm of a key; `undefined` for unsupported ones: other types, sizes and curves, exponents that FIPS 186-5
 * (section 5.4) does not allow, known weak moduli, points of small order.
 */
export function keyAlgorithmOf(key: PublicKey): KeyAlgorithm | undefined {
  if ('spki' in key) return key.algorithm;
  const seen = known.get(key);
  if (seen) return seen.algorithm;
  const algorithm = examine(key);
  known.set(key, { algorithm });
  return algorithm;
}

function examine(key: KeyObject): KeyAlgorithm | undefined {
  const details = key.asymmetricKeyDetails;
  switch (key.asymmetricKeyType) {
    case 'rsa': {
      const { modulusLength = 0, publicExponent = 0n } = details ?? {};
      if (![2048, 3072, 4096].includes(modulusLength)) return undefined;
      if (publicExponent % 2n === 0n || publicExponent <= 0xffffn || publicExponent >= 1n << 256n) return undefined;
      // What we made ourselves is a private key.
      if (key.type === 'public' && isWeakModulus(modulusOf(key))) return undefined;
      return `RSA_${modulusLength}` as KeyAlgorithm;
    }
    case 'ec':
      if (details?.namedCurve === 'prime256v1') return 'EC_prime256v1';
      return details?.namedCurve === 'secp384r1' ? 'EC_secp384r1' : undefined;
    case 'ed25519':
      return key.type === 'public' && hasSmallOrder(publicKeyBits(key)) ? undefined : 'ED25519';
    default:
      return undefined;
  }
}

const modulusOf = (key: KeyObject) =>
  BigInt(`0x${Buffer.from(key.export({ format: 'jwk' }).n ?? '', 'base64url').toString('hex')}`);

/** Ed25519 points of small order, without the sign bit: signatures by them prove nothing. */
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);

function hasSmallOrder(point: Buffer): boolean {
  const unsigned = Buffer.from(point);
  unsigned[31]! &= 0x7f;
  return SMALL_ORDER.has(unsigned.toString('hex'));
}

/** Long enough that hashing it is noticed by others. */
const LONG = 1 << 16;

/** Signs; RSA keys, and all keys for long data, in the thread pool. */
export async function signBytes({ privateKey, algorithm }: SigningKey, bytes: Uint8Array): Promise<Buffer> {
  const { family, hash } = signatureOf(algorithm);
  if (family !== 'rsa' && bytes.length < LONG) return sign(hash, bytes, privateKey);
  return new Promise((resolve, reject) => {
    sign(hash, bytes, privateKey, (error, made) => (error ? reject(error) : resolve(made)));
  });
}

/**
 * Whether the key signed these bytes: with the algorithm of `identifier` (DER of an AlgorithmIdentifier), or the
 * default algorithm of its type. Nothing is computed with slow keys. Never throws.
 */
export function verifyBytes(
  publicKey: KeyObject,
  bytes: Uint8Array,
  made: Uint8Array,
  identifier?: Uint8Array,
): boolean {
  const algorithm = keyAlgorithmOf(publicKey);
  const how = identifier
    ? byIdentifier.get(Buffer.from(identifier).toString('latin1'))
    : algorithm && signatureOf(algorithm);
  if (!how || how.family !== publicKey.asymmetricKeyType || !isVerifiable(publicKey)) return false;
  try {
    return verify(how.hash, bytes, publicKey, made);
  } catch {
    return false;
  }
}

const exported = new WeakMap<KeyObject, Buffer>();

/** DER of the SubjectPublicKeyInfo. Encoding it takes longer than signing. */
export function spkiOf(publicKey: PublicKey): Buffer {
  if ('spki' in publicKey) return publicKey.spki;
  const seen = exported.get(publicKey);
  if (seen) return seen;
  const info = publicKey.export({ type: 'spki', format: 'der' });
  exported.set(publicKey, info);
  return info;
}

/** RSA, EC or another kind of key, as Node calls them. */
export const familyOf = (key: PublicKey): string | undefined =>
  'spki' in key ? signatureOf(key.algorithm).family : key.asymmetricKeyType;

/** The subjectPublicKey of a key, without its algorithm. */
export const publicKeyBits = (publicKey: PublicKey): Buffer => bits(within(spkiOf(publicKey), TAG.sequence)[1]);

/** RFC 5280, section 4.2.1.2, method (1): SHA-1 of the subjectPublicKey. It names a key and protects nothing. */
export const keyIdOf = (publicKey: PublicKey): Buffer => createHash('sha1').update(publicKeyBits(publicKey)).digest();

const hasPoint = (info: Buffer): boolean =>
  Object.values(POINTS).some(
    ({ prefix, length }) => info.length === prefix.length + length && info.subarray(0, prefix.length).equals(prefix),
  );

/** Whether these octets are this key, uncompressed on a named curve: nothing in them needs parsing. */
export const isWrittenAs = (key: PublicKey, info: Buffer): boolean => hasPoint(info) && spkiOf(key).equals(info);

/**
 * The key of a SubjectPublicKeyInfo. `undefined` for an invalid one, or one that is not in the canonical form of RFC
 * 3279, 5480 and 8410 (named curves, uncompressed points, NULL parameters of RSA).
 */
export function keyFromSpki(info: Buffer): KeyObject | undefined {
  try {
    // Points that are not on their curve are refused by OpenSSL.
    const key = createPublicKey({ key: info, format: 'der', type: 'spki' });
    if (hasPoint(info)) {
      // A copy: the octets may be part of a larger buffer.
      exported.set(key, Buffer.from(info));
      return key;
    }
    if (!spkiOf(key).equals(info)) return undefined;
    const [identifier, bitString] = within(info, TAG.sequence);
    const isExplicit = within(identifier!.whole, TAG.sequence)[1]?.tag !== TAG.oid;
    return key.asymmetricKeyType === 'ec' && (isExplicit || bits(bitString)[0] !== 0x04) ? undefined : key;
  } catch {
    return undefined;
  }
}
