import { abilityIn, authorize, authorizeById, compile, readable, readableAtAll } from '../../access/index.ts';
import type { Ability, Context, Fields, Permission } from '../../kernel/index.ts';
import type { AltName } from '../x509/index.ts';
import { certificatePermissions } from './certificate.ts';

/** What rules look at in a certificate. */
export interface CertificateFacts {
  readonly commonName: string;
  readonly names: readonly AltName[];
  readonly friendlyName: string;
  readonly status: string;
  /** None before it is made. */
  readonly serialNumber?: string | undefined;
}

/**
 * The things that a rule is asked of: the certificate once for each of its alternative names. A right to some of its
 * names is none to the certificate, and what is forbidden for one of them is forbidden for all of it.
 */
function askedOf({ names, ...facts }: CertificateFacts): Fields[] {
  if (names.length === 0) return [{ ...facts, altNames: [] }];
  return names.map(({ value }) => ({ ...facts, altNames: [value] }));
}

/** Asks whether the caller may do this to a certificate. @throws DomainError 403, 404 as `authorize`. */
export async function authorizeCertificate(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of askedOf(facts)) await authorize(ctx, permission, { ...fields, projectId });
}

/** The same for one that was named by an id of its own; see `authorizeById`. */
export async function authorizeCertificateById(
  ctx: Context,
  permission: Permission,
  projectId: string,
  facts: CertificateFacts,
): Promise<void> {
  for (const fields of askedOf(facts)) await authorizeById(ctx, permission, { ...fields, projectId });
}

/**
 * What lists show to the caller of the certificates of a project; absent where that is all of them.
 *
 * @throws DomainError 404 where the caller is no member of the project, 403 where it may read none.
 */
export async function shownCertificates(
  ctx: Context,
  projectId: string,
): Promise<((facts: CertificateFacts) => boolean) | undefined> {
  const { read } = certificatePermissions;
  await readableAtAll(ctx, read, { projectId });
  return allowsAll(await abilityIn(ctx, projectId), read) ? undefined : readableCertificates(ctx, read, projectId);
}

/** A filter that keeps the certificates of a project that the caller may do this to. */
export async function readableCertificates(
  ctx: Context,
  permission: Permission,
  projectId: string,
): Promise<(facts: CertificateFacts) => boolean> {
  const may = await readable(ctx, permission, { projectId });
  return (facts) => askedOf(facts).every(may);
}

/** The right to issue by something that bounds what is issued: a template, a profile. */
export interface IssuingRight {
  readonly permission: Permission;
  /** What rules look at in it. */
  readonly fields: Fields;
}

/**
 * Asks for the right to create exactly this certificate. Where something bounds what is issued, the right to issue by
 * that will do as well, unless a rule forbids the caller to create such a certificate.
 *
 * @throws DomainError 404, 403.
 */
export async function authorizeIssue(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
  facts: CertificateFacts,
): Promise<void> {
  const { create } = certificatePermissions;
  if (by) {
    const ability = await abilityIn(ctx, projectId);
    if (ability.can(by.permission, by.fields) && !isForbidden(ability, create, facts))
      return authorizeById(ctx, by.permission, { ...by.fields, projectId });
  }
  return authorizeCertificate(ctx, create, projectId, facts);
}

/** What an order lacks is told to nobody who may not issue anything there. @throws DomainError 404, 403. */
export async function requireAnyIssuingRight(
  ctx: Context,
  projectId: string,
  by: IssuingRight | undefined,
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  if (!by || !ability.can(by.permission, by.fields))
    await readableAtAll(ctx, certificatePermissions.create, { projectId });
}

/** Whether a rule forbids this, whatever others allow. */
export function isForbidden(ability: Ability, permission: Permission, facts: CertificateFacts): boolean {
  const denials = ability.rulesFor(permission).filter(({ inverted }) => inverted);
  if (denials.length === 0) return false;
  const { subject, action } = permission;
  const unless = compile([{ subject, action }, ...denials]);
  return !askedOf(facts).every((fields) => unless.can(permission, fields));
}

/** Whether this may be done to all of a project, since no rule looks at what a thing is. */
export const allowsAll = (ability: Ability, permission: Permission): boolean =>
  ability.can(permission) && ability.rulesFor(permission).every(({ conditions }) => conditions === undefined);
