import { authorizeById } from '../../access/index.ts';
import { record, type Context } from '../../kernel/index.ts';
import { endSync } from '../sync/index.ts';
import { answer, eventData, sourceOf } from './answer.ts';
import { authOf, requireIntegration, type IntegrationRow } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import { integrationDeleted, integrationUpdated, type DeleteIntegration, type Integration } from './integration.ts';

/**
 * Deletes an integration. Its items at the target stay, unless they are to be deleted first: then the integration is
 * deleted when all of them are.
 *
 * @throws DomainError 403, also for items that the caller may not read and that stay; 400 if some could not be deleted,
 * with the error of the remote; the integration is then disabled, and the call can be repeated, also without deleting items.
 */
export async function deleteIntegration(
  ctx: Context,
  { integrationId, shouldDeleteIntegrationSecrets }: DeleteIntegration,
): Promise<Integration> {
  const row = await requireIntegration(ctx, integrationId, integrationPermissions.delete);
  const { projectId } = row;
  const last = await answer(ctx, row);
  await endSync(ctx, {
    row,
    connection: await authOf(ctx, row),
    isRemoving: shouldDeleteIntegrationSecrets,
    sourceOf: (at, present) => sourceOf(at, present as IntegrationRow),
    authorizeAgain: (tx) => authorizeById(tx, integrationPermissions.delete, { projectId }),
    noteInactive: (tx, source) =>
      record(tx, integrationUpdated, { ...eventData(row, source), changed: ['isActive'] }, { projectId }),
    noteEnd(tx, source) {
      record(tx, integrationDeleted, { ...eventData(row, source), shouldDeleteIntegrationSecrets }, { projectId });
    },
  });
  return last;
}
