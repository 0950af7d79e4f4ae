import { LockMode } from '@mikro-orm/core';
import { authorize, organizationOf, projectsWith } from '../../access/index.ts';
import { inTransaction, notFound, record, type Context, type Transaction } from '../../kernel/index.ts';
import { requireMayEndSource } from '../../secrets/publication/index.ts';
import { AppConnectionEntity } from '../connection/index.ts';
import { requireMayFreeTargets } from '../sync/index.ts';
import { toAuth } from './answer.ts';
import { isAuth, lockAuth, requireAuth, usesOf, type AuthRow } from './find.ts';
import {
  integrationPermissions,
  integrationUnauthorized,
  type DeleteIntegrationAuths,
  type IntegrationAuth,
  type IntegrationAuthRef,
} from './integration-auth.ts';
import { published } from './published.ts';
import { integrations, requirePublished } from './offered.ts';

/** The integration authentications of a project, oldest first. */
export async function listIntegrationAuths(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<IntegrationAuth[]> {
  await authorize(ctx, integrationPermissions.read, { projectId });
  const rows = await ctx.em.find(
    AppConnectionEntity,
    { organizationId: organizationOf(ctx), projectId, ...isAuth },
    { orderBy: { id: 'asc' } },
  );
  return (rows as AuthRow[]).map(toAuth);
}

/** Those of all projects of the organization in which the caller may see them. */
export async function listOrganizationIntegrationAuths(
  ctx: Context,
  { organizationId }: { organizationId: string },
): Promise<IntegrationAuth[]> {
  if (organizationOf(ctx) !== organizationId) throw notFound('organization');
  const where = { organizationId, ...isAuth };
  const rows = (await ctx.em.find(AppConnectionEntity, where, { orderBy: { id: 'asc' } })) as AuthRow[];
  const visible = await projectsWith(ctx, integrationPermissions.read, new Set(rows.map((row) => row.projectId)));
  return rows.filter(({ projectId }) => visible.has(projectId)).map(toAuth);
}

export async function getIntegrationAuth(
  ctx: Context,
  { integrationAuthId }: IntegrationAuthRef,
): Promise<IntegrationAuth> {
  return toAuth(await requireAuth(ctx, integrationAuthId, integrationPermissions.read));
}

/** Deletes credentials and the integrations that use them. Items at their targets stay. */
export async function deleteIntegrationAuth(
  ctx: Context,
  { integrationAuthId }: IntegrationAuthRef,
): Promise<IntegrationAuth> {
  const found = await requireAuth(ctx, integrationAuthId, integrationPermissions.delete);
  const requireFree = await requireMayFreeTargets(ctx, { projectId: found.projectId, connectionId: found.id });
  return inTransaction(ctx, async (tx) => {
    const row = await lockAuth(tx, found.id);
    await requireFree(tx);
    return removeAuth(tx, row);
  });
}

/** Deletes all credentials of one service in a project. */
export async function deleteIntegrationAuths(
  ctx: Context,
  { integration, projectId }: DeleteIntegrationAuths,
): Promise<IntegrationAuth[]> {
  await authorize(ctx, integrationPermissions.delete, { projectId });
  requirePublished(integration);
  const requireFree = await requireMayFreeTargets(ctx, { projectId, integration });
  return inTransaction(ctx, async (tx) => {
    const rows = await tx.em.find(
      AppConnectionEntity,
      { organizationId: organizationOf(ctx), projectId, integration },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    await requireFree(tx);
    const removed: IntegrationAuth[] = [];
    for (const row of rows as AuthRow[]) removed.push(await removeAuth(tx, row));
    return removed;
  });
}

async function removeAuth(tx: Transaction, row: AuthRow): Promise<IntegrationAuth> {
  const uses = await usesOf(tx, row.id);
  for (const use of uses) await requireMayEndSource(tx, { projectId: row.projectId, ...use });
  const last = toAuth(row);
  await tx.em.remove(row).flush();
  const data = {
    integrationAuthId: last.id,
    integration: last.integration,
    integrationIds: uses.map(({ id }) => id),
  };
  record(tx, integrationUnauthorized, data, { projectId: last.projectId });
  return last;
}

export interface IntegrationOption {
  name: string;
  slug: string;
  syncSlug: string | null;
  clientSlug: string | null;
  image: string;
  isAvailable: boolean;
  type: string;
  clientId: string | null;
  docsLink: string | null;
}

/** All published integrations by name, with whether they are supported. */
export const integrationOptions = (): IntegrationOption[] =>
  Object.entries(published).map(([slug, name]) => ({
    name,
    slug,
    syncSlug: null,
    clientSlug: null,
    image: `${name}.png`,
    isAvailable: integrations.find(slug) !== undefined,
    type: 'custom',
    clientId: null,
    docsLink: null,
  }));
