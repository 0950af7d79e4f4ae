import { z } from 'zod';
import { projectPermissions } from '../../access/index.ts';
import { statusFields, SyncStatus } from '../../connections/sync/index.ts';
import { changedFields, MissingSetting } from '../../family/index.ts';
import {
  count,
  defineEvent,
  defineUpdate,
  Id,
  Instant,
  inTypeName,
  schemaNamed,
  slug,
  text,
  Timestamps,
  Uuid,
} from '../../kernel/index.ts';
import type { PkiSync as Destination } from './destination.ts';
import { pkiSyncs, type PkiSyncDestination } from './registry.ts';

export type { PkiSyncDestination } from './registry.ts';

export const pkiSyncPermissions = projectPermissions('pki-syncs');
export type PkiSyncAction = keyof typeof pkiSyncPermissions;

/** The name of a destination that is offered. */
const DestinationName = z.enum(pkiSyncs.names, `Offered: ${pkiSyncs.names.join(', ')}`);

/** The most certificates of a sync. */
export const MAX_CERTIFICATES = 500;

const Name = slug(1, 256).describe('Unique among the PKI syncs of the project');
const Description = text(256).nullish();
const AutoSync = z.boolean().describe('Whether certificates are written as they are issued, renewed and revoked');
const SubscriberId = Id.nullish().describe('The subscriber whose certificates it gets, also later ones; null: of none');
const CertificateIds = z
  .array(Id)
  .min(1)
  .max(MAX_CERTIFICATES)
  .describe('Valid certificates of the project whose private keys are stored');

const Common = {
  id: Uuid,
  name: z.string(),
  description: z.string().nullable(),
  isAutoSyncEnabled: AutoSync,
  projectId: Uuid,
  subscriberId: Uuid.nullable(),
  subscriber: z.object({ id: Uuid, name: z.string() }).nullable(),
  connectionId: Uuid,
  connection: z.object({ id: Uuid, app: z.string(), name: z.string() }),
  appConnectionName: z.string(),
  appConnectionApp: z.string(),
  ...statusFields,
  ...Timestamps.shape,
  hasCertificate: z.boolean().optional().describe('Whether it has the certificate that the list asks for'),
};

const Fields = schemaNamed('PkiSyncFields', z.object(Common));

/** A PKI sync, with the configuration of its destination. */
export interface PkiSync extends z.output<typeof Fields> {
  readonly destination: string;
  readonly destinationConfig: object;
  readonly syncOptions: object;
}

/** The fields of an answer are known to the schema alone: the types of the client are made from it. */
type AnswerSchema = z.ZodType<never>;

export interface CreatePkiSync {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly projectId: string;
  readonly connectionId: string;
  readonly subscriberId?: string | null | undefined;
  readonly certificateIds?: readonly string[] | undefined;
  readonly isAutoSyncEnabled: boolean;
  readonly syncOptions: Readonly<Record<string, unknown>>;
  readonly destinationConfig: object;
}
export type UpdatePkiSync = { readonly pkiSyncId: string } & {
  readonly [Field in Exclude<keyof CreatePkiSync, 'projectId' | 'certificateIds'>]?: CreatePkiSync[Field] | undefined;
};

/** What the operations on syncs to one destination take and answer. */
export interface PkiSyncSchemas {
  readonly destination: PkiSyncDestination;
  readonly title: string;
  readonly Create: z.ZodObject & z.ZodType<CreatePkiSync>;
  readonly Update: z.ZodObject & z.ZodType<UpdatePkiSync>;
  readonly Answer: AnswerSchema;
}

const CreateFields = schemaNamed(
  'CreatePkiSyncFields',
  z.object({
    name: Name,
    description: Description,
    projectId: Id,
    subscriberId: SubscriberId,
    certificateIds: CertificateIds.optional(),
    isAutoSyncEnabled: AutoSync.default(true),
  }),
);
const UpdateFields = schemaNamed(
  'UpdatePkiSyncFields',
  z.object({
    pkiSyncId: Id,
    name: Name.optional(),
    description: Description,
    connectionId: Id.optional(),
    subscriberId: SubscriberId,
    isAutoSyncEnabled: AutoSync.optional(),
  }),
);

function schemasOf({ destination, title, connector, schemas }: Destination): PkiSyncSchemas {
  const { config, options } = schemas;
  const typeName = `${inTypeName(destination)}PkiSync`;
  schemaNamed(`${typeName}Config`, config);
  schemaNamed(`${typeName}Options`, options);
  return {
    destination: destination as PkiSyncDestination,
    title,
    Create: CreateFields.extend({
      connectionId: Id.describe(`A connection to ${connector.title}, of the project or the organization`),
      syncOptions: options.prefault({}),
      destinationConfig: config,
    }) as never,
    Update: UpdateFields.extend({
      syncOptions: schemaNamed(`Changed${typeName}Options`, changedFields(options))
        .optional()
        .describe('Omitted options stay unchanged, null removes one'),
      destinationConfig: config.optional().describe('Replaces the present one'),
    }) as never,
    Answer: schemaNamed(
      typeName,
      Fields.extend({ destination: z.literal(destination), destinationConfig: config, syncOptions: options }),
    ).describe(`A PKI sync to ${title}`) as unknown as AnswerSchema,
  };
}

