import { z } from 'zod';
import { defineEvent } from '../../kernel/schema.ts';
import { KmsAlgorithmName, SigningAlgorithmName } from '../algorithm/names.ts';
import { base64 } from '../key/base64.ts';
import { EXAMPLES } from '../key/example-values.ts';
import { KmsKeyRef } from '../key/key.ts';

/** The longest input of one operation in decoded bytes, and the most elements of a batch. */
const MAX_BYTES = 64 * 1024;
const MAX_BATCH = 1_000;
/** What a ciphertext has beyond its plaintext, and more. */
const OVERHEAD = 256;

/** Base64 of an answer, which is not checked. */
const given = (example: string) => z.string().meta({ examples: [example] });
const Version = z.int().meta({ examples: [1] });

const Data = base64(MAX_BYTES);
const AssociatedData = base64(MAX_BYTES)
  .optional()
  .describe('Base64: authenticated with the ciphertext and not part of it; decryption needs the same');

const Plaintext = z.object({ plaintext: Data.describe('Base64, at most 64 KiB'), associatedData: AssociatedData });
const Ciphertext = z.object({
  ciphertext: base64(MAX_BYTES + OVERHEAD).meta({ examples: [EXAMPLES.ciphertext] }),
  associatedData: AssociatedData,
});

export const KmsEncrypt = KmsKeyRef.extend(Plaintext.shape);
export type KmsEncrypt = z.output<typeof KmsEncrypt>;
export const KmsDecrypt = KmsKeyRef.extend(Ciphertext.shape);
export type KmsDecrypt = z.output<typeof KmsDecrypt>;

export const KmsEncrypted = z.object({ ciphertext: given(EXAMPLES.ciphertext) });
export const KmsDecrypted = z.object({ plaintext: given('aGVsbG8=') });

const Signing = z.object({
  data: Data.describe('Base64, at most 64 KiB'),
  isDigest: z.boolean().default(false).describe('Whether `data` is the hash of the message already'),
  signingAlgorithm: SigningAlgorithmName.optional().describe('Default: the first one of the key'),
});
const KeyVersion = z
  .int()
  .positive()
  .optional()
  .describe('The version of the key that made it; default: each is tried, from the newest on, at most 100');
const Verifying = Signing.extend({
  signature: base64(8_192).meta({ examples: [EXAMPLES.signature] }),
  keyVersion: KeyVersion,
});

export const KmsSign = KmsKeyRef.extend(Signing.shape);
export type KmsSign = z.output<typeof KmsSign>;
export const KmsVerify = KmsKeyRef.extend(Verifying.shape);
export type KmsVerify = z.output<typeof KmsVerify>;

export const KmsSigned = z.object({
  signature: given(EXAMPLES.signature).describe('Base64; of ECDSA as DER'),
  keyId: z.string(),
  signingAlgorithm: SigningAlgorithmName.meta({ examples: ['ECDSA_SHA_256'] }),
  keyVersion: Version,
});
export type KmsSigned = z.output<typeof KmsSigned>;
export const KmsVerified = z.object({
  signatureValid: z.boolean(),
  keyId: z.string(),
  signingAlgorithm: SigningAlgorithmName.meta({ examples: ['ECDSA_SHA_256'] }),
});
export type KmsVerified = z.output<typeof KmsVerified>;

export const KmsGenerateMac = KmsKeyRef.extend({ data: Data });
export type KmsGenerateMac = z.output<typeof KmsGenerateMac>;
export const KmsVerifyMac = KmsKeyRef.extend({
  data: Data,
  mac: base64(64).meta({ examples: [EXAMPLES.mac] }),
  keyVersion: KeyVersion,
});
export type KmsVerifyMac = z.output<typeof KmsVerifyMac>;

export const KmsMac = z.object({
  mac: given(EXAMPLES.mac),
  keyId: z.string(),
  macAlgorithm: KmsAlgorithmName.meta({ examples: ['HMAC_SHA_256'] }),
  keyVersion: Version,
});
export type KmsMac = z.output<typeof KmsMac>;
export const KmsMacVerified = z.object({
  macValid: z.boolean(),
  keyId: z.string(),
  macAlgorithm: KmsAlgorithmName.meta({ examples: ['HMAC_SHA_256'] }),
});
export type KmsMacVerified = z.output<typeof KmsMacVerified>;

