import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import {
  commaSeparated,
  defineEvent,
  flag,
  Id,
  Instant,
  MetadataEntry,
  schemaNamed,
  Uuid,
} from '../../kernel/schema.ts';
import { SecretActor } from '../commit/secret-actor.ts';
import { EnvironmentSlug, FolderPath, folderPath } from '../folder/folder.ts';

export const secretPermissions = projectPermissions('secrets');

/**
 * The permissions to read a secret: its value by `readValue`, its details by `describeSecret`. The legacy `read` is
 * never checked: a rule with it counts for both.
 */
export const readingPermissions = [secretPermissions.describeSecret, secretPermissions.readValue] as const;

/** All permissions on secrets that are checked anywhere. */
export const askedPermissions = Object.values(secretPermissions).filter((one) => one !== secretPermissions.read);

/** The replacement of a hidden value. */
export const HIDDEN_VALUE = '<hidden>';

/** Characters of a value. */
export const MAX_VALUE = 1024 * 1024;

/** Names contain no colon and no slash, which references use for locations. */
export const SecretName = z
  .string()
  .trim()
  .min(1)
  .max(255, { abort: true })
  .refine((name) => !/[:/]/.test(name), 'A name cannot contain : or /')
  .refine((name) => name.isWellFormed() && !name.includes('\0'), 'A name must be well-formed Unicode');

/** Trimmed on both sides; a line break at the end is reduced to exactly one (keys and certificates need it). */
export const SecretValue = z
  .string()
  .max(MAX_VALUE, { abort: true })
  .refine((value) => value.isWellFormed(), 'A value must be well-formed Unicode')
  .transform((value) => value.trim() + (value.endsWith('\n') && value.trim() !== '' ? '\n' : ''));

export const SecretType = z.enum(['shared', 'personal']);
export type SecretType = z.output<typeof SecretType>;

export const SecretMetadata = z
  .array(MetadataEntry.extend({ isEncrypted: z.boolean().default(false).describe('Encrypted like the value') }))
  .max(100);
export type SecretMetadata = z.output<typeof SecretMetadata>;

/** A reference in a value that could not be resolved. */
export const SecretReferenceError = z.object({
  reference: z.string().describe('As it is written in the value, such as ${prod.KEY}'),
  message: z.string(),
  code: z
    .enum(['unavailable', 'missing', 'circular', 'too-deep', 'too-many', 'too-large'])
    .describe(
      '`unavailable`: the secret does not exist or may not be read; `too-many`, `too-large`: the response would exceed its limits',
    ),
  environment: z.string().describe('The secret whose value contains the reference'),
  secretPath: z.string(),
  secretKey: z.string(),
});
export type SecretReferenceError = z.output<typeof SecretReferenceError>;

const Tag = schemaNamed(
  'SecretTag',
  z.object({ id: Uuid, slug: z.string(), name: z.string(), color: z.string().nullable() }),
);

/** A returned secret: the value in plaintext, or hidden. */
export const Secret = z.object({
  id: Uuid,
  projectId: z.string(),
  environment: z.string().describe('Slug of the environment'),
  secretPath: z.string(),
  folderId: Uuid,
  version: z.int(),
  type: z.string(),
  secretKey: z.string(),
  secretValue: z.string(),
  secretValueHidden: z.boolean(),
  secretReferenceErrors: z
    .array(SecretReferenceError)
    .optional()
    .describe('Only where references were to be resolved and some could not be'),
  secretComment: z.string(),
  secretReminderNote: z.string().nullable(),
  secretReminderRepeatDays: z.int().nullable(),
  secretReminderRecipients: z.array(z.string()).nullable(),
  skipMultilineEncoding: z.boolean().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  secretMetadata: z.array(z.object({ key: z.string(), value: z.string(), isEncrypted: z.boolean() })),
  tags: z.array(Tag),
  actor: SecretActor.nullable(),
  isRotatedSecret: z.boolean(),
  rotationId: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type Secret = z.output<typeof Secret>;

/** The location of secrets. */
export const SecretPlace = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  secretPath: folderPath(),
});
export type SecretPlace = z.output<typeof SecretPlace>;

