import { z } from 'zod';
import { projectPermissions } from '../../access/index.ts';
import { MissingSetting } from '../../family/index.ts';
import {
  defineEvent,
  defineUpdate,
  flag,
  Id,
  inTypeName,
  Instant,
  schemaNamed,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/index.ts';
import { EnvironmentSlug, folderPath } from '../../secrets/folder/index.ts';
import { SecretName } from '../../secrets/secret/index.ts';
import { rotations, type RotationType } from '../registry.ts';
import type { Credential, Rotation } from './rotation.ts';

export type { RotationType } from '../registry.ts';

export const rotationPermissions = projectPermissions('secret-rotation');
export type RotationAction = keyof typeof rotationPermissions;

/** The name of a type that is offered. */
const TypeName = z.enum(rotations.names, `Offered: ${rotations.names.join(', ')}`);

const Name = slug(1, 64).describe('Unique in the folder');
const Description = text(256).nullish();
const Interval = z.int().min(1).max(3650).describe('Days');
const TimeOfDay = z.object({ hours: z.int().min(0).max(23), minutes: z.int().min(0).max(59) });
const RotateAt = TimeOfDay.describe('The time of day in UTC');
const Enabled = z.boolean().describe('Whether it is repeated; otherwise it is rotated on request only');

const withName = { id: Uuid, name: z.string() };
const Common = {
  id: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  isAutoRotationEnabled: z.boolean(),
  activeIndex: z.int().describe('The one of the generated credentials that is in the secrets'),
  folderId: Uuid,
  connectionId: Uuid,
  rotationInterval: z.int().describe('Days'),
  rotateAtUtc: TimeOfDay,
  rotationStatus: z.string().describe('`success` or `failed`: the result of the last attempt'),
  lastRotationAttemptedAt: Instant,
  lastRotatedAt: Instant.nullable().describe('null: the first rotation has not succeeded yet'),
  lastRotationJobId: z.string().nullable(),
  lastRotationMessage: z.string().nullable().describe('Why the last attempt failed'),
  nextRotationAt: Instant.nullable().describe('The next attempt; null: on request only'),
  isLastRotationManual: z.boolean(),
  connection: z.object({ ...withName, app: z.string() }),
  environment: z.object({ ...withName, slug: z.string() }),
  projectId: Uuid,
  folder: z.object({ id: Uuid, path: z.string() }),
  ...Timestamps.shape,
};

const Fields = schemaNamed('SecretRotationFields', z.object(Common));

/** A rotation without its credentials. */
export interface SecretRotation extends z.output<typeof Fields> {
  readonly type: string;
  readonly parameters: object;
  readonly secretsMapping: Credential;
}

/** The fields of an answer are known to the schema alone: the types of the client are made from it. */
type AnswerSchema = z.ZodType<never>;

const eachOf = (mapping: Credential, schemaOf: (field: string) => z.ZodType) =>
  z.object(Object.fromEntries(Object.keys(mapping).map((field) => [field, schemaOf(field)])));

const mappingOf = ({ mapping }: Rotation) =>
  eachOf(mapping, (field) => SecretName.describe(`The name of the secret with the ${field}`));

export interface CreateSecretRotation {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly projectId: string;
  readonly connectionId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly isAutoRotationEnabled: boolean;
  readonly rotationInterval: number;
  readonly rotateAtUtc: z.output<typeof TimeOfDay>;
  readonly parameters: object;
  readonly secretsMapping: Credential;
  readonly temporaryParameters?: Record<string, unknown> | undefined;
}
export interface UpdateSecretRotation extends Partial<
  Pick<
    CreateSecretRotation,
    | 'name'
    | 'description'
    | 'isAutoRotationEnabled'
    | 'rotationInterval'
    | 'rotateAtUtc'
    | 'parameters'
    | 'secretsMapping'
  >
> {
  readonly rotationId: string;
}

/** What the operations on rotations of one type take and answer. */
export interface SecretRotationSchemas {
  readonly type: RotationType;
  readonly title: string;
  readonly Create: z.ZodObject & z.ZodType<CreateSecretRotation>;
  readonly Update: z.ZodObject & z.ZodType<UpdateSecretRotation>;
  readonly Answer: AnswerSchema;
}

const CreateFields = schemaNamed(
  'CreateSecretRotationFields',
  z.object({
    name: Name,
    description: Description,
    projectId: Id,
    connectionId: Id.describe('A connection of the project or the organization that the caller may use'),
    environment: EnvironmentSlug,
    secretPath: folderPath(),
    isAutoRotationEnabled: Enabled.default(true),
    rotationInterval: Interval,
    rotateAtUtc: RotateAt.default({ hours: 0, minutes: 0 }),
  }),
);
const UpdateFields = schemaNamed(
  'UpdateSecretRotationFields',
  z.object({
    rotationId: Id,
    name: Name.optional(),
    description: Description,
    isAutoRotationEnabled: Enabled.optional(),
    rotationInterval: Interval.optional(),
    rotateAtUtc: RotateAt.optional(),
  }),
);

function schemasOf(rotation: Rotation): SecretRotationSchemas {
  const { title, parameters, temporary } = rotation;
  const type = rotation.type as RotationType;
  const typeName = inTypeName(type);
  const secretsMapping = schemaNamed(`${typeName}Mapping`, mappingOf(rotation));
  schemaNamed(`${typeName}Parameters`, parameters);
  return {
    type,
    title,
    Create: CreateFields.extend({
      parameters,
      secretsMapping,
      ...(temporary && { temporaryParameters: temporary.optional().describe('Used once, and not returned') }),
    }) as never,
    Update: UpdateFields.extend({
      parameters: parameters.optional().describe('Replace the present ones, and take effect with the next rotation'),
      secretsMapping: secretsMapping.optional().describe('Renames the secrets'),
    }) as never,
    Answer: schemaNamed(
      `${typeName}Rotation`,
      Fields.extend({
        type: z.literal(type),
        parameters,
        secretsMapping: eachOf(rotation.mapping, () => z.string()),
      }),
    ).describe(`A rotation of ${title}`) as unknown as AnswerSchema,
  };
}

/** Of every type. */
export const secretRotationSchemas: readonly SecretRotationSchemas[] = rotations.members.map(schemasOf);

const anyOf = (schemas: readonly z.ZodType[]) => z.discriminatedUnion('type', schemas as never);

/** A rotation of any type. */
export const AnySecretRotation = anyOf(secretRotationSchemas.map(({ Answer }) => Answer)) as unknown as AnswerSchema;

export const ListSecretRotations = z.object({ projectId: Id, rotationType: TypeName.optional() });
export type ListSecretRotations = z.output<typeof ListSecretRotations>;
export const SecretRotationRef = z.object({ rotationType: TypeName, rotationId: Id });
export type SecretRotationRef = z.output<typeof SecretRotationRef>;
export const SecretRotationName = z.object({
  rotationType: TypeName,
  rotationName: z.string().trim().toLowerCase(),
  projectId: Id,
  environment: EnvironmentSlug,
  secretPath: folderPath(),
});
export type SecretRotationName = z.output<typeof SecretRotationName>;
export const DeleteSecretRotation = SecretRotationRef.extend({
  deleteSecrets: flag()
    .default(false)
    .describe('Whether its secrets are deleted, too; otherwise they stay as they are'),
  revokeGeneratedCredentials: flag()
    .default(false)
    .describe('Whether the credentials are revoked first; otherwise they go on to work'),
});
export type DeleteSecretRotation = z.output<typeof DeleteSecretRotation>;

/** What a check of the active credential has come to. */
export interface ReconciledRotation {
  readonly reconciled: boolean;
  readonly message: string;
  readonly secretRotation: SecretRotation;
}

export const SecretRotationOption = z.object({
  name: z.string().describe('For people'),
  type: z.string(),
  connection: z.string().describe('The app of its connections'),
  template: z.object({
    secretsMapping: z.record(z.string(), z.string()).describe('Usual names of the secrets'),
  }),
  missingSetting: MissingSetting,
});
export type SecretRotationOption = z.output<typeof SecretRotationOption>;

/** The credentials that a rotation has generated, in the order of their slots. */
export interface GeneratedCredentials {
  readonly type: string;
  readonly rotationId: string;
  readonly activeIndex: number;
  readonly generatedCredentials: readonly Credential[];
}
export const AnyGeneratedCredentials = anyOf(
  rotations.members.map(({ type, mapping }) =>
    schemaNamed(
      `Generated${inTypeName(type)}`,
      z.object({
        type: z.literal(type),
        rotationId: Uuid,
        activeIndex: z.int(),
        generatedCredentials: z
          .array(eachOf(mapping, () => z.string()))
          .describe('The active credential, and the previous one where that still works'),
      }),
    ),
  ),
) as unknown as AnswerSchema;

const place = {
  rotationId: z.string(),
  name: z.string(),
  type: z.string(),
  environment: z.string(),
  secretPath: z.string(),
};
const RotationEvent = z.object(place);
const Secrets = z.array(z.object({ secretId: z.string(), secretKey: z.string(), secretVersion: z.int() }));

export const rotationCreated = defineEvent('secret_rotation.created', 'create-secret-rotation', RotationEvent);
export const rotationUpdated = defineUpdate(
  'secret_rotation.updated',
  'update-secret-rotation',
  z.object({ ...place }),
);
export const rotationDeleted = defineEvent(
  'secret_rotation.deleted',
  'delete-secret-rotation',
  z.object({ ...place, deleteSecrets: z.boolean(), revokeGeneratedCredentials: z.boolean() }),
);
export const revocationStarted = defineEvent(
  'secret_rotation.revocation_started',
  'secret-rotation-revoke-credentials',
  RotationEvent,
);
export const credentialsRead = defineEvent(
  'secret_rotation.credentials_read',
  'get-secret-rotation-generated-credentials',
  RotationEvent,
);
export const secretsRotated = defineEvent(
  'secret_rotation.rotated',
  'secret-rotation-rotate-secrets',
  z.object({ ...place, isManual: z.boolean(), secrets: Secrets }),
);
export const secretsReconciled = defineEvent(
  'secret_rotation.reconciled',
  'secret-rotation-reconcile',
  z.object({ ...place, isRepaired: z.boolean().describe('Whether the active credential had to be replaced') }),
);
export const rotationFailed = defineEvent(
  'secret_rotation.failed',
  'secret-rotation-failed',
  z.object({ ...place, isManual: z.boolean(), code: z.string() }),
);
