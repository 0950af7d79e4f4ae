import { LockMode } from '@mikro-orm/core';
import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import {
  DomainError,
  isId,
  notFound,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { IntegrationAuthEntity } from './integration-auth.entity.ts';
import { IntegrationEntity } from './integration.entity.ts';

const THING = 'integration';
const AUTH = 'integration authentication';

/**
 * The integration of that id, where the caller may do this to it.
 *
 * @throws DomainError 404 where there is none, or none that the caller may know of; 403.
 */
export async function requireIntegration(
  ctx: Context,
  integrationId: string,
  permission: Permission,
): Promise<IntegrationEntity> {
  const row = isId(integrationId)
    ? await ctx.em.findOne(IntegrationEntity, { id: integrationId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound(THING);
  await unlessHidden(THING, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

/** @throws DomainError 404 where it is gone by now. */
export async function lockIntegration(tx: Transaction, id: string): Promise<IntegrationEntity> {
  const row = await tx.em.findOne(IntegrationEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound(THING);
  return row;
}

/** The same for credentials. */
export async function requireAuth(
  ctx: Context,
  integrationAuthId: string,
  permission: Permission,
): Promise<IntegrationAuthEntity> {
  const row = isId(integrationAuthId)
    ? await ctx.em.findOne(IntegrationAuthEntity, { id: integrationAuthId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound(AUTH);
  await unlessHidden(AUTH, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

/** @throws DomainError 404 where they are gone by now. */
export async function lockAuth(
  tx: Transaction,
  id: string,
  lockMode: LockMode.PESSIMISTIC_READ | LockMode.PESSIMISTIC_WRITE = LockMode.PESSIMISTIC_WRITE,
): Promise<IntegrationAuthEntity> {
  const row = await tx.em.findOne(IntegrationAuthEntity, { id }, { lockMode });
  if (!row) throw notFound(AUTH);
  return row;
}

/** An integration that uses some credentials, with where it takes its secrets from. */
interface Use {
  readonly id: string;
  readonly environment: string;
  readonly secretPath: string;
}
const USES = statement(
  'integration_auth.uses',
  `select i.id, e.slug as environment, coalesce(f.path, i.secret_path) as "secretPath" from integrations i
   join environments e on e.id = i.environment_id left join folders f on f.id = i.folder_id
   where i.integration_auth_id = $1 order by i.id`,
);

export const usesOf = (ctx: Context, integrationAuthId: string): Promise<Use[]> =>
  ctx.sql<Use>(USES, [integrationAuthId]);

/** For what may be gone in the meantime: to be given to `catch`. */
export function unlessNotFound(error: unknown): undefined {
  if (!(error instanceof DomainError && error.kind === 'not_found')) throw error;
}
