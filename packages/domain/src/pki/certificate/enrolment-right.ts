import { abilityIn, denied, requireLasting } from '../../access/index.ts';
import type { Ability, Context, Permission } from '../../kernel/index.ts';
import type { CertificateFacts } from './asked.ts';
import { certificatePermissions } from './certificate.ts';
import { authorizeIssue, mayIssue, type IssuingRight } from './right.ts';

const { create } = certificatePermissions;

/**
 * Checks the right to enable enrolment: the holder of a passphrase or an external key gets all that a template or
 * profile allows, for as long as it exists. So this needs the permanent right to issue all of it: by the template or
 * profile without a rule that forbids the caller to create some certificate, or the right to create any.
 *
 * @throws DomainError 404, 403; 403 `PermissionBoundaryError` with `details.heldUntil` if the right ends.
 */
export async function requireMayLetEnroll(ctx: Context, projectId: string, by: IssuingRight): Promise<void> {
  if (ctx.actor.type === 'platform') return;
  const ability = await abilityIn(ctx, projectId);
  if (!issuesAll(ability, by)) throw denied(ability, by.permission, undefined, { message: MESSAGE, projectId });
  await requireLasting(ctx, projectId, by, (held) => issuesAll(held, by));
}

/**
 * Checks the right to have a certificate renewed by itself, again and again without a further check: as `authorizeIssue`, without
 * an end.
 *
 * @throws DomainError 404, 403; 403 `PermissionBoundaryError` with `details.heldUntil` if the right ends.
 */
export async function requireMayKeepIssuing(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
  facts: CertificateFacts,
): Promise<void> {
  await authorizeIssue(ctx, projectId, by, facts);
  const right = by ?? { permission: create, fields: {} };
  await requireLasting(ctx, projectId, right, (held) => mayIssue(held, by, facts));
}

const MESSAGE =
  'Enabling enrolment, or reading its credentials, needs the right to issue every certificate that clients can get: `issue-cert` on this template or profile without a rule that forbids some certificate, or `create` for any certificate';

/** As `authorizeIssue`, of whatever certificate. */
const issuesAll = (ability: Ability, { permission, fields }: IssuingRight): boolean =>
  (ability.can(permission, fields) && ability.rulesFor(create).every(({ inverted }) => !inverted)) ||
  createsAll(ability, create);

/** The last rule decides: rules before one without conditions have no effect. */
function createsAll(ability: Ability, permission: Permission): boolean {
  const rules = ability.rulesFor(permission);
  const general = rules.findLastIndex(({ conditions }) => conditions === undefined);
  return general >= 0 && rules.slice(general).every(({ inverted }) => !inverted);
}
