import { z } from 'zod';
import { Id, Instant, Uuid } from '../../kernel/schema.ts';
import { KmsAlgorithmName, KeyUsage } from '../algorithm/names.ts';
import { base64 } from './base64.ts';
import { EXAMPLES } from './example-values.ts';
import { KmsKey, KmsKeyRef, NewKmsKey } from './key.ts';

/** The most keys that are imported or exported at once. */
const MOST = 100;
/** Bytes; the longest material is an RSA key as PEM. */
const MAX_MATERIAL = 16_384;

/** How material is wrapped by the import key of the project. */
export const KmsWrapping = z.enum(['RSA_OAEP_SHA_256', 'RSA_AES_KEY_WRAP_SHA_256']);
export type KmsWrapping = z.output<typeof KmsWrapping>;

export const KmsKeyToImport = NewKmsKey.extend({
  keyMaterial: base64(MAX_MATERIAL)
    .meta({ examples: [EXAMPLES.random] })
    .describe('Base64: the bytes of a symmetric key, or a private key as PKCS #8 (DER or PEM); or these wrapped'),
  wrapping: KmsWrapping.optional().describe('Present where `keyMaterial` is wrapped by the import key of the project'),
});
export type KmsKeyToImport = z.output<typeof KmsKeyToImport>;

export const ImportKmsKeys = z.object({ projectId: Id, keys: z.array(KmsKeyToImport).min(1).max(MOST) });
export type ImportKmsKeys = z.output<typeof ImportKmsKeys>;

export const ImportedKmsKeys = z.object({
  keys: z.array(KmsKey),
  errors: z.array(z.object({ name: z.string(), code: z.string(), message: z.string() })).meta({ examples: [[]] }),
});
export type ImportedKmsKeys = z.output<typeof ImportedKmsKeys>;

export const CreateKmsImportKey = z.object({ projectId: Id });
export type CreateKmsImportKey = z.output<typeof CreateKmsImportKey>;

export const KmsImportKey = z.object({
  id: Uuid,
  projectId: Uuid,
  publicKey: z
    .string()
    .meta({ examples: ['MIIBojANBgkqhkiG9w0BAQEFAAOCAY8AMIIBigKCAYEA…'] })
    .describe('RSA, SubjectPublicKeyInfo (DER), base64'),
  publicKeyPem: z.string().meta({ examples: [EXAMPLES.publicKeyPem] }),
  expiresAt: Instant.describe('What it wraps can be imported until then'),
});
export type KmsImportKey = z.output<typeof KmsImportKey>;

export const ExportKmsKey = KmsKeyRef.extend({
  version: z.coerce.number().int().positive().optional().describe('Default: the newest'),
});
export type ExportKmsKey = z.output<typeof ExportKmsKey>;

export const ExportKmsKeys = z.object({ keyIds: z.array(Id).min(1).max(MOST) });
export type ExportKmsKeys = z.output<typeof ExportKmsKeys>;

export const ExportedKmsKey = z.object({
  keyId: Uuid,
  name: z.string().meta({ examples: [EXAMPLES.name] }),
  keyUsage: KeyUsage,
  algorithm: KmsAlgorithmName,
  version: z.int().meta({ examples: [1] }),
  privateKey: z
    .string()
    .meta({ examples: [EXAMPLES.random] })
    .describe('Base64: the bytes of a symmetric key, or PKCS #8 (DER)'),
  publicKey: z.string().optional().describe('SubjectPublicKeyInfo (DER), base64'),
});
export type ExportedKmsKey = z.output<typeof ExportedKmsKey>;
