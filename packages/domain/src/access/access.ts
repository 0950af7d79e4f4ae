import {
  DomainError,
  notFound,
  unauthenticated,
  type Ability,
  type CheckOfRows,
  type Context,
  type Fields,
  type MaybePromise,
  type PassedCheck,
  type Permission,
} from '../kernel/index.ts';
import { allowsAll, allowsNothing, forbids } from './ability.ts';
import { denied } from './refusal.ts';
import { isUntrustedAddress } from './trusted-address.ts';

/** The organization that the call speaks for. */
export function organizationOf(ctx: Context): string {
  const { actor } = ctx;
  if (actor.type !== 'anonymous' && actor.organizationId) return actor.organizationId;
  throw unauthenticated('auth.no_organization', 'Select an organization first: POST /api/v3/auth/select-organization');
}

/** The resource of a check: the project (for project permissions) and the fields that rules use. */
export interface Target extends Fields {
  readonly projectId?: string | undefined;
}

/** The compiled rules of the actor in a project of its organization; 404 if it is not a member. */
export const abilityIn = (ctx: Context, projectId: string | undefined): MaybePromise<Ability> => {
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

/**
 * A filter for lists across projects: keeps the elements on which the caller has the permission, by each element's own
 * fields, in projects within its reach.
 */
export async function readableAcross(
  ctx: Context,
  permission: Permission,
  projectIds: Iterable<string>,
): Promise<(fields: Fields & { readonly projectId: string }) => boolean> {
  const abilities = new Map<string, Ability | undefined>();
  for (const projectId of new Set(projectIds)) abilities.set(projectId, await abilityWithinReach(ctx, projectId));
  return (fields) => abilities.get(fields.projectId)?.can(permission, fields) === true;
}

/**
 * The projects, of the given ones, in which the caller has a permission without conditions and which trust its address;
 * for lists across projects. Where rules of the permission can have conditions: `readableAcross`.
 */
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
const decidingAbility = (ctx: Context, permission: Permission, target: Target): MaybePromise<Ability> =>
  abilityIn(ctx, permission.scope === 'project' ? requireProject(permission, target) : undefined);

/**
 * Checks that the caller has the permission on exactly this resource, and notes it.
 *
 * @throws DomainError 404 if the caller is not a member of the project (the same as for an unknown project), 403 with
 * the caller's own rules for that subject and action otherwise.
 */
export async function authorize(ctx: Context, permission: Permission, target: Target = {}): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (!ability.can(permission, target)) throw denied(ability, permission, target);
  grant(ctx, permission);
  passByRules(ctx, (again) => authorize(again, permission, target));
}

/** The same for a resource that was named by its ID: the error does not disclose its location. */
export async function authorizeById(ctx: Context, permission: Permission, target: Target): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (!ability.can(permission, target)) throw denied(ability, permission, undefined, target);
  grant(ctx, permission);
  passByRules(ctx, (again) => authorizeById(again, permission, target));
}

/**
 * Checks that no rule forbids the caller a specific permission on the resource, such as to give roles, where a general one was
 * asked. Roles that allow the general one alone, as published, are enough.
 *
 * @throws DomainError 403, 404 as `authorize`.
 */
export async function requireNotForbidden(ctx: Context, permission: Permission, target: Target = {}): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (forbids(ability, permission, target)) throw denied(ability, permission, target);
  passByRules(ctx, (again) => requireNotForbidden(again, permission, target));
}

/**
 * A row that was just locked, for a caller who has the permission on what it is called now: it may have got another name after
 * that was asked first.
 *
 * @throws DomainError 403; as `locked`.
 */
export async function permittedNow<Row extends { readonly projectId: string }>(
  ctx: Context,
  permission: Permission,
  locked: Promise<Row>,
  named: (row: Row) => Fields,
): Promise<Row> {
  const row = await locked;
  await authorizeById(ctx, permission, { ...named(row), projectId: row.projectId });
  return row;
}

/**
 * A filter for lists: keeps the elements on which the caller has the permission, by each element's own fields. Applying
 * it counts as the check.
 */
