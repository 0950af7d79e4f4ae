import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, page, slug, text, Timestamps, Uuid } from '../../kernel/schema.ts';
import { EXAMPLES } from './example-values.ts';
import { ALGORITHMS, KmsAlgorithmName, KeyUsage, SigningAlgorithmName, usageOf } from '../algorithm/names.ts';

export const kmsPermissions = projectPermissions('cmek');

const No = z.boolean().meta({ examples: [false] });

/** A key of a project, which encrypts, signs or authenticates for callers and never leaves unless it is exportable. */
export const KmsKey = z.object({
  id: Uuid,
  ...Timestamps.shape,
  orgId: Uuid,
  projectId: Uuid,
  name: z
    .string()
    .describe('Unique in the project')
    .meta({ examples: [EXAMPLES.name] }),
  description: z
    .string()
    .nullable()
    .meta({ examples: ['Invoices of customers'] }),
  keyUsage: KeyUsage,
  encryptionAlgorithm: KmsAlgorithmName.describe('The algorithm of the key, also where it does not encrypt'),
  algorithm: KmsAlgorithmName.describe('The same as `encryptionAlgorithm`'),
  version: z
    .int()
    .meta({ examples: [1] })
    .describe('Number of the newest version; older ones still decrypt and verify'),
  isDisabled: No,
  isExportable: No,
  isImported: No,
  hasDeleteProtection: No,
  rotationPeriodDays: z.int().nullable().describe('Days between rotations; null if only its use rotates it'),
  nextRotationDate: Instant.nullable(),
  deletionDate: Instant.nullable().describe(
    'When a deleted key is destroyed; until then its deletion can be cancelled',
  ),
});
export type KmsKey = z.output<typeof KmsKey>;

const KeyName = slug(1, 64).describe('Lower-case letters, digits and single hyphens; unique in the project');
const Description = text(500);
const RotationPeriod = z.int().min(1).max(3650).describe('Days between rotations');

/** What every new key is given, whether it is generated or imported. */
export const NewKmsKey = z.object({
  name: KeyName,
  description: Description.nullable().optional(),
  keyUsage: KeyUsage.optional().describe('Default: that of the algorithm, or encrypt-decrypt'),
  algorithm: KmsAlgorithmName.optional().describe('Default: the first one of the usage'),
  encryptionAlgorithm: KmsAlgorithmName.optional().describe('Another name of `algorithm`'),
  isExportable: z.boolean().default(false).describe('Whether its material can be exported; never changes'),
  hasDeleteProtection: z.boolean().default(false),
});

/** The usage and algorithm that a caller asks for, `undefined` if they contradict one another. */
export function kindOf(given: {
  readonly keyUsage?: KeyUsage | undefined;
  readonly algorithm?: KmsAlgorithmName | undefined;
  readonly encryptionAlgorithm?: KmsAlgorithmName | undefined;
}): { usage: KeyUsage; algorithm: KmsAlgorithmName } | undefined {
  const { algorithm = given.encryptionAlgorithm, encryptionAlgorithm = algorithm } = given;
  if (algorithm !== encryptionAlgorithm) return undefined;
  const usage = given.keyUsage ?? (algorithm ? usageOf(algorithm) : 'encrypt-decrypt');
  const chosen = algorithm ?? ALGORITHMS[usage][0];
  return usageOf(chosen) === usage ? { usage, algorithm: chosen } : undefined;
}

export const CreateKmsKey = NewKmsKey.extend({
  projectId: Id,
  rotationPeriodDays: RotationPeriod.optional(),
});
export type CreateKmsKey = z.output<typeof CreateKmsKey>;

export const KmsKeyRef = z.object({ keyId: Id });
export type KmsKeyRef = z.output<typeof KmsKeyRef>;

export const KmsKeyByName = z.object({ projectId: Id, keyName: z.string().trim().toLowerCase() });
export type KmsKeyByName = z.output<typeof KmsKeyByName>;

