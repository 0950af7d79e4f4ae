import {
  changes,
  createFolder,
  environmentFolderTree,
  EnvironmentFolderTree,
  folderPermissions,
  Id,
  listFolders,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, restForServices, router } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';
import {
  CreateInput,
  DeleteInput,
  ListInput,
  Many,
  One,
  UpdateInput,
  withPath,
  withPathOrRoot,
} from './folder.router.ts';

const Workspace = { workspaceId: Id.describe('The ID of the project') };

/** The first generation names the project `workspaceId`. */
const fromV1 = <Input extends { workspaceId: string }>({ workspaceId, ...input }: Input) => ({
  ...input,
  projectId: workspaceId,
});

export const folderLegacyRouter = router({
  list: procedure
    .meta(
      restForServices('GET', '/api/v1/folders', folderPermissions.read, 'List the folders in a folder', {
        deprecated: true,
      }),
    )
    .input(ListInput.omit({ projectId: true }).extend(Workspace))
    .output(Many)
    .query(async ({ ctx, input }) => ({ folders: await listFolders(ctx, withPathOrRoot(fromV1(input))) })),
  create: procedure
    .meta(
      restForServices('POST', '/api/v1/folders', folderPermissions.create, 'Create a folder and its missing parents', {
        deprecated: true,
      }),
    )
    .input(CreateInput.omit({ projectId: true }).extend(Workspace))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ folder: await createFolder(ctx, withPathOrRoot(fromV1(input))) })),
  update: procedure
    .meta(
      restForServices(
        'PATCH',
        '/api/v1/folders/{folderId}',
        folderPermissions.edit,
        'Rename a folder or change its description',
        {
          deprecated: true,
        },
      ),
    )
    .input(UpdateInput.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(One))
    .mutation(({ ctx, input }) =>
      changing(ctx, changes.updateFolder, withPath(fromV1(input)), (folder) => ({ folder })),
    ),
  delete: procedure
    .meta(
      restForServices(
        'DELETE',
        '/api/v1/folders/{folderId}',
        folderPermissions.delete,
        'Delete a folder with everything below it',
        { deprecated: true },
      ),
    )
    .input(DeleteInput.omit({ projectId: true }).extend(Workspace))
    .output(orApproval(One))
    .mutation(({ ctx, input }) =>
      changing(ctx, changes.deleteFolder, withPath(fromV1(input)), (folder) => ({ folder })),
    ),
  environmentTree: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/workspace/{workspaceId}/environment-folder-tree',
        folderPermissions.read,
        'List the folders of every environment of a project',
        { deprecated: true },
      ),
    )
    .input(z.object(Workspace))
    .output(EnvironmentFolderTree)
    .query(({ ctx, input }) => environmentFolderTree(ctx, { projectId: input.workspaceId })),
});
