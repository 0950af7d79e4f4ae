import { badRequest, restBeforeLong, type Context } from '../../kernel/index.ts';
import {
  hasLengthFor,
  type SignatureAlgorithm,
  type SigningAlgorithm,
  type SigningAlgorithmName,
} from '../algorithm/index.ts';
import {
  keyForUse,
  kmsPermissions,
  newestVersion,
  type KeyInUse,
  type KmsKeyRef,
  type OpenVersion,
} from '../key/index.ts';
import { bytesOf, eventData, recordUse, wrongUsage } from './encrypt.ts';
import { keySigned, keyVerified, type KmsSign, type KmsSigned, type KmsVerified, type KmsVerify } from './use.ts';
import { comparisonsOf, Versions } from './versions.ts';

/** @throws DomainError 400 `kms_key.usage` */
function signerOf(key: KeyInUse): SignatureAlgorithm {
  if (key.algorithm.usage !== 'sign-verify') throw wrongUsage(key, 'sign');
  return key.algorithm;
}

/** How a key signs. @throws DomainError 400 `kms_key.usage` */
const signingOf = (key: KeyInUse): readonly SigningAlgorithm[] => signerOf(key).signing;

/** The algorithm that a caller names, or the usual one. @throws DomainError 400 `kms.signing_algorithm` */
export function signingNamed(key: KeyInUse, name: SigningAlgorithmName | undefined): SigningAlgorithm {
  const all = signingOf(key);
  const found = name === undefined ? all[0] : all.find((one) => one.name === name);
  if (found) return found;
  const names = all.map((one) => one.name).join(', ');
  throw badRequest(
    'kms.signing_algorithm',
    `A key of ${key.row.algorithm} does not sign with ${name}, but with ${names}`,
  );
}

/** What signs or verifies a digest. @throws DomainError 400 `kms.digest` */
function digestSignerOf({ name, digest }: SigningAlgorithm, data: Buffer) {
  if (!digest) throw badRequest('kms.digest', `${name} signs whole messages: isDigest must be false`);
  if (data.length !== digest.length)
    throw badRequest('kms.digest', `The digest has ${data.length} bytes; ${name} needs ${digest.length}`);
  return digest;
}

type SignInput = Omit<KmsSign, 'keyId'>;
type VerifyInput = Omit<KmsVerify, 'keyId'>;

/** @throws DomainError 400 `kms.signing_algorithm`, `kms.digest` */
export async function signOne(key: KeyInUse, version: OpenVersion, input: SignInput): Promise<KmsSigned> {
  const algorithm = signingNamed(key, input.signingAlgorithm);
  const data = bytesOf(input.data);
  const signature = input.isDigest
    ? await digestSignerOf(algorithm, data).sign(version.key, data)
    : await algorithm.sign(version.key, data);
  return {
    signature: signature.toString('base64'),
    keyId: key.row.id,
    signingAlgorithm: algorithm.name,
    keyVersion: version.version,
  };
}

/** The cost of more bytes of a message, which are hashed. */
const BYTES_PER_MICROSECOND = 400;
const hashing = ({ data }: SignInput): number => data.length / BYTES_PER_MICROSECOND;

/** The cost of signing with a key. @throws DomainError 400 `kms_key.usage` */
export function costOfSigning(key: KeyInUse): (input: SignInput) => number {
  const { sign, signDigest } = signerOf(key).cost;
  return (input) => (input.isDigest ? signDigest : sign + hashing(input));
}

/** The cost of verifying with all versions of a key that may be compared with. @throws DomainError 400 `kms_key.usage` */
export function costOfVerifying(key: KeyInUse): (input: VerifyInput) => number {
  const compare = costOfComparing(key);
  return (input) => comparisonsOf(key, input.keyVersion) * compare(input);
}

function costOfComparing(key: KeyInUse): (input: VerifyInput) => number {
  const { verify, verifyDigest } = signerOf(key).cost;
  return (input) => (input.isDigest ? verifyDigest : verify + hashing(input));
}

/**
 * Verifies with the newest version and those before it, because a signature names none; or with the one that the caller names.
 *
 * @returns The version that made the signature.
 * @throws DomainError 400 `kms.signing_algorithm`, `kms.digest`
 */
export async function verifyOne(versions: Versions, key: KeyInUse, input: VerifyInput): Promise<number | undefined> {
  const algorithm = signingNamed(key, input.signingAlgorithm);
  const [data, signature] = [bytesOf(input.data), bytesOf(input.signature)];
  const digest = input.isDigest ? digestSignerOf(algorithm, data) : undefined;
  const comparison = { cost: costOfComparing(key)(input), named: input.keyVersion };
  return versions.find(comparison, ({ publicKey }) => {
    if (!publicKey || !hasLengthFor(publicKey, signature)) return false;
    return digest ? verifiesDigest(digest, publicKey, data, signature) : algorithm.verify(publicKey, data, signature);
  });
}

type Digest = NonNullable<SigningAlgorithm['digest']>;

async function verifiesDigest(
  digest: Digest,
  ...[publicKey, data, signature]: Parameters<Digest['verify']>
): Promise<boolean> {
  try {
    return await digest.verify(publicKey, data, signature);
  } catch {
    return false;
  }
}

/** @throws DomainError 404, 403; 400 as `keyForUse` and `signOne`, `kms_key.usage` */
export async function kmsSign(ctx: Context, input: KmsSign): Promise<KmsSigned> {
  const key = await keyForUse(ctx, input.keyId, kmsPermissions.sign);
  await restBeforeLong(costOfSigning(key)(input));
  const signed = await signOne(key, await newestVersion(key, ctx), input);
  const { signingAlgorithm, keyVersion } = signed;
  await recordUse(ctx, key, keySigned, { ...eventData(key, keyVersion), signingAlgorithm });
  return signed;
}

/** A bad signature is an answer, not an error. @throws DomainError as `kmsSign` */
export async function kmsVerify(ctx: Context, input: KmsVerify): Promise<KmsVerified> {
  const key = await keyForUse(ctx, input.keyId, kmsPermissions.verify);
  await restBeforeLong(costOfComparing(key)(input));
  const version = await verifyOne(new Versions(key, ctx), key, input);
  const { name: signingAlgorithm } = signingNamed(key, input.signingAlgorithm);
  const data = { ...eventData(key, version ?? key.row.version), signingAlgorithm, isValid: version !== undefined };
  await recordUse(ctx, key, keyVerified, data);
  return { signatureValid: version !== undefined, keyId: key.row.id, signingAlgorithm };
}

/** The algorithms that a key signs with. @throws DomainError 404, 403; 400 `kms_key.usage` */
export async function listKmsSigningAlgorithms(ctx: Context, { keyId }: KmsKeyRef): Promise<SigningAlgorithmName[]> {
  return signingOf(await keyForUse(ctx, keyId, kmsPermissions.read)).map(({ name }) => name);
}