/** What can be given of a secret besides its key and value. */
const SecretDetails = schemaNamed(
  'SecretDetails',
  z.object({
    secretComment: z
      .string()
      .max(10_000, { abort: true })
      .refine((comment) => comment.isWellFormed(), 'A comment must be well-formed Unicode')
      .optional(),
    skipMultilineEncoding: z.boolean().nullish(),
    metadata: z
      .record(z.string().max(255), z.string().max(1020))
      .refine((pairs) => Object.keys(pairs).length <= 100, 'At most 100 pairs')
      .optional()
      .describe('The legacy form of secretMetadata'),
    secretMetadata: SecretMetadata.optional(),
    tagIds: z.array(Id).max(100).optional(),
    secretReminderNote: z.string().max(1024).nullish(),
    secretReminderRepeatDays: z.int().min(1).max(365).nullish(),
    secretReminderRecipients: z.array(z.string().max(254)).max(100).optional(),
  }),
);

export const NewSecret = z.object({ secretKey: SecretName, secretValue: SecretValue, ...SecretDetails.shape });
export type NewSecret = z.output<typeof NewSecret>;

export const CreateSecret = z.object({
  ...SecretPlace.shape,
  secretName: SecretName,
  secretValue: SecretValue,
  type: SecretType.default('shared'),
  ...SecretDetails.shape,
});
export type CreateSecret = z.output<typeof CreateSecret>;

export const CreateSecrets = z.object({ ...SecretPlace.shape, secrets: z.array(NewSecret).min(1) });
export type CreateSecrets = z.output<typeof CreateSecrets>;

export const SecretChange = z.object({
  secretKey: SecretName,
  secretValue: SecretValue.optional(),
  secretPath: FolderPath.optional().describe('The location of this one, if it differs from the common one'),
  newSecretName: SecretName.optional(),
  ...SecretDetails.shape,
});
export type SecretChange = z.output<typeof SecretChange>;

export const UpdateSecret = z.object({
  ...SecretPlace.shape,
  secretName: SecretName,
  type: SecretType.default('shared'),
  ...SecretChange.omit({ secretKey: true, secretPath: true }).shape,
});
export type UpdateSecret = z.output<typeof UpdateSecret>;

export const UpdateSecrets = z.object({
  ...SecretPlace.shape,
  mode: z
    .enum(['failOnNotFound', 'ignore', 'upsert'])
    .default('failOnNotFound')
    .describe('What happens if a secret does not exist'),
  secrets: z.array(SecretChange).min(1),
});
export type UpdateSecrets = z.output<typeof UpdateSecrets>;

export const DeleteSecret = z.object({
  ...SecretPlace.shape,
  secretName: SecretName,
  type: SecretType.default('shared'),
});
export type DeleteSecret = z.output<typeof DeleteSecret>;

export const NamedSecret = z.object({ secretKey: SecretName, type: SecretType.default('shared') });

export const DeleteSecrets = z.object({
  ...SecretPlace.shape,
  secrets: z.array(NamedSecret).min(1),
});
export type DeleteSecrets = z.output<typeof DeleteSecrets>;

export const ReadSecret = z.object({
  ...SecretPlace.shape,
  secretName: SecretName,
  type: SecretType.default('shared'),
  version: z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(1))
    .optional(),
  viewSecretValue: flag().default(true),
  expandSecretReferences: flag().default(false),
  includeImports: flag().default(false),
});
export type ReadSecret = z.output<typeof ReadSecret>;

const MAX_FILTER_PAIRS = 10;

/** `key=a,value=b|key=c`: secrets with all of these pairs. */
export const MetadataFilter = z
  .string()
  .transform((text, ctx) => {
    const pairs = text.split('|').filter((pair) => pair.trim() !== '');
    if (pairs.length > MAX_FILTER_PAIRS) ctx.addIssue({ code: 'custom', message: `At most ${MAX_FILTER_PAIRS} pairs` });
    return pairs.map((pair) => {
      const match = /^\s*key=([^,]*)(?:,\s*value=(.*))?$/s.exec(pair);
      const key = match?.[1]?.trim() ?? '';
      if (key === '') ctx.addIssue({ code: 'custom', message: 'Expected key=a,value=b; join several by |' });
      return { key, value: match?.[2] };
    });
  })
  .describe('key=a,value=b; join several by |');

