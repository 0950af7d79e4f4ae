import {
  DomainError,
  notFound,
  unauthenticated,
  type Ability,
  type Context,
  type Fields,
  type Permission,
} from '../kernel/index.ts';
import { denied } from './refusal.ts';
import { isUntrustedAddress } from './trusted-address.ts';

/** The organization that the call speaks for. */
export function organizationOf(ctx: Context): string {
  const { actor } = ctx;
  if (actor.type !== 'anonymous' && actor.organizationId) return actor.organizationId;
  throw unauthenticated('auth.no_organization', 'Select an organization first: POST /api/v3/auth/select-organization');
}

/** Where and on what a permission is asked: the project (for project permissions) and the fields that rules look at. */
export interface Target extends Fields {
  readonly projectId?: string | undefined;
}

/** The actor's compiled rules in a project of the caller's organization. 404 where it is no member there. */
export const abilityIn = (ctx: Context, projectId: string | undefined): Promise<Ability> => {
  const organizationId = organizationOf(ctx);
  return ctx.ability(ctx, projectId === undefined ? { organizationId } : { organizationId, projectId });
};

/**
 * The same for lists that go across projects: `undefined` where the caller is no member, and where the project does not
 * trust the address of the call. Such a list leaves the project out.
 */
export async function abilityWithinReach(ctx: Context, projectId: string | undefined): Promise<Ability | undefined> {
  try {
    return await abilityIn(ctx, projectId);
  } catch (error) {
    if (isUntrustedAddress(error) || (error instanceof DomainError && error.kind === 'not_found')) return undefined;
    throw error;
  }
}

/** Of some projects, those in which the caller has a permission and which trust its address, for such lists. */
export async function projectsWith(
  ctx: Context,
  permission: Permission,
  projectIds: Iterable<string>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const projectId of projectIds)
    if ((await abilityWithinReach(ctx, projectId))?.can(permission)) found.add(projectId);
  return found;
}

/** The rules that decide a permission at its place. */
const decidingAbility = (ctx: Context, permission: Permission, target: Target): Promise<Ability> =>
  abilityIn(ctx, permission.scope === 'project' ? requireProject(permission, target) : undefined);

/**
 * Asks whether the caller may do this to exactly this thing, and notes that it may.
 *
 * @throws DomainError 404 where the caller is no member of the project (the same as for no such project), 403 with the
 * caller's own rules for that subject and action where they do not allow it.
 */
export async function authorize(ctx: Context, permission: Permission, target: Target = {}): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (!ability.can(permission, target)) throw denied(ability, permission, target);
  grant(ctx, permission);
}

/** The same for a thing that was named by an id of its own: the refusal does not tell where it lies. */
export async function authorizeById(ctx: Context, permission: Permission, target: Target): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (!ability.can(permission, target)) throw denied(ability, permission, undefined, target);
  grant(ctx, permission);
}

/** A filter that keeps what the caller may do this to; lists give it each element's own fields. To use it is to ask. */
export async function readable(
  ctx: Context,
  permission: Permission,
  target: Target = {},
): Promise<(fields: Fields) => boolean> {
  const ability = await decidingAbility(ctx, permission, target);
  grant(ctx, permission);
  return (fields) => ability.can(permission, fields);
}

/**
 * For things that are named by an id of their own: one in a project that the caller is no member of is not there, like
 * one that never was.
 */
export async function unlessHidden<T>(thing: string, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof DomainError && error.kind === 'not_found' ? notFound(thing) : error;
  }
}

/**
 * As `readable`, for lists that nobody may ask for without any right to an element of them.
 *
 * @throws DomainError 403 where the caller has no rule that allows this to anything.
 */
export async function readableAtAll(
  ctx: Context,
  permission: Permission,
  target: Target = {},
): Promise<(fields: Fields) => boolean> {
  const ability = await decidingAbility(ctx, permission, target);
  if (ability.rulesFor(permission).every(({ inverted }) => inverted)) throw denied(ability, permission, target);
  grant(ctx, permission);
  return (fields) => ability.can(permission, fields);
}

/** Notes a permission that the caller was found to have, or that follows from what it is (its own data): after the check. */
export const grant = (ctx: Context, permission: Permission): void => void ctx.granted.add(permission.key);

function requireProject(permission: Permission, { projectId }: Target): string {
  if (projectId === undefined) throw new Error(`${permission.key} is asked without a project`);
  return projectId;
}
