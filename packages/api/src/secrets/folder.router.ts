import {
  changes,
  createFolder,
  CreateFolder,
  DeleteFolder,
  EnvironmentSlug,
  flag,
  Folder,
  FolderPath,
  folderPermissions,
  FolderUses,
  FolderWithPlace,
  getFolder,
  getFolderAt,
  Id,
  instant,
  ListedFolder,
  listFolders,
  readFolderUses,
  ReadFolderUses,
  TransferFolders,
  UpdateFolder,
  UpdateFolders,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, restForServices, router } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';

/** `directory` is an older name of `path`, which wins where both are given. */
const where = {
  path: FolderPath.optional(),
  directory: FolderPath.optional().describe('A legacy name of `path`'),
};

export const ListInput = z.object({
  projectId: Id,
  environment: EnvironmentSlug,
  ...where,
  recursive: flag().default(false).describe('Include all levels below the folder'),
  lastSecretModified: instant()
    .optional()
    .describe('Only folders in which a secret was written or deleted since this time'),
});
export const CreateInput = CreateFolder.extend(where);
export const UpdateInput = UpdateFolder.extend(where);
export const DeleteInput = DeleteFolder.extend(where);

/** Accepts `directory` instead of `path`. */
export const withPath = <Input extends { path?: string | undefined; directory?: string | undefined }>({
  path,
  directory,
  ...input
}: Input) => ({
  ...input,
  path: path ?? directory,
});
/** The same, with the root where neither is given. */
export const withPathOrRoot = <Input extends { path?: string | undefined; directory?: string | undefined }>(
  input: Input,
) => {
  const taken = withPath(input);
  return { ...taken, path: taken.path ?? '/' };
};

export const One = z.object({ folder: Folder });
export const Many = z.object({ folders: z.array(ListedFolder) });
const Transferred = z.object({
  folders: z.array(Folder).describe('At the destination, in the order of `folderNames`'),
});
const Placed = z.object({ folder: FolderWithPlace });

/** The present generation names the project `projectId`. */
export const folderRouter = router({
  list: procedure
    .meta(restForServices('GET', '/api/v2/folders', folderPermissions.read, 'List the folders in a folder'))
    .input(ListInput)
    .output(Many)
    .query(async ({ ctx, input }) => ({ folders: await listFolders(ctx, withPathOrRoot(input)) })),
  get: procedure
    .meta(
      restForServices('GET', '/api/v2/folders/{folderId}', folderPermissions.read, 'Read a folder', {
        aliases: ['/api/v1/folders/{folderId}'],
      }),
    )
    .input(z.object({ folderId: Id }))
    .output(Placed)
    .query(async ({ ctx, input }) => ({ folder: await getFolder(ctx, input) })),
  getAt: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v2/folders/{projectId}/{environment}/{path}',
        folderPermissions.read,
        'Read a folder by its path',
        {
          aliases: ['/api/v1/folders/{projectId}/{environment}/{path}'],
          description: 'The path is one segment; encode its slashes as %2F',
        },
      ),
    )
    .input(z.object({ projectId: Id, environment: EnvironmentSlug, path: FolderPath }))
    .output(Placed)
    .query(async ({ ctx, input }) => ({ folder: await getFolderAt(ctx, input) })),
  create: procedure
    .meta(
      restForServices('POST', '/api/v2/folders', folderPermissions.create, 'Create a folder and its missing parents'),
    )
    .input(CreateInput)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ folder: await createFolder(ctx, withPathOrRoot(input)) })),
  update: procedure
    .meta(
      restForServices(
        'PATCH',
        '/api/v2/folders/{folderId}',
        folderPermissions.edit,
        'Rename a folder or change its description',
      ),
    )
    .input(UpdateInput)
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateFolder, withPath(input), (folder) => ({ folder }))),
  updateMany: procedure
    .meta(
      restForServices(
        'PATCH',
        '/api/v2/folders/batch',
        folderPermissions.edit,
        'Rename several folders or change their descriptions; all or none',
        {
          aliases: ['/api/v1/folders/batch'],
        },
      ),
    )
    .input(UpdateFolders)
    .output(orApproval(z.object({ folders: z.array(Folder) })))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateFolders, input, (folders) => ({ folders }))),
  copy: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v2/folders/copy',
        folderPermissions.create,
        'Copy folders with all folders, secrets and imports below them to another folder; all or none',
        {
          description:
            'Folders that exist at the destination keep what they have. Dynamic secrets, rotations and syncs are not copied.',
        },
      ),
    )
    .input(TransferFolders)
    .output(orApproval(Transferred))
    .mutation(({ ctx, input }) => changing(ctx, changes.copyFolders, input, (folders) => ({ folders }))),
  move: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v2/folders/move',
        folderPermissions.delete,
        'Move folders with all folders, secrets and imports below them to another folder; all or none',
        {
          description:
            'References follow the secrets; imports of a moved folder by others lead to its former path. A folder with dynamic secrets or rotations, or the source of a sync, is a 400.',
        },
      ),
    )
    .input(TransferFolders)
    .output(orApproval(Transferred))
    .mutation(({ ctx, input }) => changing(ctx, changes.relocateFolders, input, (folders) => ({ folders }))),
  uses: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v2/folders/uses',
        folderPermissions.read,
        'List the references, imports and syncs elsewhere that name a folder or one below it',
      ),
    )
    .input(ReadFolderUses)
    .output(FolderUses)
    .query(({ ctx, input }) => readFolderUses(ctx, input)),
  delete: procedure
    .meta(
      restForServices(
        'DELETE',
        '/api/v2/folders/{folderId}',
        folderPermissions.delete,
        'Delete a folder with everything below it',
      ),
    )
    .input(DeleteInput)
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.deleteFolder, withPath(input), (folder) => ({ folder }))),
});
