import { inTransaction, type Context } from '../../kernel/index.ts';
import {
  authorityPermissions,
  inPathsTransaction,
  lockPermittedAuthority,
  requireAuthority,
  type Authority,
  type AuthorityRef,
} from '../authority/index.ts';
import {
  lockPermittedExternalAuthority,
  removeExternalAuthority,
  requireExternalAuthority,
  type DeleteExternalAuthority,
  type ExternalAuthority,
} from '../external-authority/index.ts';
import { prepareRetiring, retireAuthority } from '../revocation/index.ts';
import { requireMayRemoveAll } from './removed.ts';

const { delete: remove } = authorityPermissions;

/**
 * Deletes an authority with its keys, issued certificates, templates and profiles: see `retireAuthority`.
 *
 * @throws DomainError 404; 403 also if the caller may not edit an authority that is disabled, or a rule forbids them to delete what is
 * deleted with it.
 */
export async function deleteAuthority(ctx: Context, { caId }: AuthorityRef): Promise<Authority> {
  const seen = await requireAuthority(ctx, caId, remove);
  const retiring = await prepareRetiring(ctx, seen);
  return inPathsTransaction(ctx, seen.projectId, async (tx) => {
    const row = await lockPermittedAuthority(tx, seen.id, remove);
    await requireMayRemoveAll(tx, row, ['certificates', 'certificate-templates', 'certificate-profiles']);
    return retireAuthority(tx, row, retiring);
  });
}

/**
 * Deletes an external authority with its profiles: see `removeExternalAuthority`.
 *
 * @throws DomainError 404; 403 also if a rule forbids the caller to delete one of the profiles; 400.
 */
export async function deleteExternalAuthority(
  ctx: Context,
  type: string,
  { id, isForced }: DeleteExternalAuthority,
): Promise<ExternalAuthority> {
  const found = await requireExternalAuthority(ctx, { type, id }, remove);
  return inTransaction(ctx, async (tx) => {
    const row = await lockPermittedExternalAuthority(tx, found.id, remove);
    await requireMayRemoveAll(tx, row, ['certificate-profiles']);
    return removeExternalAuthority(tx, row, isForced);
  });
}
