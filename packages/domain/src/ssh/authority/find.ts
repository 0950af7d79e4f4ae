import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import { AUTHORITY_COLUMNS, signing, type SshAuthorityRow } from './stored.ts';

export const SSH_AUTHORITY = 'ssh certificate authority';

const FIND = statement(
  'ssh_certificate_authorities.find',
  `select ${AUTHORITY_COLUMNS} from ${signing('$3')} where a.organization_id = $1 and a.id = $2`,
);

/** The authority with this ID in the caller's organization. The rights of the caller are not checked. @throws DomainError 404 */
export async function findSshAuthority(ctx: Context, sshCaId: string): Promise<SshAuthorityRow> {
  const [row] = isId(sshCaId) ? await ctx.sql<SshAuthorityRow>(FIND, [organizationOf(ctx), sshCaId, ctx.now()]) : [];
  if (!row) throw notFound(SSH_AUTHORITY);
  return row;
}

/**
 * The authority with this ID, if the caller has the permission in its project.
 *
 * @throws DomainError 404 if there is none, or none that the caller may see; 403.
 */
export async function requireSshAuthority(
  ctx: Context,
  sshCaId: string,
  permission: Permission,
): Promise<SshAuthorityRow> {
  const row = await findSshAuthority(ctx, sshCaId);
  await unlessHidden(SSH_AUTHORITY, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

const LOCK = statement(
  'ssh_certificate_authorities.lock',
  'select 1 from ssh_certificate_authorities where organization_id = $1 and id = $2 for update',
);

/** The same after locking its row. @throws DomainError 404 if it was deleted meanwhile. */
export async function lockSshAuthority(tx: Transaction, sshCaId: string): Promise<SshAuthorityRow> {
  await tx.sql(LOCK, [organizationOf(tx), sshCaId]);
  return findSshAuthority(tx, sshCaId);
}
