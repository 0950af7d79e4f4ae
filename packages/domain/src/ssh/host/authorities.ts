import { notFound, type Transaction } from '../../kernel/index.ts';
import {
  defaultSshAuthorities,
  readDefaultSshAuthorities,
  requireSshAuthority,
  SSH_AUTHORITY,
  sshAuthorityPermissions,
} from '../authority/index.ts';
import { lockLogins } from '../login/index.ts';

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

/**
 * Makes the default authorities of a project that it lacks, before a change of who may log in: they are new, so that nobody
 * gains by them, and every other authority that hosts get later is a change for which rights are asked.
 */
export async function makeDefaultAuthorities(tx: Transaction, projectId: string): Promise<void> {
  await lockLogins(tx, projectId);
  await defaultSshAuthorities(tx, projectId);
}
