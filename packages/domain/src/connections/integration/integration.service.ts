import { authorize, organizationOf } from '../../access/index.ts';
import { conflict, inTransaction, record, type Context } from '../../kernel/index.ts';
import { requestSync, SecretSyncEntity } from '../sync/index.ts';
import { answer, answerAll, nameOf } from './answer.ts';
import { isIntegration, requireIntegration, type IntegrationRow } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import {
  integrationSyncAsked,
  type Integration,
  type IntegrationRef,
  type IntegrationWithEnvironment,
} from './integration.ts';

/** The integrations of a project, oldest first. */
export async function listIntegrations(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<IntegrationWithEnvironment[]> {
  await authorize(ctx, integrationPermissions.read, { projectId });
  const rows = await ctx.em.find(
    SecretSyncEntity,
    { organizationId: organizationOf(ctx), projectId, ...isIntegration },
    { orderBy: { id: 'asc' } },
  );
  return answerAll(ctx, rows as IntegrationRow[]);
}

export async function getIntegration(
  ctx: Context,
  { integrationId }: IntegrationRef,
): Promise<IntegrationWithEnvironment> {
  const row = await requireIntegration(ctx, integrationId, integrationPermissions.read);
  return answer(ctx, row);
}

/**
 * Requests a sync as soon as possible, also without changes.
 *
 * @throws DomainError 400 for a disabled integration.
 */
export async function syncIntegrationNow(ctx: Context, { integrationId }: IntegrationRef): Promise<Integration> {
  const found = await requireIntegration(ctx, integrationId, integrationPermissions.edit);
  if (!found.isActive) throw conflict('integration.inactive', 'The integration is switched off: switch it on first');
  await inTransaction(ctx, async (tx) => {
    await requestSync(tx, found.organizationId, found.id);
    const data = { integrationId: found.id, integration: nameOf(found) };
    record(tx, integrationSyncAsked, data, { projectId: found.projectId });
  });
  return answer(ctx, found);
}
