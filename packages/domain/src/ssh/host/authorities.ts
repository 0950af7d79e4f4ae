import { notFound, type Transaction } from '../../kernel/index.ts';
import {
  readDefaultSshAuthorities,
  requireSshAuthority,
  SSH_AUTHORITY,
  sshAuthorityPermissions,
} from '../authority/index.ts';

/**
 * Checks that the caller may have hosts use these authorities of the project. Others may trust certificates of an authority
 * that was made for something else, so every one but the defaults takes the right to edit it.
 *
 * @throws DomainError 404, 403
 */
export async function requireMayUseAuthorities(
  tx: Transaction,
  projectId: string,
  ids: readonly (string | null | undefined)[],
): Promise<void> {
  const named = new Set(ids.flatMap((id) => id ?? []));
  if (named.size === 0) return;
  const defaults = await readDefaultSshAuthorities(tx, projectId);
  for (const id of named) {
    if (id === defaults.userSshCaId || id === defaults.hostSshCaId) continue;
    const authority = await requireSshAuthority(tx, id, sshAuthorityPermissions.edit);
    if (authority.projectId !== projectId) throw notFound(SSH_AUTHORITY);
  }
}
