import { DomainError, forbidden, type Context, type Rule } from '../kernel/index.ts';
import { requireNoEscalation, type MissingPermission } from './boundary.ts';
import { holdingsOf, requireRulesWithin, type Holders } from './holdings.ts';
import { FOREVER, type Until } from './period.ts';
import { roleRules, type AssignedRole } from './role/rules.ts';

/**
 * No one takes away rights that they do not hold: to change, deactivate or remove another actor, the caller must hold
 * everything that this actor holds where the change applies. This includes rights by groups, and future ones. For a
 * group, the rights of the group count. Everyone has authority over themselves, and may leave.
 *
 * Holders of the right to enter every project of the organization have it in all of them.
 */
interface Target extends Holders {
  /** The places where they lose something; absent: everywhere. */
  readonly places?: readonly (string | null)[];
}

/**
 * Checks that the caller has authority over some actors and groups before they lose anything.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights.
 */
export async function requireAuthorityOverHolders(ctx: Context, { holderIds, ...where }: Target): Promise<void> {
  const { actor } = ctx;
  if (actor.type === 'platform') return;
  const others = holderIds.filter((id) => !('id' in actor && actor.id === id));
  if (others.length === 0) return;
  await requireRulesWithin(ctx, { ...where, holderIds: others }, 'now', (rules) => rules).catch(explain);
}

/** A place where roles are given. */
interface Place {
  readonly organizationId: string;
  readonly projectId?: string | null | undefined;
}

/**
 * A role with forbidding rules removes rights that its holders have otherwise: checks that the caller has authority
 * over the holders.
 *
 * @throws DomainError 403 `PermissionBoundaryError`; 404 for a role that the place does not have.
 */
export async function requireAuthorityIfForbidden(
  ctx: Context,
  { organizationId, projectId }: Place,
  roles: readonly AssignedRole[],
  holderIds: readonly string[],
): Promise<void> {
  if (ctx.actor.type === 'platform') return;
  const given = (await roleRules(ctx, { organizationId, projectId: projectId ?? undefined }, roles)).flat();
  if (given.some(({ inverted }) => inverted))
    await requireAuthorityOverHolders(ctx, { organizationId, holderIds, places: [projectId ?? null] });
}

/** A current or future member of a group. */
interface OfGroup {
  readonly organizationId: string;
  readonly groupId: string;
  readonly actorId: string;
}

/** The same before an actor joins a group: at the places where the group forbids something. */
export const requireAuthorityToJoin = (ctx: Context, of: OfGroup): Promise<void> =>
  requireAuthorityWhereGroup(ctx, of, ({ inverted = false }) => inverted);

/** The same before an actor leaves a group or is removed from it: at the places where the group allows something. */
export const requireAuthorityToLeave = (ctx: Context, of: OfGroup): Promise<void> =>
  requireAuthorityWhereGroup(ctx, of, ({ inverted = false }) => !inverted);

async function requireAuthorityWhereGroup(
  ctx: Context,
  { organizationId, groupId, actorId }: OfGroup,
  matters: (rule: Rule) => boolean,
): Promise<void> {
  const ofGroup = await holdingsOf(ctx, { organizationId, holderIds: [groupId] });
  const places = [...ofGroup].flatMap(([place, held]) =>
    held.some(({ rules }) => rules.some(matters)) ? [place] : [],
  );
  if (places.length > 0) await requireAuthorityOverHolders(ctx, { organizationId, holderIds: [actorId], places });
}

/**
 * A role has many holders: to change its rules, the caller must hold what they lose, which is all that was allowed
 * before, and all that is newly forbidden.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the rights that the caller lacks.
 */
export const requireMayTake = (
  ctx: Context,
  place: Place,
  { before, after }: { before: readonly Rule[]; after: readonly Rule[] },
): Promise<void> =>
  requireNoEscalation(ctx, { ...place, until: 'now', rules: before, areStored: true, replaced: after }).catch(explain);

/**
 * The same holds for a group: to assign a forbidding role to it, the caller must hold what it forbids.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the rights that the caller lacks.
 */
export async function requireMayForbid(
  ctx: Context,
  { organizationId, projectId = null }: Place,
  roles: readonly AssignedRole[],
  groupIds: readonly string[],
): Promise<void> {
  const after = (await roleRules(ctx, { organizationId, projectId: projectId ?? undefined }, roles)).flat();
  if (!after.some(({ inverted }) => inverted)) return;
  const held =
    (await holdingsOf(ctx, { organizationId, holderIds: groupIds, places: [projectId] })).get(projectId) ?? [];
  const denials = held.flatMap(({ rules, end }) => (end === FOREVER ? rules.filter(({ inverted }) => inverted) : []));
  await requireMayTake(ctx, { organizationId, projectId }, { before: denials, after });
}

/**
 * A change that shuts everybody out of a place, or ends what is theirs there: the caller must hold what an administrator of
 * the place holds, which is all that anybody can hold there. For a setting, which remains, these rights must not end.
 *
 * @throws DomainError 403 `PermissionBoundaryError` with the missing rights; with `heldUntil` for rights that end.
 */
export const requireAuthorityOverEverybody = (ctx: Context, place: Place, until: Until = FOREVER): Promise<void> =>
  requireNoEscalation(ctx, { ...place, until, roles: ['admin'] }).catch(explain);

/** The same error as for grants, with wording for removals. */
function explain(error: unknown): never {
  if (!(error instanceof DomainError) || error.code !== 'permission.boundary') throw error;
  const { missingPermissions: missing = [], heldUntil } = (error.details ?? {}) as {
    missingPermissions?: MissingPermission[];
    heldUntil?: Date;
  };
  const [first] = missing;
  const named = first
    ? `: ${first.action} ${first.subject}${missing.length > 1 ? ` and ${missing.length - 1} more` : ''}`
    : ', in a project of which you are not a member; a member of that project with these permissions can do it';
  const held = heldUntil ? `that you hold only until ${heldUntil.toISOString()}` : 'that you do not hold';
  throw forbidden('permission.boundary', `This change takes rights from others ${held}${named}`, {
    name: 'PermissionBoundaryError',
    details: { missingPermissions: missing, ...(heldUntil && { heldUntil }) },
  });
}
