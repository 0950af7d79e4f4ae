import { z } from 'zod';
import { projectPermissions } from '../../access/index.ts';
import { changedFields, MissingSetting } from '../../family/index.ts';
import {
  defineEvent,
  defineUpdate,
  flag,
  Id,
  inTypeName,
  schemaNamed,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/index.ts';
import { EnvironmentSlug, FolderPath } from '../../secrets/folder/index.ts';
import { syncs, type Destination } from '../registry.ts';
import { ImportBehavior, statusFields, SyncOptions, type Sync } from '../sync/index.ts';

export type { Destination as SyncDestination } from '../registry.ts';

export const secretSyncPermissions = projectPermissions('secret-syncs');
export type SecretSyncAction = keyof typeof secretSyncPermissions;

/** The name of a destination that is offered. */
export const DestinationName = z.enum(syncs.names, `Offered: ${syncs.names.join(', ')}`);

const Name = slug(1, 64).describe('Unique among the secret syncs of the project');
const Description = text(256).nullish();
const AutoSync = z.boolean().describe('Whether changes of the folder are written as they are made');

const Common = {
  id: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  version: z.int().describe('Counts the changes'),
  projectId: Uuid,
  folderId: Uuid.nullable().describe('null: the folder was deleted'),
  connectionId: Uuid,
  isAutoSyncEnabled: AutoSync,
  ...statusFields,
  environment: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  folder: z.object({ id: Uuid, path: z.string() }).nullable(),
  connection: z.object({ id: Uuid, app: z.string(), name: z.string() }),
  ...Timestamps.shape,
};

const Fields = schemaNamed('SecretSyncFields', z.object(Common));

/** A secret sync, with the configuration of its destination. */
export interface SecretSync extends z.output<typeof Fields> {
  readonly destination: string;
  readonly destinationConfig: object;
  readonly syncOptions: object;
}

/** The fields of an answer are known to the schema alone: the types of the client are made from it. */
type AnswerSchema = z.ZodType<never>;

const answerOf = ({ destination, title, schemas: { config, options } }: Sync): AnswerSchema =>
  schemaNamed(
    `${inTypeName(destination)}SecretSync`,
    Fields.extend({
      destination: z.literal(destination),
      destinationConfig: config,
      syncOptions: options,
    }),
  ).describe(`A secret sync to ${title}`) as unknown as AnswerSchema;

const Source = { environment: EnvironmentSlug, secretPath: FolderPath };
const CreateFields = schemaNamed(
  'CreateSecretSyncFields',
  z.object({
    name: Name,
    description: Description,
    projectId: Id,
    ...Source,
    isAutoSyncEnabled: AutoSync.default(true),
  }),
);
const UpdateFields = schemaNamed(
  'UpdateSecretSyncFields',
  z.object({
    syncId: Id,
    name: Name.optional(),
    description: Description,
    connectionId: Id.optional(),
    environment: EnvironmentSlug.optional(),
    secretPath: FolderPath.optional(),
    isAutoSyncEnabled: AutoSync.optional(),
  }),
);

export interface CreateSecretSync {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly projectId: string;
  readonly connectionId: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly isAutoSyncEnabled: boolean;
  readonly syncOptions: Readonly<Record<string, unknown>>;
  readonly destinationConfig: object;
}
export interface SecretSyncRef {
  readonly destination: string;
  readonly syncId: string;
}
export type UpdateSecretSync = Pick<SecretSyncRef, 'syncId'> & {
  readonly [Field in Exclude<keyof CreateSecretSync, 'projectId'>]?: CreateSecretSync[Field] | undefined;
};

/** What the operations on syncs to one destination take and answer. */
export interface SecretSyncSchemas {
  readonly destination: Destination;
  readonly title: string;
  readonly Create: z.ZodObject & z.ZodType<CreateSecretSync>;
  readonly Update: z.ZodObject & z.ZodType<UpdateSecretSync>;
  readonly Answer: AnswerSchema;
}

function schemasOf(sync: Sync): SecretSyncSchemas {
  const { title, schemas } = sync;
  const { config, options } = schemas;
  const typeName = inTypeName(sync.destination);
  const hasOwnOptions = Object.keys(options.shape).some((name) => !(name in SyncOptions.shape));
  const optionsName = `${hasOwnOptions ? typeName : 'Secret'}SyncOptions`;
  schemaNamed(`${typeName}SyncConfig`, config);
  schemaNamed(optionsName, options);
  return {
    destination: sync.destination as Destination,
    title,
    Create: CreateFields.extend({
      connectionId: Id.describe(`A connection to ${sync.connector.title}, of the project or the organization`),
      syncOptions: options,
      destinationConfig: config,
    }) as never,
    Update: UpdateFields.extend({
      syncOptions: schemaNamed(`Changed${optionsName}`, changedFields(options))
        .optional()
        .describe('Omitted options stay unchanged, null removes one'),
      destinationConfig: config.optional().describe('Replaces the present one'),
    }) as never,
    Answer: answerOf(sync),
  };
}

/** Of every destination. */
export const secretSyncSchemas: readonly SecretSyncSchemas[] = syncs.members.map(schemasOf);

/** A sync to any destination. */
export const AnySecretSync = z.discriminatedUnion(
  'destination',
  secretSyncSchemas.map(({ Answer }) => Answer) as never,
) as unknown as AnswerSchema;

export const ListSecretSyncs = z.object({ projectId: Id, destination: DestinationName.optional() });
export type ListSecretSyncs = z.output<typeof ListSecretSyncs>;
export const SecretSyncRef = z.object({ destination: DestinationName, syncId: Id });
export const SecretSyncName = z.object({
  destination: DestinationName,
  syncName: z.string().trim().toLowerCase(),
  projectId: Id,
});
export type SecretSyncName = z.output<typeof SecretSyncName>;
export const DeleteSecretSync = SecretSyncRef.extend({
  removeSecrets: flag()
    .default(false)
    .describe('Also removes at the destination what the sync has written there, and first'),
});
export type DeleteSecretSync = z.output<typeof DeleteSecretSync>;
export const ImportSecrets = SecretSyncRef.extend({
  importBehavior: ImportBehavior.describe('Which value is kept where both sides have different ones'),
});
export type ImportSecrets = z.output<typeof ImportSecrets>;

export const SecretSyncOption = z.object({
  name: z.string().describe('For people'),
  connection: z.string().describe('The app of its connections'),
  destination: z.string(),
  canImportSecrets: z.boolean(),
  missingSetting: MissingSetting,
});
export type SecretSyncOption = z.output<typeof SecretSyncOption>;

const names = (what: string) => z.array(z.string()).describe(what);
/** What the next sync does. */
export const SecretSyncPlan = z.object({
  create: names('The items that are new at the destination'),
  change: names('The items there that get another value'),
  remove: names('The items there that are removed'),
  import: names('The secrets that the folder gets from the destination, before anything is written'),
  rejected: z
    .array(z.object({ name: z.string(), reason: z.string() }))
    .describe('The secrets of the folder that the destination cannot store'),
});

const SyncEvent = z.object({
  syncId: z.string(),
  name: z.string(),
  destination: z.string(),
  connectionId: z.string(),
  environment: z.string(),
  secretPath: z.string(),
});
export const secretSyncCreated = defineEvent('secret_sync.created', 'create-secret-sync', SyncEvent);
export const secretSyncUpdated = defineUpdate('secret_sync.updated', 'update-secret-sync', SyncEvent);
export const secretSyncDeleted = defineEvent(
  'secret_sync.deleted',
  'delete-secret-sync',
  SyncEvent.extend({ removeSecrets: z.boolean() }),
);
export const secretSyncRequested = defineEvent(
  'secret_sync.requested',
  'request-secret-sync',
  SyncEvent.extend({ action: z.enum(['sync-secrets', 'import-secrets', 'remove-secrets', 'plan']) }),
);
