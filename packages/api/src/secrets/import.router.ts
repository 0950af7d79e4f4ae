import {
  changes,
  CreateSecretImport,
  DeleteSecretImport,
  getSecretImport,
  Id,
  ImportPlace,
  importPermissions,
  listSecretImports,
  listSecrets,
  ResyncReplication,
  resyncReplication,
  SecretImport,
  SecretImportWithPlace,
  secretPermissions,
  stateOf,
  UpdateSecretImport,
  type Context,
} from '@coffer/domain';
import { z } from 'zod';
import { fromWorkspace, procedure, restForServices, router, Workspace } from '../kernel/index.ts';
import { changing, orApproval } from './change.ts';
import { ImportsAlone, withImports } from './secret.published.ts';

const One = z.object({ message: z.string(), secretImport: SecretImport });
const Many = z.object({ message: z.string(), secretImports: z.array(SecretImport) });

const created = (secretImport: SecretImport) => ({ message: 'Successfully created secret import', secretImport });
const updated = (secretImport: SecretImport) => ({ message: 'Successfully updated secret import', secretImport });
const deleted = (secretImport: SecretImport) => ({ message: 'Successfully deleted secret import', secretImport });
const fetched = (secretImports: SecretImport[]) => ({ message: 'Successfully fetched secret imports', secretImports });

/** The present generation names the project `projectId`. */
export const importRouter = router({
  list: procedure
    .meta(restForServices('GET', '/api/v2/secret-imports', importPermissions.read, 'List the imports of a folder'))
    .input(ImportPlace)
    .output(Many)
    .query(async ({ ctx, input }) => fetched(await listSecretImports(ctx, input))),
  get: procedure
    .meta(
      restForServices('GET', '/api/v1/secret-imports/{secretImportId}', importPermissions.read, 'Read an import', {
        aliases: ['/api/v2/secret-imports/{secretImportId}'],
      }),
    )
    .input(z.object({ secretImportId: Id }))
    .output(z.object({ secretImport: SecretImportWithPlace }))
    .query(async ({ ctx, input }) => ({ secretImport: await getSecretImport(ctx, input) })),
  create: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v2/secret-imports',
        importPermissions.create,
        'Import the secrets of another folder',
      ),
    )
    .input(CreateSecretImport)
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.createSecretImport, input, created)),
  update: procedure
    .meta(
      restForServices(
        'PATCH',
        '/api/v2/secret-imports/{secretImportId}',
        importPermissions.edit,
        'Update an import or its position',
      ),
    )
    .input(UpdateSecretImport)
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateSecretImport, input, updated)),
  delete: procedure
    .meta(
      restForServices(
        'DELETE',
        '/api/v2/secret-imports/{secretImportId}',
        importPermissions.delete,
        'Delete an import',
      ),
    )
    .input(DeleteSecretImport)
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.deleteSecretImport, input, deleted)),
});

export const importLegacyRouter = router({
  secrets: procedure
    .meta(
      restForServices(
        'GET',
        '/api/v1/secret-imports/secrets/raw',
        secretPermissions.describeSecret,
        'List the secrets that a folder imports',
        {
          aliases: ['/api/v1/secret-imports/secrets'],
          etag: (ctx: Context, { workspaceId }: { workspaceId: string }) => stateOf(ctx, workspaceId),
        },
      ),
    )
    .input(ImportPlace.omit({ projectId: true }).extend(Workspace.shape))
    .output(z.object({ secrets: ImportsAlone }))
    .query(async ({ ctx, input }) => {
      const all = {
        viewSecretValue: true,
        expandSecretReferences: false,
        recursive: false,
        includeImports: true,
        includePersonalOverrides: false,
      };
      const { path, ...place } = fromWorkspace(input);
      const { imports } = await withImports(await listSecrets(ctx, { ...place, secretPath: path, ...all }));
      return { secrets: imports ?? [] };
    }),
  list: procedure
    .meta(restForServices('GET', '/api/v1/secret-imports', importPermissions.read, 'List the imports of a folder'))
    .input(ImportPlace.omit({ projectId: true }).extend(Workspace.shape))
    .output(Many)
    .query(async ({ ctx, input }) => fetched(await listSecretImports(ctx, fromWorkspace(input)))),
  create: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v1/secret-imports',
        importPermissions.create,
        'Import the secrets of another folder',
      ),
    )
    .input(CreateSecretImport.omit({ projectId: true }).extend(Workspace.shape))
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.createSecretImport, fromWorkspace(input), created)),
  update: procedure
    .meta(
      restForServices(
        'PATCH',
        '/api/v1/secret-imports/{secretImportId}',
        importPermissions.edit,
        'Update an import or its position',
      ),
    )
    .input(UpdateSecretImport.omit({ projectId: true }).extend(Workspace.shape))
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.updateSecretImport, fromWorkspace(input), updated)),
  delete: procedure
    .meta(
      restForServices(
        'DELETE',
        '/api/v1/secret-imports/{secretImportId}',
        importPermissions.delete,
        'Delete an import',
      ),
    )
    .input(DeleteSecretImport.omit({ projectId: true }).extend(Workspace.shape))
    .output(orApproval(One))
    .mutation(({ ctx, input }) => changing(ctx, changes.deleteSecretImport, fromWorkspace(input), deleted)),
  resync: procedure
    .meta(
      restForServices(
        'POST',
        '/api/v1/secret-imports/{secretImportId}/replication-resync',
        importPermissions.edit,
        'Replicate an import again',
      ),
    )
    .input(ResyncReplication.omit({ projectId: true }).extend(Workspace.shape))
    .output(z.object({ message: z.string() }))
    .mutation(async ({ ctx, input }) => {
      await resyncReplication(ctx, fromWorkspace(input));
      return { message: 'replication started' };
    }),
});
