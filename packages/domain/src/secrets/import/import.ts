import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug, folderPath, FolderPath } from '../folder/folder.ts';

export const importPermissions = projectPermissions('secret-imports');

const Environment = z.object({ id: Uuid, name: z.string(), slug: z.string() });

/** An import: the secrets of another folder, visible in this one after its own. */
export const SecretImport = z.object({
  id: Uuid,
  version: z.int(),
  importPath: z.string(),
  position: z.int().describe('If a name is imported more than once, the higher position wins'),
  createdAt: Instant,
  updatedAt: Instant,
  folderId: Uuid,
  isReplication: z.boolean(),
  isReplicationSuccess: z
    .boolean()
    .nullable()
    .describe('null before the first replication, and while a change request is open'),
  replicationStatus: z.string().nullable().describe('Why the last replication failed'),
  lastReplicated: Instant.nullable(),
  isReserved: z.boolean(),
  importEnv: Environment,
});
export type SecretImport = z.output<typeof SecretImport>;

export const SecretImportWithPlace = SecretImport.extend({
  environment: Environment,
  projectId: Uuid,
  secretPath: z.string(),
});
export type SecretImportWithPlace = z.output<typeof SecretImportWithPlace>;

/** The folder that imports. */
export const ImportPlace = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  path: folderPath(),
});
export type ImportPlace = z.output<typeof ImportPlace>;

export const CreateSecretImport = z.object({
  ...ImportPlace.shape,
  import: z
    .object({ environment: EnvironmentSlug, path: FolderPath })
    .describe('The folder that is imported; it need not exist yet'),
  isReplication: z.boolean().default(false),
});
export type CreateSecretImport = z.output<typeof CreateSecretImport>;

export const UpdateSecretImport = z.object({
  ...ImportPlace.shape,
  secretImportId: Id,
  import: z.object({
    environment: EnvironmentSlug.optional(),
    path: FolderPath.optional(),
    position: z.int().min(1).max(10_000).optional(),
  }),
});
export type UpdateSecretImport = z.output<typeof UpdateSecretImport>;

export const ResyncReplication = z.object({ ...ImportPlace.shape, secretImportId: Id });
export type ResyncReplication = z.output<typeof ResyncReplication>;

export const DeleteSecretImport = z.object({ ...ImportPlace.shape, secretImportId: Id });
export type DeleteSecretImport = z.output<typeof DeleteSecretImport>;

const ImportEvent = z.object({
  environment: z.string(),
  secretPath: z.string(),
  secretImportId: z.string(),
  importEnvironment: z.string(),
  importPath: z.string(),
  position: z.int(),
});
export const importCreated = defineEvent('secret_import.created', 'create-secret-import', ImportEvent);
export const importUpdated = defineUpdate('secret_import.updated', 'update-secret-import', ImportEvent);
export const importDeleted = defineEvent('secret_import.deleted', 'delete-secret-import', ImportEvent);