export async function readable(
  ctx: Context,
  permission: Permission,
  target: Target = {},
): Promise<(fields: Fields) => boolean> {
  const ability = await decidingAbility(ctx, permission, target);
  grant(ctx, permission);
  if (!allowsNothing(ability, permission)) passByRules(ctx, (again) => authorizeAnywhere(again, permission, target));
  return (fields) => ability.can(permission, fields);
}

/**
 * For resources that are named by their ID: those in a project of which the caller is not a member get the same 404 as
 * unknown ones.
 */
export async function unlessHidden<T>(thing: string, asked: MaybePromise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw error instanceof DomainError && error.kind === 'not_found' ? notFound(thing) : error;
  }
}

/**
 * Checks that some rule allows this on anything there: before a lock for which others would wait, and before faults are told.
 * Each thing is checked after that.
 *
 * @param target With what the caller has named, so that the error is that of `authorize` for it.
 * @throws DomainError 404 if the caller is not a member of the project, 403 if no rule allows this on anything.
 */
export const authorizeAnywhere = (ctx: Context, permission: Permission, target: Target = {}): Promise<void> =>
  requireAny(ctx, permission, target, (ability) => denied(ability, permission, target));

/** The same before things that were named by their IDs: the error is that of `authorizeById`. */
export const authorizeAnywhereById = (ctx: Context, permission: Permission, target: Target): Promise<void> =>
  requireAny(ctx, permission, target, (ability) => denied(ability, permission, undefined, target));

async function requireAny(
  ctx: Context,
  permission: Permission,
  target: Target,
  errorOf: (ability: Ability) => DomainError,
): Promise<void> {
  const ability = await decidingAbility(ctx, permission, target);
  if (allowsNothing(ability, permission)) throw errorOf(ability);
  grant(ctx, permission);
  passByRules(ctx, (again) => requireAny(again, permission, target, errorOf));
}

/** As `readable`, but rejects callers without any matching rule, as `authorizeAnywhere`. */
export async function readableAtAll(
  ctx: Context,
  permission: Permission,
  target: Target = {},
): Promise<(fields: Fields) => boolean> {
  await authorizeAnywhere(ctx, permission, target);
  const ability = await decidingAbility(ctx, permission, target);
  return (fields) => ability.can(permission, fields);
}

/**
 * As `readableAtAll`, for lists in pages: absent if the caller has the permission on everything there, so that nothing but
 * the page has to be read.
 *
 * @throws DomainError 403 if no rule allows this on anything.
 */
export async function readablePart(
  ctx: Context,
  permission: Permission,
  target: Target = {},
): Promise<((fields: Fields) => boolean) | undefined> {
  const isReadable = await readableAtAll(ctx, permission, target);
  return allowsAll(await decidingAbility(ctx, permission, target), permission) ? undefined : isReadable;
}

/**
 * The first checks of a call by rules are kept: calls that wait for long ask few, and those that last ask any number. Those by
 * rows are all kept, since equal rules do not answer them.
 */
const MAX_PASSED = 100;

/** Whether all checks that a call has passed are kept, so that repeating them is enough. */
export const hasKeptAllPassed = ({ passed }: Pick<Context, 'passed'>): boolean => passed.length < MAX_PASSED;

/** Notes a check that asks for rules of the caller: while these are the same, it is passed. */
export function passByRules({ passed }: Context, again: PassedCheck): void {
  if (passed.length < MAX_PASSED) passed.push(again);
}

/**
 * Notes a check that equal rules do not answer: by rows, such as a login mapping, an approver of a policy or the state of a key, or by the rights of
 * somebody else (`actingAs`). It is repeated after each wait; where it is noted in a transaction, before the commit of that.
 */
export const passByRows = ({ passedByRows }: Context, again: CheckOfRows): void => void passedByRows.push(again);

/** Notes, after the check, a permission that the caller has or that follows from its identity (its own data). */
export const grant = (ctx: Context, permission: Permission): void => void ctx.granted.add(permission.key);

function requireProject(permission: Permission, { projectId }: Target): string {
  if (projectId === undefined) throw new Error(`${permission.key} is asked without a project`);
  return projectId;
}