export const ListKmsKeys = z.object({
  projectId: Id,
  ...page({ limit: 100, maxLimit: 1_000 }).shape,
  orderBy: z.enum(['name']).default('name'),
  orderDirection: z.enum(['asc', 'desc']).default('asc'),
  search: z.string().trim().max(64).optional().describe('Part of the name'),
  state: z
    .enum(['present', 'pending-deletion'])
    .default('present')
    .describe('Keys whose deletion is pending are listed only by themselves'),
});
export type ListKmsKeys = z.output<typeof ListKmsKeys>;

export const KmsKeys = z.object({ keys: z.array(KmsKey), totalCount: z.int() });
export type KmsKeys = z.output<typeof KmsKeys>;

export const UpdateKmsKey = KmsKeyRef.extend({
  name: KeyName.optional(),
  description: Description.nullable().optional(),
  isDisabled: z.boolean().optional().describe('A disabled key is not used, and can be enabled again'),
  hasDeleteProtection: z.boolean().optional(),
  rotationPeriodDays: RotationPeriod.nullable().optional().describe('Days between rotations; null for none'),
});
export type UpdateKmsKey = z.output<typeof UpdateKmsKey>;

const PENDING_DAYS = { least: 1, most: 30, usual: 30 };

export const DeleteKmsKey = KmsKeyRef.extend({
  pendingDays: z
    .int()
    .min(PENDING_DAYS.least)
    .max(PENDING_DAYS.most)
    .default(PENDING_DAYS.usual)
    .describe('Days until the key is destroyed, in which the deletion can be cancelled'),
});
export type DeleteKmsKey = z.output<typeof DeleteKmsKey>;

/** The public half of a key. */
export const KmsPublicKey = z.object({
  publicKey: z
    .string()
    .describe('SubjectPublicKeyInfo (DER), base64')
    .meta({ examples: [EXAMPLES.publicKey] }),
  publicKeyPem: z.string().meta({ examples: [EXAMPLES.publicKeyPem] }),
  publicKeyJwk: z
    .record(z.string(), z.unknown())
    .describe('JSON Web Key (RFC 7517), with a `kid`')
    .meta({ examples: [EXAMPLES.publicKeyJwk] }),
  version: z.int().meta({ examples: [1] }),
});
export type KmsPublicKey = z.output<typeof KmsPublicKey>;

export const KmsPublicKeyRef = KmsKeyRef.extend({
  version: z.coerce.number().int().positive().optional().describe('Default: the newest'),
});
export type KmsPublicKeyRef = z.output<typeof KmsPublicKeyRef>;

export const KmsSigningAlgorithms = z.object({
  signingAlgorithms: z.array(SigningAlgorithmName).meta({ examples: [['ECDSA_SHA_256']] }),
});

const named = z.object({ keyId: z.string(), keyName: z.string() });
const versioned = named.extend({ keyVersion: z.int() });
export const keyCreated = defineEvent(
  'kms_key.created',
  'create-cmek',
  versioned.extend({ algorithm: KmsAlgorithmName }),
);
export const keyUpdated = defineUpdate('kms_key.updated', 'update-cmek', named);
export const keyDeleted = defineEvent('kms_key.deleted', 'delete-cmek', named.extend({ deletionDate: z.string() }));
export const keyDeletionCancelled = defineEvent('kms_key.deletion_cancelled', 'cancel-cmek-deletion', named);
export const keyDestroyed = defineEvent('kms_key.destroyed', 'destroy-cmek', named);
export const keyRotated = defineEvent('kms_key.rotated', 'rotate-cmek', versioned);
export const keyImported = defineEvent(
  'kms_key.imported',
  'import-cmek',
  versioned.extend({ algorithm: KmsAlgorithmName, isWrapped: z.boolean() }),
);
export const keyExported = defineEvent('kms_key.exported', 'export-cmek-private-key', versioned);
