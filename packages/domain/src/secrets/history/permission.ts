import { authorize, projectPermissions, requireNotForbidden } from '../../access/index.ts';
import type { Context } from '../../kernel/index.ts';
import { commitPermissions } from './history.ts';

export const rollbackPermissions = projectPermissions('secret-rollback');

/** The rights to the history by its two names. */
const RIGHTS = {
  read: { commits: commitPermissions.read, snapshots: rollbackPermissions.read },
  restore: { commits: commitPermissions['perform-rollback'], snapshots: rollbackPermissions.create },
};
const OTHER = { commits: 'snapshots', snapshots: 'commits' } as const;

/**
 * The right to the history of a project by one of its names. A snapshot is a folder after one commit, so a rule that forbids one of the
 * two rights forbids both.
 *
 * @throws DomainError 403, 404 as `authorize`.
 */
export async function authorizeHistory(
  ctx: Context,
  action: keyof typeof RIGHTS,
  by: keyof typeof OTHER,
  projectId: string,
): Promise<void> {
  const rights = RIGHTS[action];
  await authorize(ctx, rights[by], { projectId });
  await requireNotForbidden(ctx, rights[OTHER[by]], { projectId });
}
