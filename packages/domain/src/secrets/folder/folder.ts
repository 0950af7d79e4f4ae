import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, IdOrName, instant, Instant, text, Uuid } from '../../kernel/schema.ts';
import { RESERVED } from '../coverage/reserved.ts';

/** In bytes, because paths are ASCII: within the maximum size of an index entry. */
export const MAX_PATH = 2048;
const MAX_NAME = 255;

const NAME = /^[A-Za-z0-9_-]+$/;
const PATH = /^(?:\/[A-Za-z0-9_-]{1,255})+$/;

export { RESERVED };

/** One segment of a path: letters, digits, `-` and `_`. Case-sensitive. */
export const FolderName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME, { abort: true })
  .regex(NAME, 'Use letters, digits, - and _')
  .refine((name) => !name.startsWith(RESERVED), `Names that start with ${RESERVED} are reserved`);

/**
 * The path of a folder in canonical form: `/`, or `/a/b` without a slash at its end. One slash at the end is removed,
 * surrounding space is trimmed, an empty path is `/`. Any other non-canonical path (`//`, `.` and `..`, percent signs,
 * letters outside ASCII, NUL) is rejected (422) and never repaired, so that the checked path is the used one.
 */
export const FolderPath = z
  .string()
  .transform((given) => {
    const path = given.trim();
    if (path === '') return '/';
    return /[^/]\/$/.test(path) ? path.slice(0, -1) : path;
  })
  .pipe(
    z
      .string()
      .max(MAX_PATH, { abort: true })
      .refine(
        (path) => path === '/' || PATH.test(path),
        'Expected a path such as / or /app/config; each segment has letters, digits, - and _',
      ),
  )
  .describe('The path of a folder, for example /app/config');

/** The path of a folder in a request; default `/`. */
export const folderPath = () => FolderPath.default('/');

/** Whether this can be the name of a folder, including those of replication. */
export const isFolderName = (name: string): boolean => name.length <= MAX_NAME && NAME.test(name);

/** The path of a folder's child. */
export const childPath = (path: string, name: string): string => (path === '/' ? `/${name}` : `${path}/${name}`);

/** The path of the parent folder. */
export const parentPath = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** The folders above some, the root included. */
export function ancestorsOf(paths: readonly string[]): Set<string> {
  const ancestors = new Set<string>();
  for (const path of paths) {
    for (let above = parentPath(path); !ancestors.has(above); above = parentPath(above)) ancestors.add(above);
  }
  return ancestors;
}

/** Whether a path is that of a folder or of one below it. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  folder === '/' || path === folder || path.startsWith(`${folder}/`);

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const folderPermissions = projectPermissions('secret-folders');

/** A published folder. */
export const Folder = z.object({
  id: Uuid,
  name: z.string(),
  version: z.number().int(),
  createdAt: Instant,
  updatedAt: Instant,
  envId: Uuid,
  parentId: z.string().nullable().describe('null for the root folder of an environment'),
  isReserved: z.boolean(),
  description: z.string().nullable(),
  lastSecretModified: Instant.nullable().describe('Time of the last write or delete of a secret in the folder'),
});
export type Folder = z.output<typeof Folder>;

export const ListedFolder = Folder.extend({
  relativePath: z.string().optional().describe('Below the folder that was listed; where recursive'),
});
export type ListedFolder = z.output<typeof ListedFolder>;

export const FolderWithPlace = Folder.extend({
  environment: z.object({ envId: Uuid, envName: z.string(), envSlug: z.string() }),
  path: z.string(),
  projectId: Uuid,
});
export type FolderWithPlace = z.output<typeof FolderWithPlace>;

const description = text(1024).nullish();
/** The slug of an environment; text that is none is the slug of nothing (404). */
export const EnvironmentSlug = text(255).trim().min(1).describe('The slug of an environment');

export const CreateFolder = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  path: folderPath(),
  name: FolderName,
  description,
});
export type CreateFolder = z.output<typeof CreateFolder>;

export const ListFolders = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  path: folderPath(),
  recursive: z.boolean(),
  lastSecretModified: instant().optional(),
});
export type ListFolders = z.output<typeof ListFolders>;

export const UpdateFolder = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  path: FolderPath.optional(),
  folderId: Id,
  name: FolderName,
  description,
});
export type UpdateFolder = z.output<typeof UpdateFolder>;

export const UpdateFolders = z.object({
  projectSlug: z.string().trim().min(1),
  folders: z
    .array(UpdateFolder.pick({ environment: true, path: true, name: true, description: true }).extend({ id: Id }))
    .min(1)
    .max(1000),
});
export type UpdateFolders = z.output<typeof UpdateFolders>;

export const DeleteFolder = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  path: FolderPath.optional(),
  folderId: IdOrName.describe('ID of the folder, or its name at the path'),
});
export type DeleteFolder = z.output<typeof DeleteFolder>;

/** Some folders that are in one folder, and the folder into which they go. */
export const TransferFolders = z.object({
  projectId: Id,
  sourceEnvironment: EnvironmentSlug,
  sourceSecretPath: folderPath().describe('The folder in which they are'),
  folderNames: z.array(FolderName).min(1).max(100).describe('Names of folders there'),
  destinationEnvironment: EnvironmentSlug,
  destinationSecretPath: folderPath().describe('The folder into which they go; it is created if it is missing'),
  shouldOverwrite: z
    .boolean()
    .default(false)
    .describe('Replace secrets that have the same names at the destination; otherwise these are a 400'),
});
export type TransferFolders = z.output<typeof TransferFolders>;

export const ReadFolderUses = z.object({ projectId: Id, environment: EnvironmentSlug, path: FolderPath });
export type ReadFolderUses = z.output<typeof ReadFolderUses>;

/** What names a folder, or one below it, from outside. */
export const FolderUses = z.object({
  references: z
    .array(z.object({ environment: z.string(), secretPath: z.string(), secretKey: z.string() }))
    .describe('The secrets elsewhere whose values refer to secrets in it'),
  imports: z
    .array(z.object({ environment: z.string(), secretPath: z.string(), importPath: z.string() }))
    .describe('The folders elsewhere that import it, and what they import'),
  syncs: z
    .array(z.object({ id: Uuid, name: z.string(), destination: z.string(), secretPath: z.string() }))
    .describe('The secret syncs that publish it'),
});
export type FolderUses = z.output<typeof FolderUses>;

const place = { environment: z.string(), folderId: z.string(), path: z.string() };
export const folderCreated = defineEvent('folder.created', 'create-folder', z.object(place));
export const folderUpdated = defineUpdate(
  'folder.updated',
  'update-folder',
  z.object({ ...place, previousPath: z.string() }),
);
export const folderDeleted = defineEvent(
  'folder.deleted',
  'delete-folder',
  z.object({ ...place, folders: z.number().int().describe('Deleted with all levels below') }),
);
