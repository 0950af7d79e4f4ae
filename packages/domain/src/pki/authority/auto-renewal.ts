import { authorizeById, requireLasting } from '../../access/index.ts';
import { badRequest, inTransaction, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { defineRenewal } from '../renewal/index.ts';
import { AuthorityEntity } from './authority.entity.ts';
import {
  authorityPermissions,
  authorityUpdated,
  type AuthorityRef,
  type AutoRenewal,
  type UpdateAutoRenewal,
} from './authority.ts';
import { requireParent } from './create.ts';
import { lockPermittedAuthority, requireAuthority } from './find.ts';
import { lockUnchanged, renew } from './renew.ts';
import { signerOf } from './signer.ts';

const USUAL_DAYS = 30;

const toAutoRenewal = ({ id, autoRenewDays }: AuthorityEntity): AutoRenewal => ({
  caId: id,
  enableAutoRenewal: autoRenewDays != null,
  renewBeforeDays: autoRenewDays ?? null,
});

export const getAutoRenewal = async (ctx: Context, { caId }: AuthorityRef): Promise<AutoRenewal> =>
  toAutoRenewal(await requireAuthority(ctx, caId, authorityPermissions.read));

/** An authority is renewed, and signed by its parent, again and again without a further check. @throws DomainError 403 */
async function requireLastingRight(
  ctx: Context,
  { projectId, name }: Pick<AuthorityEntity, 'projectId' | 'name'>,
  action: 'renew' | 'sign-intermediate',
): Promise<void> {
  const permission = authorityPermissions[action];
  await authorizeById(ctx, permission, { projectId, name });
  await requireLasting(ctx, projectId, { permission, fields: { name } });
}

/** The same for what the parent signs again and again. @throws DomainError 404, 403 */
export async function requireLastingRightToParent(ctx: Context, parentCaId: string): Promise<void> {
  const parent = await requireAuthority(ctx, parentCaId, authorityPermissions['sign-intermediate']);
  await requireLastingRight(ctx, parent, 'sign-intermediate');
}

const RENEWED_BELOW = statement(
  'certificate_authorities.renewed_below',
  'select from certificate_authorities where parent_ca_id = $1 and auto_renew_days is not null limit 1',
);

/**
 * Checks the rights of the caller to what an authority does by itself, before it gets another name or is enabled: its own
 * auto-renewal, and signing intermediates that have it.
 *
 * @throws DomainError 403, also if one of these rights ends.
 */
export async function requireMayGoOn(tx: Transaction, row: AuthorityEntity, name: string): Promise<void> {
  const { projectId, parentCaId } = row;
  if (row.autoRenewDays != null) {
    await requireLastingRight(tx, { projectId, name }, 'renew');
    const parent = parentCaId ? await tx.em.findOne(AuthorityEntity, { id: parentCaId }) : null;
    if (parent) await requireLastingRight(tx, parent, 'sign-intermediate');
  }
  if ((await tx.sql(RENEWED_BELOW, [row.id])).length > 0)
    await requireLastingRight(tx, { projectId, name }, 'sign-intermediate');
}

/**
 * Sets the auto-renewal of an authority, with the same key and validity, and how long before its expiry it runs: at
 * most half of the validity.
 *
 * @throws DomainError 400 `certificate_authority.external` if its certificate is signed externally; 403 also if the
 * caller may not have intermediates signed by the parent, or if one of these rights ends.
 */
export async function updateAutoRenewal(ctx: Context, input: UpdateAutoRenewal): Promise<AutoRenewal> {
  const seen = await requireAuthority(ctx, input.caId, authorityPermissions.renew);
  const isEnabled = input.enableAutoRenewal ?? (input.renewBeforeDays !== undefined || seen.autoRenewDays != null);
  if (!isEnabled && input.renewBeforeDays !== undefined)
    throw badRequest('certificate_authority.auto_renewal', 'renewBeforeDays says nothing where renewal is off');
  if (isEnabled && seen.type === 'intermediate') {
    if (!seen.parentCaId)
      throw badRequest('certificate_authority.external', 'The certificate is signed externally and is renewed there');
    await requireParent(ctx, seen.projectId, seen.parentCaId);
    await requireLastingRightToParent(ctx, seen.parentCaId);
  }
  if (isEnabled) await requireLastingRight(ctx, seen, 'renew');
  return inTransaction(ctx, async (tx) => {
    const row = isEnabled
      ? await lockUnchanged(tx, seen)
      : await lockPermittedAuthority(tx, seen.id, authorityPermissions.renew);
    // The parent may have been renamed in the meantime.
    if (isEnabled && row.parentCaId) await requireLastingRightToParent(tx, row.parentCaId);
    row.autoRenewDays = isEnabled ? (input.renewBeforeDays ?? row.autoRenewDays ?? USUAL_DAYS) : null;
    await tx.em.flush();
    const data = { caId: row.id, name: row.name, changed: ['autoRenewDays'] };
    record(tx, authorityUpdated, data, { projectId: row.projectId });
    return toAutoRenewal(row);
  });
}

/** Authorities whose certificates expire soon: parents first, expired ones last. */
const authorities = defineRenewal({
  name: 'authority',
  table: 'certificate_authorities',
  isDue: `t.auto_renew_days is not null and t.status = 'active'
    and t.not_after - least(make_interval(days => t.auto_renew_days), (t.not_after - t.not_before) / 2) <= $1`,
  order: 't.not_after <= $1, t.not_after',
  schedule: '17 * * * *',
  renew: async (ctx, { id, organizationId }) => {
    const row = await ctx.em.findOne(AuthorityEntity, { id, organizationId }, { refresh: true });
    if (row) await renewDue(ctx, row);
  },
});

export const { renewJob: renewAuthorityJob, findJob: endingAuthorities, enqueueDue: enqueueEnding } = authorities;

async function renewDue(ctx: Context, row: AuthorityEntity): Promise<void> {
  const { notBefore, notAfter, parentCaId } = row;
  if (!notBefore || !notAfter) return;
  const parent = parentCaId ? await signerOf(ctx, parentCaId) : undefined;
  const wanted = ctx.now().getTime() + notAfter.getTime() - notBefore.getTime();
  const end = new Date(Math.min(wanted, parent?.issuer.notAfter.getTime() ?? wanted));
  if (end <= notAfter) {
    ctx.log.warn({ caId: row.id }, 'The parent authority ends too early: renew it first');
    return;
  }
  await renew(ctx, row, parent, { key: 'existing', notAfter: end, isAutomatic: true });
}
