import {
  Alert,
  alertPermissions,
  AlertRef,
  createAlert,
  CreateAlert,
  deleteAlert,
  getAlert,
  listAlerts,
  ListAlerts,
  updateAlert,
  UpdateAlert,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const One = z.object({ alert: Alert });
const { read, create, edit, delete: remove } = alertPermissions;

export const alertRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/cert-manager/alerts', read, 'List the certificate alerts of a project'))
    .input(ListAlerts)
    .output(z.object({ alerts: z.array(Alert), total: z.int() }))
    .query(({ ctx, input }) => listAlerts(ctx, input)),
  create: procedure
    .meta(
      rest('POST', '/api/v1/cert-manager/alerts', create, 'Create a certificate alert', {
        description:
          'Also needs a permission to read certificates. The alert runs as the user who created it, or last updated more of it than its name and description or disabling it: it notifies each of its channels, once, of each certificate that this user may read and that ends within `alertBefore`, or that was issued, ' +
          'renewed or revoked since. Authorities are included if a filter names them (`include_cas`).',
      }),
    )
    .input(CreateAlert)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ alert: await createAlert(ctx, input) })),
  get: procedure
    .meta(rest('GET', '/api/v1/cert-manager/alerts/{alertId}', read, 'Read a certificate alert'))
    .input(AlertRef)
    .output(One)
    .query(async ({ ctx, input }) => ({ alert: await getAlert(ctx, input) })),
  update: procedure
    .meta(rest('PATCH', '/api/v1/cert-manager/alerts/{alertId}', edit, 'Update a certificate alert'))
    .input(UpdateAlert)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ alert: await updateAlert(ctx, input) })),
  delete: procedure
    .meta(rest('DELETE', '/api/v1/cert-manager/alerts/{alertId}', remove, 'Delete a certificate alert'))
    .input(AlertRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ alert: await deleteAlert(ctx, input) })),
});
