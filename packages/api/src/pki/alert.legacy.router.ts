import {
  alertPermissions,
  AlertRef,
  CollectionAlert,
  createCollectionAlert,
  CreateCollectionAlert,
  deleteCollectionAlert,
  getCollectionAlert,
  Id,
  listCollectionAlerts,
  updateCollectionAlert,
  UpdateCollectionAlert,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = alertPermissions;
const ONE = '/api/v1/pki/alerts/{alertId}';

export const alertLegacyRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v2/workspace/{projectId}/pki-alerts', read, 'List the collection alerts of a project', {
        aliases: ['/api/v1/projects/{projectId}/pki-alerts'],
      }),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ alerts: z.array(CollectionAlert) }))
    .query(async ({ ctx, input }) => ({ alerts: await listCollectionAlerts(ctx, input) })),
  create: procedure
    .meta(rest('POST', '/api/v1/pki/alerts', create, 'Create a collection alert'))
    .input(CreateCollectionAlert)
    .output(CollectionAlert)
    .mutation(({ ctx, input }) => createCollectionAlert(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a collection alert'))
    .input(AlertRef)
    .output(CollectionAlert)
    .query(({ ctx, input }) => getCollectionAlert(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update a collection alert'))
    .input(UpdateCollectionAlert)
    .output(CollectionAlert)
    .mutation(({ ctx, input }) => updateCollectionAlert(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a collection alert'))
    .input(AlertRef)
    .output(CollectionAlert)
    .mutation(({ ctx, input }) => deleteCollectionAlert(ctx, input)),
});
