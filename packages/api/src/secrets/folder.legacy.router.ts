import {
  changes,
  createFolder,
  environmentFolderTree,
  EnvironmentFolderTree,
  folderPermissions,
  listFolders,
} from '@coffer/domain';
import { fromWorkspace, procedure, rest, restForServices, router, Workspace } from '../kernel/index.ts';
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

export const folderLegacyRouter = router({
  list: procedure
    .meta(
      restForServices('GET', '/api/v1/folders', folderPermissions.read, 'List the folders in a folder', {
        deprecated: true,
      }),
    )
    .input(ListInput.omit({ projectId: true }).extend(Workspace.shape))
    .output(Many)
    .query(async ({ ctx, input }) => ({ folders: await listFolders(ctx, withPathOrRoot(fromWorkspace(input))) })),
  create: procedure
    .meta(
      restForServices('POST', '/api/v1/folders', folderPermissions.create, 'Create a folder and its missing parents', {
        deprecated: true,
      }),
    )
    .input(CreateInput.omit({ projectId: true }).extend(Workspace.shape))
    .output(One)
    .mutation(async ({ ctx, input }) => ({ folder: await createFolder(ctx, withPathOrRoot(fromWorkspace(input))) })),
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
    .input(UpdateInput.omit({ projectId: true }).extend(Workspace.shape))
    .output(orApproval(One))
    .mutation(({ ctx, input }) =>
      changing(ctx, changes.updateFolder, withPath(fromWorkspace(input)), (folder) => ({ folder })),
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
    .input(DeleteInput.omit({ projectId: true }).extend(Workspace.shape))
    .output(orApproval(One))
    .mutation(({ ctx, input }) =>
      changing(ctx, changes.deleteFolder, withPath(fromWorkspace(input)), (folder) => ({ folder })),
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
    .input(Workspace)
    .output(EnvironmentFolderTree)
    .query(({ ctx, input }) => environmentFolderTree(ctx, { projectId: input.workspaceId })),
});
