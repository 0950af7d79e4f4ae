import {
  AnySecretSync,
  createSecretSync,
  deleteSecretSync,
  DeleteSecretSync,
  getSecretSync,
  getSecretSyncByName,
  ImportSecrets,
  importSecretsNow,
  ListSecretSyncs,
  listSecretSyncs,
  planSecretSync,
  removeSecretsNow,
  SecretSyncName,
  SecretSyncOption,
  secretSyncOptions,
  secretSyncPermissions,
  SecretSyncPlan,
  SecretSyncRef,
  secretSyncSchemas,
  syncSecretsNow,
  updateSecretSync,
  type SecretSyncSchemas,
  type SyncDestination,
} from '@coffer/domain';
import { z } from 'zod';
import { camel, procedure, rest, router, type Camel } from '../kernel/index.ts';

const path = '/api/v1/secret-syncs' as const;
const one = `${path}/{destination}/{syncId}` as const;
const One = z.object({ secretSync: AnySecretSync });
const Many = z.object({ secretSyncs: z.array(AnySecretSync) });
const { read, create, edit, delete: remove, ...may } = secretSyncPermissions;

/** The operations whose input is the same for all destinations: `{destination}` is one that is offered. */
export const secretSyncRouter = router({
  options: procedure
    .meta(rest('GET', `${path}/options`, 'member', 'List the available destinations'))
    .input(z.object({}))
    .output(z.object({ secretSyncOptions: z.array(SecretSyncOption) }))
    .query(({ ctx }) => ({ secretSyncOptions: secretSyncOptions(ctx) })),
  listAll: procedure
    .meta(rest('GET', path, read, 'List the secret syncs of a project'))
    .input(ListSecretSyncs.pick({ projectId: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ secretSyncs: await listSecretSyncs(ctx, input) })),
  list: procedure
    .meta(rest('GET', `${path}/{destination}`, read, 'List the secret syncs of a project to a destination'))
    .input(ListSecretSyncs.required({ destination: true }))
    .output(Many)
    .query(async ({ ctx, input }) => ({ secretSyncs: await listSecretSyncs(ctx, input) })),
  get: procedure
    .meta(rest('GET', one, read, 'Get a secret sync with the results of its last runs'))
    .input(SecretSyncRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ secretSync: await getSecretSync(ctx, input) })),
  getByName: procedure
    .meta(rest('GET', `${path}/{destination}/sync-name/{syncName}`, read, 'Get a secret sync by its name'))
    .input(SecretSyncName)
    .output(One)
    .query(async ({ ctx, input }) => ({ secretSync: await getSecretSyncByName(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', one, remove, 'Delete a secret sync'))
    .input(DeleteSecretSync)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretSync: await deleteSecretSync(ctx, input) })),
  plan: procedure
    .meta(rest('POST', `${one}/plan`, may['sync-secrets'], 'Compare both sides and list what the next sync does'))
    .input(SecretSyncRef)
    .output(z.object({ plan: SecretSyncPlan }))
    .mutation(async ({ ctx, input }) => ({ plan: await planSecretSync(ctx, input) })),
  syncSecrets: procedure
    .meta(rest('POST', `${one}/sync-secrets`, may['sync-secrets'], 'Start a sync'))
    .input(SecretSyncRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretSync: await syncSecretsNow(ctx, input) })),
  importSecrets: procedure
    .meta(rest('POST', `${one}/import-secrets`, may['import-secrets'], 'Start an import of secrets from a destination'))
    .input(ImportSecrets)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretSync: await importSecretsNow(ctx, input) })),
  removeSecrets: procedure
    .meta(
      rest(
        'POST',
        `${one}/remove-secrets`,
        may['remove-secrets'],
        'Start the removal of what a sync has written at its destination',
      ),
    )
    .input(SecretSyncRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ secretSync: await removeSecretsNow(ctx, input) })),
});

/** The operations whose input each destination declares. */
function routerOf({ destination, title, Create, Update, Answer }: SecretSyncSchemas) {
  const answer = z.object({ secretSync: Answer });
  return router({
    create: procedure
      .meta(rest('POST', `${path}/${destination}`, create, `Create a secret sync to ${title}`))
      .input(Create)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ secretSync: await createSecretSync(ctx, destination, input) })),
    update: procedure
      .meta(
        rest(
          'PATCH',
          `${path}/${destination}/{syncId}`,
          edit,
          `Update a secret sync to ${title}; omitted fields stay unchanged`,
        ),
      )
      .input(Update)
      .output(answer)
      .mutation(async ({ ctx, input }) => ({ secretSync: await updateSecretSync(ctx, destination, input) })),
  });
}

type Routers = { readonly [Name in SyncDestination as `${Camel<Name>}Syncs`]: ReturnType<typeof routerOf> };

/** By destination: `githubSyncs.create`. */
export const syncRouters = Object.fromEntries(
  secretSyncSchemas.map((schemas) => [`${camel(schemas.destination)}Syncs`, routerOf(schemas)]),
) as Routers;
