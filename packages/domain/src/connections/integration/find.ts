import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity, lockConnection } from '../connection/index.ts';
import { SecretSyncEntity, type SyncOptions } from '../sync/index.ts';
import type { Given } from './offered.ts';

/** A sync that was made as an integration. */
export type IntegrationRow = SecretSyncEntity & { given: Given };
/** A connection that was made as an integration authentication. */
export type AuthRow = AppConnectionEntity & { integration: string; projectId: string };

export const isIntegration = { given: { $ne: null } } as const;
export const isAuth = { integration: { $ne: null } } as const;

const THING = 'integration';
const AUTH = 'integration authentication';

/**
 * The integration with that ID, if the caller has the permission on it.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireIntegration(
  ctx: Context,
  integrationId: string,
  permission: Permission,
): Promise<IntegrationRow> {
  const row = isId(integrationId)
    ? await ctx.em.findOne(SecretSyncEntity, {
        id: integrationId,
        organizationId: organizationOf(ctx),
        ...isIntegration,
      })
    : null;
  if (!row) throw notFound(THING);
  await unlessHidden(THING, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row as IntegrationRow;
}

/** The same for credentials. */
export async function requireAuth(ctx: Context, integrationAuthId: string, permission: Permission): Promise<AuthRow> {
  const row = isId(integrationAuthId)
    ? await ctx.em.findOne(AppConnectionEntity, {
        id: integrationAuthId,
        organizationId: organizationOf(ctx),
        ...isAuth,
      })
    : null;
  if (!row) throw notFound(AUTH);
  const auth = row as AuthRow;
  await unlessHidden(AUTH, authorizeById(ctx, permission, { projectId: auth.projectId }));
  return auth;
}

/** The credentials of an integration. */
export async function authOf(ctx: Context, { connectionId }: IntegrationRow): Promise<AuthRow> {
  const row = await ctx.em.findOne(AppConnectionEntity, { id: connectionId });
  if (!row) throw notFound(AUTH);
  return row as AuthRow;
}

/** @throws DomainError 404 if they were deleted meanwhile. */
export async function lockAuth(tx: Transaction, id: string, mode: 'read' | 'write' = 'write'): Promise<AuthRow> {
  const row = await lockConnection(tx, id, mode);
  if (!row) throw notFound(AUTH);
  return row as AuthRow;
}

/** An integration that uses some credentials, with its source. */
interface Use {
  readonly id: string;
  readonly options: SyncOptions;
  readonly environment: string;
  readonly secretPath: string;
}
const USES = statement(
  'integration_auth.uses',
  `select i.id, i.options, e.slug as environment, coalesce(f.path, i.secret_path) as "secretPath" from secret_syncs i
   join environments e on e.id = i.environment_id left join folders f on f.id = i.folder_id
   where i.connection_id = $1 order by i.id`,
);

export const usesOf = (ctx: Context, integrationAuthId: string): Promise<Use[]> =>
  ctx.sql<Use>(USES, [integrationAuthId]);