const batch = <Item extends z.ZodType>(item: Item) => KmsKeyRef.extend({ items: z.array(item).min(1).max(MAX_BATCH) });

export const KmsEncryptBatch = batch(Plaintext);
export type KmsEncryptBatch = z.output<typeof KmsEncryptBatch>;
export const KmsDecryptBatch = batch(Ciphertext);
export type KmsDecryptBatch = z.output<typeof KmsDecryptBatch>;
export const KmsSignBatch = batch(Signing);
export type KmsSignBatch = z.output<typeof KmsSignBatch>;
export const KmsVerifyBatch = batch(Verifying);
export type KmsVerifyBatch = z.output<typeof KmsVerifyBatch>;

/** One result for each item, in their order: what the single operation answers, or why it refused. */
const results = <Shape extends z.ZodRawShape>(result: z.ZodObject<Shape>) =>
  z.object({
    results: z.array(z.union([result, z.object({ error: z.object({ code: z.string(), message: z.string() }) })])),
  });
/** An item that was refused. */
export interface RefusedItem {
  readonly error: { readonly code: string; readonly message: string };
}

export const KmsEncryptedBatch = results(KmsEncrypted);
export const KmsDecryptedBatch = results(KmsDecrypted);
export const KmsSignedBatch = results(KmsSigned);
export const KmsVerifiedBatch = results(KmsVerified);

export const KmsReEncrypted = KmsEncrypted.extend({ keyVersion: Version });
export type KmsReEncrypted = z.output<typeof KmsReEncrypted>;

/** Bytes of the longest data key, and of random bytes. */
const MAX_RANDOM = 1_024;

export const KmsDataKey = KmsKeyRef.extend({
  numberOfBytes: z.int().min(16).max(MAX_RANDOM).default(32).describe('Bytes of the data key'),
  associatedData: AssociatedData,
  withoutPlaintext: z.boolean().default(false).describe('Whether only the wrapped data key is answered'),
});
export type KmsDataKey = z.output<typeof KmsDataKey>;
export const KmsMadeDataKey = KmsReEncrypted.extend({
  plaintext: given(EXAMPLES.random)
    .optional()
    .describe('Base64: use it and drop it; decrypting `ciphertext` gives it again'),
});
export type KmsMadeDataKey = z.output<typeof KmsMadeDataKey>;

export const KmsRandom = z.object({ numberOfBytes: z.int().min(1).max(MAX_RANDOM).default(32) });
export type KmsRandom = z.output<typeof KmsRandom>;
export const KmsRandomBytes = z.object({ randomBytes: given(EXAMPLES.random).describe('Base64') });
export type KmsRandomBytes = z.output<typeof KmsRandomBytes>;

const used = z.object({ keyId: z.string(), keyName: z.string(), keyVersion: z.int() });
/** Of a batch also the versions that were used, and how many items there were and failed; `keyVersion` is the newest then. */
const several = used.extend({
  keyVersions: z.array(z.int()).optional(),
  items: z.int().optional(),
  failed: z.int().optional(),
});
/** One algorithm, or all of a batch. */
const signed = several.extend({
  signingAlgorithm: SigningAlgorithmName.optional(),
  signingAlgorithms: z.array(SigningAlgorithmName).optional(),
});
export const keyEncrypted = defineEvent('kms_key.encrypted', 'cmek-encrypt', several);
export const keyDecrypted = defineEvent('kms_key.decrypted', 'cmek-decrypt', several);
export const keyReEncrypted = defineEvent(
  'kms_key.re_encrypted',
  'cmek-re-encrypt',
  used.extend({ fromVersion: z.int() }),
);
export const keyMadeDataKey = defineEvent('kms_key.data_key_generated', 'cmek-generate-data-key', used);
export const keySigned = defineEvent('kms_key.signed', 'cmek-sign', signed);
export const keyVerified = defineEvent(
  'kms_key.verified',
  'cmek-verify',
  signed.extend({ isValid: z.boolean().optional(), invalid: z.int().optional() }),
);
export const keyMacGenerated = defineEvent('kms_key.mac_generated', 'cmek-generate-mac', used);
export const keyMacVerified = defineEvent(
  'kms_key.mac_verified',
  'cmek-verify-mac',
  used.extend({ isValid: z.boolean() }),
);