/** Of every destination. */
export const pkiSyncSchemas: readonly PkiSyncSchemas[] = pkiSyncs.members.map(schemasOf);

/** A sync to any destination. */
export const AnyPkiSync = z.discriminatedUnion(
  'destination',
  pkiSyncSchemas.map(({ Answer }) => Answer) as never,
) as unknown as AnswerSchema;

export const ListPkiSyncs = z.object({
  projectId: Id,
  certificateId: Id.optional().describe('A certificate, about which each of them says whether it has it'),
});
export type ListPkiSyncs = z.output<typeof ListPkiSyncs> & { readonly destination?: string };
export const PkiSyncId = z.object({ pkiSyncId: Id });
export const PkiSyncRef = z.object({ destination: DestinationName, pkiSyncId: Id });
export type PkiSyncRef = z.output<typeof PkiSyncRef>;

export const PkiSyncOption = z.object({
  name: z.string().describe('For people'),
  connection: z.string().describe('The app of its connections'),
  destination: z.string(),
  canImportCertificates: z.boolean(),
  canRemoveCertificates: z.boolean(),
  defaultCertificateNameSchema: z.string(),
  allowedCharacterPattern: z.string().describe('Of names at the destination'),
  minCertificateNameLength: z.int(),
  maxCertificateNameLength: z.int(),
  missingSetting: MissingSetting,
});
export type PkiSyncOption = z.output<typeof PkiSyncOption>;

/** A certificate of a sync. */
export const PkiSyncCertificate = z.object({
  id: Uuid,
  pkiSyncId: Uuid,
  certificateId: Uuid,
  syncStatus: SyncStatus,
  lastSyncMessage: z.string().nullable().describe('Why it is not at the destination'),
  lastSyncedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  certificateSerialNumber: z.string(),
  certificateCommonName: z.string(),
  certificateAltNames: z.string().nullable(),
  certificateStatus: z.string(),
  certificateNotBefore: Instant,
  certificateNotAfter: Instant,
  certificateRenewBeforeDays: z.int().nullable(),
  certificateRenewalError: z.string().nullable(),
  pkiSyncName: z.string(),
  pkiSyncDestination: z.string(),
});
export type PkiSyncCertificate = z.output<typeof PkiSyncCertificate>;

export const ListPkiSyncCertificates = PkiSyncId.extend({
  offset: count(0, 1_000_000_000).default(0),
  limit: count(1, 100).default(20),
});
export type ListPkiSyncCertificates = z.output<typeof ListPkiSyncCertificates>;
export const ChangePkiSyncCertificates = PkiSyncId.extend({ certificateIds: CertificateIds });
export type ChangePkiSyncCertificates = z.output<typeof ChangePkiSyncCertificates>;

const PlannedCertificate = z.object({
  certificateId: Uuid,
  commonName: z.string(),
  name: z.string().describe('Its name at the destination'),
});
const planned = (what: string) => z.array(PlannedCertificate).describe(what);

/** What the next run of a PKI sync does. */
export const PkiSyncPlan = z.object({
  create: planned('The certificates that are new at the destination'),
  replace: planned('Those that take the place of what the sync has written under this name'),
  remove: z.array(z.string()).describe('The names that are removed at the destination'),
  rejected: z
    .array(PlannedCertificate.omit({ name: true }).extend({ reason: z.string() }))
    .describe('The certificates that cannot be written'),
});
export type PkiSyncPlan = z.output<typeof PkiSyncPlan>;

const named = { pkiSyncId: z.string(), name: z.string(), destination: z.string(), connectionId: z.string() };
const PkiSyncEvent = z.object(named);
const ids = z.array(z.string());
export const pkiSyncCreated = defineEvent(
  'pki_sync.created',
  'create-pki-sync',
  z.object({ ...named, subscriberId: z.string().nullable(), certificateIds: ids }),
);
export const pkiSyncUpdated = defineUpdate('pki_sync.updated', 'update-pki-sync', z.object({ ...named }));
export const pkiSyncDeleted = defineEvent('pki_sync.deleted', 'delete-pki-sync', PkiSyncEvent);
export const pkiSyncRequested = defineEvent(
  'pki_sync.requested',
  'request-pki-sync',
  z.object({ ...named, action: z.enum(['sync-certificates', 'remove-certificates', 'plan']) }),
);
export const pkiSyncCertificatesAdded = defineEvent(
  'pki_sync.certificates_added',
  'add-pki-sync-certificates',
  z.object({ ...named, certificateIds: ids }),
);
export const pkiSyncCertificatesRemoved = defineEvent(
  'pki_sync.certificates_removed',
  'remove-pki-sync-certificates',
  z.object({ ...named, certificateIds: ids }),
);
const Done = { pkiSyncId: z.string(), destination: z.string(), isDone: z.boolean(), removed: z.int() };
export const pkiSyncSynced = defineEvent(
  'pki_sync.synced',
  'pki-sync-sync-certificates',
  z.object({ ...Done, written: z.int().describe('How many certificates were written') }),
);
export const pkiSyncRemoved = defineEvent('pki_sync.removed', 'pki-sync-remove-certificates', z.object(Done));
