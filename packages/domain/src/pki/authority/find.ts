import { LockMode } from '@mikro-orm/core';
import { authorizeById, organizationOf, permittedNow, unlessHidden } from '../../access/index.ts';
import {
  badRequest,
  isId,
  notFound,
  statement,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { AuthorityEntity } from './authority.entity.ts';

export const AUTHORITY = 'certificate authority';

/**
 * The authority with this ID, if the caller has the permission on it, which may depend on its status.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireAuthority(
  ctx: Context,
  caId: string,
  needed: Permission | ((row: AuthorityEntity) => Permission),
): Promise<AuthorityEntity> {
  const row = isId(caId)
    ? await ctx.em.findOne(AuthorityEntity, { id: caId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound(AUTHORITY);
  const permission = typeof needed === 'function' ? needed(row) : needed;
  await unlessHidden(AUTHORITY, authorizeById(ctx, permission, { projectId: row.projectId, name: row.name }));
  return row;
}

const PLACE = statement(
  'certificate_authorities.place',
  'select project_id as "projectId" from certificate_authorities where organization_id = $1 and id = $2',
);

/** The project of an authority of the caller's organization. The rights of the caller are not checked. */
export async function projectOfAuthority(ctx: Context, caId: string): Promise<string | undefined> {
  const [place] = isId(caId) ? await ctx.sql<{ projectId: string }>(PLACE, [organizationOf(ctx), caId]) : [];
  return place?.projectId;
}

const HOLD = statement(
  'certificate_authorities.hold',
  'select 1 from certificate_authorities where organization_id = $1 and project_id = $2 and id = $3 for share',
);

/**
 * Locks an authority of a project against deletion until the transaction ends.
 *
 * @throws DomainError 404
 */
export async function holdAuthority(tx: Transaction, projectId: string, caId: string): Promise<void> {
  const known = isId(caId) ? await tx.sql(HOLD, [organizationOf(tx), projectId, caId]) : [];
  if (known.length === 0) throw notFound(AUTHORITY);
}

const KEEP = statement(
  'certificate_authorities.keep',
  'select id from certificate_authorities where id = $1 for key share',
);

/** Waits for a renewal, a change or the deletion of an authority, before what belongs to it is locked or stored. */
export const keepAuthority = async (tx: Transaction, caId: string): Promise<void> => void (await tx.sql(KEEP, [caId]));

/** @throws DomainError 404 if it was deleted meanwhile. */
export async function lockAuthority(tx: Transaction, caId: string): Promise<AuthorityEntity> {
  const row = await tx.em.findOne(AuthorityEntity, { id: caId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!row) throw notFound(AUTHORITY);
  return row;
}

/** The same for a caller with this permission on its present name. @throws DomainError 404, 403 */
export const lockPermittedAuthority = (
  tx: Transaction,
  caId: string,
  permission: Permission,
): Promise<AuthorityEntity> => permittedNow(tx, permission, lockAuthority(tx, caId), ({ name }) => ({ name }));

/** @throws DomainError 400 if it is disabled, or not active yet. */
export function requireActive(status: string, notAfter: Date | null, now: Date): void {
  if (status === 'disabled') throw notActive('The certificate authority is disabled');
  if (status !== 'active' || !notAfter) throw notActive('The certificate authority has no certificate yet');
  if (notAfter <= now) throw notActive('The certificate of the certificate authority has expired: renew it');
}

export const notActive = (message: string) => badRequest('certificate_authority.not_active', message);
