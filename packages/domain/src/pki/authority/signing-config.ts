import { badRequest, record, type Context } from '../../kernel/index.ts';
import type { AuthorityEntity } from './authority.entity.ts';
import {
  authorityPermissions,
  authorityUpdated,
  type AuthorityRef,
  type SetSigningConfig,
  type SigningConfig,
} from './authority.ts';
import { requireLastingRightToParent } from './auto-renewal.ts';
import { certifyFirst, type Certified } from './certify.ts';
import { keepFirst, requireParent, usualEnd } from './create.ts';
import { requireAuthority } from './find.ts';
import { inPathsTransaction } from './paths.ts';
import { circle, requireNotAbove } from './parents.ts';
import { lockUnchanged } from './renew.ts';
import type { Signer } from './signer.ts';
import { keysOf, openKey } from './stored.ts';

const toConfig = ({ id, parentCaId }: AuthorityEntity): SigningConfig => ({
  caId: id,
  type: parentCaId ? 'internal' : 'external',
  parentCaId: parentCaId ?? null,
});

/** Who signs the certificates of an authority. */
export const getSigningConfig = async (ctx: Context, { caId }: AuthorityRef): Promise<SigningConfig> =>
  toConfig(await requireAuthority(ctx, caId, authorityPermissions.read));

/**
 * Has an intermediate signed by an authority of its project: at once if it waits for its first certificate, and at its
 * renewals.
 *
 * @throws DomainError 400 `certificate_authority.root`, `.circle`, and what signing may; 403 also if the caller may not
 * have intermediates signed by the parent, or not forever where the intermediate has auto-renewal.
 */
export async function setSigningConfig(ctx: Context, input: SetSigningConfig): Promise<SigningConfig> {
  const row = await requireAuthority(ctx, input.caId, authorityPermissions.edit);
  if (row.type === 'root') throw badRequest('certificate_authority.root', 'A root has no parent authority');
  const parent = await requireParent(ctx, row.projectId, input.parentCaId);
  const first = row.status === 'pending-certificate' ? await firstCertificate(ctx, row, parent, input) : undefined;
  // The certificate path of today: one below cannot be above. That of later renewals: see `requireNotAbove`.
  if (!first) await requireNoCycle(ctx, row, parent);
  return inPathsTransaction(ctx, row.projectId, async (tx) => {
    const locked = await lockUnchanged(tx, row);
    await requireNotAbove(tx, row, parent.caId);
    if (locked.autoRenewDays != null && locked.parentCaId !== parent.caId)
      await requireLastingRightToParent(tx, parent.caId);
    locked.parentCaId = parent.caId;
    await tx.em.flush();
    if (first) await keepFirst(tx, locked, first.keyId, first.certified, parent);
    const data = { caId: row.id, name: locked.name, changed: ['parentCaId'] };
    record(tx, authorityUpdated, data, { projectId: row.projectId });
    return toConfig(locked);
  });
}

async function firstCertificate(
  ctx: Context,
  row: AuthorityEntity,
  parent: Signer,
  { notAfter }: SetSigningConfig,
): Promise<{ keyId: string; certified: Certified }> {
  const [key] = await keysOf(ctx, row);
  if (!key) throw new Error('The certificate authority has no key');
  const { subject, maxPathLength, nameConstraints } = row;
  const certified = await certifyFirst(ctx, parent, (await openKey(ctx, key)).publicKey, {
    subject,
    notAfter: notAfter ?? usualEnd(ctx.now(), parent),
    maxPathLength: maxPathLength ?? null,
    nameConstraints,
  });
  return { keyId: key.id, certified };
}

async function requireNoCycle(ctx: Context, row: AuthorityEntity, parent: Signer): Promise<void> {
  const keys = await keysOf(ctx, row);
  const own = new Set(keys.map(({ publicKey }) => publicKey.toString('base64')));
  const isBelow = parent.chain.some(({ publicKey }) =>
    own.has(publicKey.export({ type: 'spki', format: 'der' }).toString('base64')),
  );
  if (isBelow || parent.caId === row.id) throw circle();
}
