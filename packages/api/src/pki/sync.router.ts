import {
  addPkiSyncCertificates,
  AnyPkiSync,
  ChangePkiSyncCertificates,
  createPkiSync,
  deletePkiSync,
  getPkiSync,
  ListPkiSyncCertificates,
  listPkiSyncCertificates,
  ListPkiSyncs,
  listPkiSyncs,
  PkiSyncCertificate,
  PkiSyncId,
  PkiSyncOption,
  pkiSyncOptions,
  pkiSyncPermissions,
  PkiSyncPlan,
  PkiSyncRef,
  pkiSyncSchemas,
  planPkiSync,
  removeCertificatesNow,
  removePkiSyncCertificates,
  syncCertificatesNow,
  updatePkiSync,
  type PkiSyncDestination,
  type PkiSyncSchemas,
} from '@coffer/domain';
import { z } from 'zod';
import { camel, procedure, rest, router, type Camel } from '../kernel/index.ts';

const path = '/api/v1/cert-manager/syncs' as const;
const one = `${path}/{destination}/{pkiSyncId}` as const;
const certificates = `${path}/{pkiSyncId}/certificates` as const;
const { read, create, edit, delete: remove, ...may } = pkiSyncPermissions;
const Message = z.object({ message: z.string() });

/** The operations whose input is the same for all destinations: `{destination}` is one that is offered. */
export const pkiSyncRouter = router({
  options: procedure
    .meta(rest('GET', `${path}/options`, 'member', 'List the available destinations of certificates'))
    .input(z.object({}))
    .output(z.object({ pkiSyncOptions: z.array(PkiSyncOption) }))
    .query(({ ctx }) => ({ pkiSyncOptions: pkiSyncOptions(ctx) })),
  listAll: procedure
    .meta(rest('GET', path, read, 'List the PKI syncs of a project'))
    .input(ListPkiSyncs)
    .output(z.object({ pkiSyncs: z.array(AnyPkiSync) }))
    .query(async ({ ctx, input }) => ({ pkiSyncs: (await listPkiSyncs(ctx, input)) as never[] })),
  getById: procedure
    .meta(rest('GET', `${path}/{pkiSyncId}`, read, 'Get a PKI sync by its ID'))
    .input(PkiSyncId)
    .output(AnyPkiSync)
    .query(({ ctx, input }) => getPkiSync(ctx, input) as Promise<never>),
  get: procedure
    .meta(rest('GET', one, read, 'Get a PKI sync with the results of its last runs'))
    .input(PkiSyncRef)
    .output(AnyPkiSync)
    .query(({ ctx, input }) => getPkiSync(ctx, input) as Promise<never>),
  delete: procedure
    .meta(rest('DELETE', one, remove, 'Delete a PKI sync; what it has written stays at its destination'))
    .input(PkiSyncRef)
    .output(AnyPkiSync)
    .mutation(({ ctx, input }) => deletePkiSync(ctx, input) as Promise<never>),
  plan: procedure
    .meta(rest('POST', `${one}/plan`, may['sync-certificates'], 'Compare both sides and list what the next sync does'))
    .input(PkiSyncRef)
    .output(z.object({ plan: PkiSyncPlan }))
    .mutation(async ({ ctx, input }) => ({ plan: await planPkiSync(ctx, input) })),
  syncCertificates: procedure
    .meta(rest('POST', `${one}/sync`, may['sync-certificates'], 'Start a sync of certificates'))
    .input(PkiSyncRef)
    .output(Message)
    .mutation(async ({ ctx, input }) => {
      await syncCertificatesNow(ctx, input);
      return { message: 'The sync has been requested' };
    }),
  removeFromDestination: procedure
    .meta(
      rest(
        'POST',
        `${one}/remove-certificates`,
        may['remove-certificates'],
        'Start the removal of what a PKI sync has written at its destination',
      ),
    )
    .input(PkiSyncRef)
    .output(Message)
    .mutation(async ({ ctx, input }) => {
      await removeCertificatesNow(ctx, input);
      return { message: 'The removal has been requested' };
    }),
  listCertificates: procedure
    .meta(rest('GET', certificates, read, 'List the certificates of a PKI sync'))
    .input(ListPkiSyncCertificates)
    .output(z.object({ certificates: z.array(PkiSyncCertificate), totalCount: z.int() }))
    .query(({ ctx, input }) => listPkiSyncCertificates(ctx, input)),
  addCertificates: procedure
    .meta(rest('POST', certificates, edit, 'Add certificates to a PKI sync'))
    .input(ChangePkiSyncCertificates)
    .output(z.object({ addedCertificates: z.array(PkiSyncCertificate) }))
    .mutation(async ({ ctx, input }) => ({ addedCertificates: await addPkiSyncCertificates(ctx, input) })),
  removeCertificates: procedure
    .meta(rest('DELETE', certificates, edit, 'Remove certificates from a PKI sync'))
    .input(ChangePkiSyncCertificates)
    .output(z.object({ removedCount: z.int() }))
    .mutation(async ({ ctx, input }) => ({ removedCount: await removePkiSyncCertificates(ctx, input) })),
});

/** The operations whose input or place each destination declares: a list has the shape of `{pkiSyncId}` otherwise. */
function routerOf({ destination, title, Create, Update, Answer }: PkiSyncSchemas) {
  return router({
    list: procedure
      .meta(rest('GET', `${path}/${destination}`, read, `List the PKI syncs of a project to ${title}`))
      .input(ListPkiSyncs)
      .output(z.object({ pkiSyncs: z.array(Answer) }))
      .query(async ({ ctx, input }) => ({ pkiSyncs: (await listPkiSyncs(ctx, { ...input, destination })) as never[] })),
    create: procedure
      .meta(rest('POST', `${path}/${destination}`, create, `Create a PKI sync to ${title}`))
      .input(Create)
      .output(Answer)
      .mutation(({ ctx, input }) => createPkiSync(ctx, destination, input) as Promise<never>),
    update: procedure
      .meta(
        rest(
          'PATCH',
          `${path}/${destination}/{pkiSyncId}`,
          edit,
          `Update a PKI sync to ${title}; omitted fields stay unchanged`,
        ),
      )
      .input(Update)
      .output(Answer)
      .mutation(({ ctx, input }) => updatePkiSync(ctx, destination, input) as Promise<never>),
  });
}

type Routers = { readonly [Name in PkiSyncDestination as `${Camel<Name>}PkiSyncs`]: ReturnType<typeof routerOf> };

/** By destination: `awsCertificateManagerPkiSyncs.create`. */
export const pkiSyncRouters = Object.fromEntries(
  pkiSyncSchemas.map((schemas) => [`${camel(schemas.destination)}PkiSyncs`, routerOf(schemas)]),
) as Routers;
