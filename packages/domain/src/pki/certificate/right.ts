import {
  abilityIn,
  allowsAll,
  authorize,
  authorizeById,
  compilePart,
  denied,
  gainByChange,
  gainsIn,
  misplaced,
  permissionsOnSubject,
  readable,
  authorizeAnywhere,
  requireLasting,
  unlessForbidden,
} from '../../access/index.ts';
import type { Ability, Context, Fields, Permission } from '../../kernel/index.ts';
import type { Subject } from '../x509.ts';
import {
  allAsked,
  allowedSubject,
  askedOf,
  CONDITION_FIELDS,
  isForbidden,
  variantsOf,
  type CertificateFacts,
} from './asked.ts';
import { certificatePermissions } from './certificate.ts';

/**
 * Checks a permission on a certificate.
 *
 * @throws DomainError 403, 404 as `authorize`.
 */
export async function authorizeCertificate(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of await askedIn(ctx, permission, projectId, facts))
    await authorize(ctx, permission, { ...fields, projectId });
}

/** The same for one that was named by its ID; see `authorizeById`. */
export async function authorizeCertificateById(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of await askedIn(ctx, permission, projectId, facts))
    await authorizeById(ctx, permission, { ...fields, projectId });
}

/** The condition fields of names. */
const NAMES = new Set(['commonName', 'altNames', ...Object.values(CONDITION_FIELDS)]);

/**
 * Checks a permission on a certificate with names that rules cannot compare: a second common name, an e-mail address in the
 * subject, alternative names of other kinds. Rules that allow some names do not allow it; rules that forbid some names forbid it.
 *
 * @throws DomainError 403
 */
export async function requireMayHaveAnyName(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  const whatever = ability.rulesFor(permission).flatMap((rule) => {
    const others = Object.entries(rule.conditions ?? {}).filter(([field]) => !NAMES.has(field));
    if (others.length === Object.keys(rule.conditions ?? {}).length) return [rule];
    return rule.inverted ? [{ ...rule, conditions: Object.fromEntries(others) }] : [];
  });
  const by = compilePart(ability, whatever);
  if (askedOf(facts).every((fields) => by.can(permission, fields))) return;
  const message =
    'The certificate has names that rules cannot compare, such as a second common name: the right to all names is required';
  throw denied(ability, permission, undefined, { message, projectId });
}

const askedIn = async (ctx: Context, permission: Permission, projectId: string, facts: CertificateFacts) =>
  allAsked(await abilityIn(ctx, projectId), permission, facts);

/**
 * The filter for lists of a project's certificates; absent if the caller may read all.
 *
 * @throws DomainError 404 if the caller is not a member of the project, 403 if it may read none.
 */
export async function shownCertificates(
  ctx: Context,
  projectId: string,
): Promise<((facts: CertificateFacts) => boolean) | undefined> {
  const { read } = certificatePermissions;
  await authorizeAnywhere(ctx, read, { projectId });
  return allowsAll(await abilityIn(ctx, projectId), read) ? undefined : readableCertificates(ctx, read, projectId);
}

/**
 * As `authorizeChange`, for data stored with a certificate.
 *
 * @throws DomainError 404, 403.
 */
export async function authorizeCertificateChange(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const { edit } = certificatePermissions;
  for (const facts of [before, after]) await authorizeCertificateById(ctx, edit, projectId, facts);
  await requireNoCertificateGain(ctx, projectId, before, after);
  if (before.friendlyName !== after.friendlyName) await requireMayName(ctx, projectId, before, after);
}