export const ListSecrets = z.object({
  ...SecretPlace.shape,
  viewSecretValue: flag().default(true),
  expandSecretReferences: flag().default(false),
  recursive: flag().default(false),
  includeImports: flag().default(false),
  includePersonalOverrides: flag()
    .default(false)
    .describe("Replaces shared values by the caller's personal values, for secrets that the caller may describe"),
  tagSlugs: commaSeparated().optional().describe('Comma-separated slugs: secrets with any of these tags'),
  metadataFilter: MetadataFilter.optional(),
});
export type ListSecrets = z.output<typeof ListSecrets>;

export const ImportedSecrets = z.object({
  secretPath: z.string(),
  environment: z.string(),
  environmentInfo: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  folderId: z.string().nullable(),
  secrets: z.array(Secret),
});
export type ImportedSecrets = z.output<typeof ImportedSecrets>;

export const MoveSecrets = z.object({
  projectId: Id,
  sourceEnvironment: EnvironmentSlug,
  sourceSecretPath: folderPath(),
  destinationEnvironment: EnvironmentSlug,
  destinationSecretPath: folderPath(),
  secretIds: z.array(Id).min(1).max(10_000),
  shouldOverwrite: z.boolean().default(false),
});
export type MoveSecrets = z.output<typeof MoveSecrets>;

const Place = { environment: z.string(), secretPath: z.string() };
const One = z.object({ ...Place, secretId: z.string(), secretKey: z.string(), secretVersion: z.int() });
const ValuesRead = {
  numberOfValues: z.int().optional().describe('Of secrets, that the answer had and the call did not'),
};
const Many = z.object({
  ...Place,
  secrets: z.array(
    z.object({
      secretId: z.string(),
      secretKey: z.string(),
      secretVersion: z.int(),
      secretPath: z.string().optional(),
    }),
  ),
});

const ReadPlace = z.object({
  ...Place,
  isRecursive: z.boolean().optional().describe('Whether secrets of folders below it are among them'),
  numberOfSecrets: z.int(),
});
/** A folder of which secrets were read for an answer, and how many. */
export type ReadPlace = z.output<typeof ReadPlace>;
const ReferencesRead = {
  references: z.array(ReadPlace).optional().describe('Where the values of references were read'),
};
const ImportsRead = { imports: z.array(ReadPlace).optional().describe('Where what is imported was read') };

export const secretRead = defineEvent('secret.read', 'get-secret', One.extend(ReferencesRead));
export const secretsRead = defineEvent(
  'secrets.read',
  'get-secrets',
  ReadPlace.extend({ ...ImportsRead, ...ReferencesRead }),
);
export const secretVersionsRead = defineEvent(
  'secret.versions_read',
  'get-secret-versions',
  One.omit({ secretVersion: true }),
);
export const secretCreated = defineEvent('secret.created', 'create-secret', One);
export const secretsCreated = defineEvent('secrets.created', 'create-secrets', Many);
export const secretUpdated = defineEvent('secret.updated', 'update-secret', One.extend(ValuesRead));
export const secretsUpdated = defineEvent('secrets.updated', 'update-secrets', Many.extend(ValuesRead));
export const secretDeleted = defineEvent('secret.deleted', 'delete-secret', One.extend(ValuesRead));
export const secretsDeleted = defineEvent('secrets.deleted', 'delete-secrets', Many.extend(ValuesRead));
export const secretsMoved = defineEvent(
  'secrets.moved',
  'move-secrets',
  z.object({
    sourceEnvironment: z.string(),
    sourceSecretPath: z.string(),
    destinationEnvironment: z.string(),
    destinationSecretPath: z.string(),
    secretIds: z.array(z.string()),
  }),
);