/**
 * Checks the right to give a friendly name to a certificate that is renewed by itself, since its successors get it: the right to
 * edit certificates with that name, without an end.
 *
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayKeepName(ctx: Context, projectId: string, facts: CertificateFacts): Promise<void> {
  const { edit } = certificatePermissions;
  const { friendlyName } = facts;
  const right = { permission: edit, fields: { friendlyName } };
  await requireLasting(ctx, projectId, right, (held) => allowsCertificate(held, edit, facts));
}

/** As `requireMayPlace`, for another friendly name; the right to edit the certificate with both was asked. */
async function requireMayName(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const { create, delete: remove } = certificatePermissions;
  const ability = await abilityIn(ctx, projectId);
  const notForbidden = unlessForbidden(ability, [create, remove]);
  const require = (permission: Permission, facts: CertificateFacts) => {
    if (!allowsCertificate(notForbidden, permission, facts))
      throw misplaced(ability, certificatePermissions, permission, projectId);
  };
  require(create, after);
  require(remove, before);
}

/**
 * Checks that a change of its friendly name or status gives nobody a right to the certificate that the caller does not
 * hold. Its names are unchanged. Call it after locking the certificate.
 *
 * @throws DomainError 403 `access.change_gains`.
 */
export async function requireNoCertificateGain(
  ctx: Context,
  projectId: string,
  before: CertificateFacts,
  after: CertificateFacts,
): Promise<void> {
  const gains = await gainsIn(ctx, projectId);
  const isAllowed = (ability: Ability, permission: Permission) => allowsCertificate(ability, permission, before);
  const asked = await gains.notHeld(permissionsOnSubject(certificatePermissions.edit), isAllowed);
  const gained = asked.find((permission) => {
    const rules = gains.rulesFor(permission);
    const now = variantsOf(before, rules);
    return variantsOf(after, rules).some((fields, index) => gains.giving(permission, now[index]!, fields).length > 0);
  });
  if (gained) throw gains.refusal(gained, gainByChange(gained), (held) => isAllowed(held, gained));
}

/** Whether rights allow this to a certificate. */
export const allowsCertificate = (ability: Ability, permission: Permission, facts: CertificateFacts): boolean =>
  allAsked(ability, permission, facts).every((fields) => ability.can(permission, fields));

/** A filter for the certificates of a project on which the caller has a permission. */
export async function readableCertificates(
  ctx: Context,
  permission: Permission,
  projectId: string,
): Promise<(facts: CertificateFacts) => boolean> {
  await readable(ctx, permission, { projectId });
  const ability = await abilityIn(ctx, projectId);
  return (facts) => allowsCertificate(ability, permission, facts);
}

/** The permission to issue by a resource that restricts certificates: a template, a profile. */
export interface IssuingRight {
  readonly permission: Permission;
  /** Its fields that rules use. */
  readonly fields: Fields;
}

/**
 * Checks the permission to create exactly this certificate. The permission to issue by a template or profile is also
 * sufficient, unless a rule forbids the caller to create such a certificate.
 *
 * @returns The subject attributes that the caller's own rules allow: see `attributesFound`.
 * @throws DomainError 404, 403.
 */
export async function authorizeIssue(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
  facts: CertificateFacts,
): Promise<Subject> {
  const { create } = certificatePermissions;
  const ability = await abilityIn(ctx, projectId);
  if (by && ability.can(by.permission, by.fields) && !isForbidden(ability, create, facts))
    await authorizeById(ctx, by.permission, { ...by.fields, projectId });
  else await authorizeCertificate(ctx, create, projectId, facts);
  return allowedSubject(ability, facts);
}

/** Whether rights allow to issue exactly this certificate: as `authorizeIssue`. */
export const mayIssue = (ability: Ability, by: IssuingRight | undefined, facts: CertificateFacts): boolean => {
  const { create } = certificatePermissions;
  const isBy = by !== undefined && ability.can(by.permission, by.fields) && !isForbidden(ability, create, facts);
  return isBy || allowsCertificate(ability, create, facts);
};

/** Faults of an order are reported only to callers who may issue there. @throws DomainError 404, 403. */
export async function requireAnyIssuingRight(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  if (!by || !ability.can(by.permission, by.fields))
    await authorizeAnywhere(ctx, certificatePermissions.create, { projectId });
}
