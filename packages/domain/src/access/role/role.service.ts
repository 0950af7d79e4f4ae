import { LockMode } from '@mikro-orm/core';
import {
  findInPortions,
  givenFields,
  at,
  badRequest,
  explainConstraint,
  fewIn,
  inTransaction,
  invalidate,
  isId,
  mapInTurns,
  newId,
  notFound,
  readInRoom,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { authorize, organizationOf } from '../access.ts';
import { requireMayGiveMachineRights } from '../approval-policy/index.ts';
import { requireMayTake } from '../authority.ts';
import { comparisonBudgetOf, missingInTurns, requireNoEscalation } from '../boundary.ts';
import { builtInRole, builtInRoles, type BuiltInRole } from '../built-in-roles.ts';
import { authorizeSlugChange } from '../change.ts';
import { requireMayLiftFromMachines } from '../denials.ts';
import { keepingFewRulesOf } from '../few-rules.ts';
import { keepingAdminsOf } from '../membership/index.ts';
import { FOREVER, type Until } from '../period.ts';
import { publishingCost, publishRules } from '../rule.ts';
import { RoleEntity } from './role.entity.ts';
import {
  organizationRolePermissions,
  projectRolePermissions,
  roleEvents,
  type CreateRole,
  type Role,
  type RolePlace,
  type UpdateRole,
} from './role.ts';

explainConstraint('roles_slug_unique', 'A role with this slug already exists');
explainConstraint(
  'membership_roles_custom_role_in_use',
  'The role is assigned to members; assign them another role first',
);

/** Common parameters of role operations: the place, its permissions and its events. */
function scopeOf(ctx: Context, { projectId }: RolePlace) {
  const organizationId = organizationOf(ctx);
  return {
    scope: projectId === undefined ? ('organization' as const) : ('project' as const),
    permissions: projectId === undefined ? organizationRolePermissions : projectRolePermissions,
    events: projectId === undefined ? roleEvents.organization : roleEvents.project,
    of: { organizationId, projectId: projectId ?? null },
    cached: `access:${projectId ?? organizationId}`,
  };
}

/** All roles of a project, without their rules: built-in ones first, then custom ones by name. */
export async function listProjectRoles(ctx: Context, place: Required<RolePlace>): Promise<RoleSummary[]> {
  const { permissions, of } = scopeOf(ctx, place);
  await authorize(ctx, permissions.read, place);
  const since = await madeAt(ctx, of);
  const own = await ctx.em.find(RoleEntity, of, { orderBy: BY_NAME, exclude: ['permissions'] });
  return [...builtInRoles('project').map((role) => fromBuiltIn(role, of, since)), ...own.map(summaryOf)];
}

/**
 * The roles of the organization with their rules, built-in roles first.
 *
 * @throws DomainError 400 `answer.too_large`
 */
export async function listOrganizationRoles(ctx: Context): Promise<Role[]> {
  const { permissions, of } = scopeOf(ctx, {});
  await authorize(ctx, permissions.read, {});
  const since = await madeAt(ctx, of);
  const own = await readInRoom(ctx, async (room) => {
    const [size] = await ctx.sql<{ bytes: number }>(BYTES_OF_RULES, [of.organizationId]);
    room.take(size!.bytes);
    return findInPortions(ctx, RoleEntity, of, BY_NAME);
  });
  const custom = await mapInTurns(own, (row) => publishingCost(row.permissions), fromRow);
  return [...builtInRoles('organization').map((role) => fromBuiltIn(role, of, since)), ...custom];
}

const BY_NAME = { name: 'asc', id: 'asc' } as const;
const BYTES_OF_RULES = statement(
  'roles.bytes_of_rules',
  `select coalesce(sum(octet_length(permissions::text)), 0)::float8 as bytes from roles
   where organization_id = $1 and project_id is null`,
);

export const getRole = (ctx: Context, { roleId, ...place }: RolePlace & { roleId: string }): Promise<Role> =>
  readRole(ctx, place, { id: roleId });

export const getRoleBySlug = (ctx: Context, { roleSlug, ...place }: RolePlace & { roleSlug: string }): Promise<Role> =>
  readRole(ctx, place, { slug: roleSlug.toLowerCase() });

async function readRole(ctx: Context, place: RolePlace, by: { id: string } | { slug: string }): Promise<Role> {
  const { scope, permissions, of } = scopeOf(ctx, place);
  await authorize(ctx, permissions.read, place);
  const builtIn = builtInRole(scope, 'id' in by ? by.id : by.slug);
  if (builtIn) return fromBuiltIn(builtIn, of, await madeAt(ctx, of));
  const canExist = 'id' in by ? isId(by.id) : /^[a-z0-9-]{1,64}$/.test(by.slug);
  const row = canExist ? await ctx.em.findOne(RoleEntity, { ...by, ...of }) : null;
  if (!row) throw notFound('role');
  return fromRow(row);
}

/**
 * Creates a role of a project or of the organization.
 *
 * @throws DomainError 403 `PermissionBoundaryError` if it allows more than the caller may do there; 400
 * `roles_slug_unique` if the slug exists.
 */
export async function createRole(ctx: Context, { projectId, ...input }: CreateRole & RolePlace): Promise<Role> {
  const { permissions, of } = scopeOf(ctx, { projectId });
  await authorize(ctx, permissions.create, { projectId });
  // Not assigned yet: the duration is checked when it is assigned.
  await requireNoEscalation(ctx, { ...of, until: 'now', rules: input.permissions });
  return inTransaction(ctx, async (tx) => {
    const row = createRoleRow(tx, of, input);
    await tx.em.flush();
    await (projectId ? requireFewProjectRoles(tx, projectId) : requireFewRoles(tx, of.organizationId));
    return fromRow(row);
  });
}

const requireFewProjectRoles = fewIn('project', { table: 'roles', most: 1_000, code: 'role.too_many', of: 'roles' });
const requireFewRoles = fewIn(
  'organization',
  { table: 'roles', most: 1_000, code: 'role.too_many', of: 'roles' },
  'project_id is null',
);

/** Creates a role of a new place, or one for which the caller's rights were checked before. */
export function createRoleRow(
  tx: Transaction,
  of: { organizationId: string; projectId: string | null },
  { slug, name, description = null, permissions }: CreateRole,
): RoleEntity {
  const row = tx.em.create(RoleEntity, { id: newId(), ...of, slug, name, description, permissions });
  tx.em.persist(row);
  const { created } = of.projectId ? roleEvents.project : roleEvents.organization;
  record(tx, created, { roleId: row.id, slug, name, permissions: publishRules(permissions) }, of);
  return row;
}

/** Updates a role of a project; see `updateRole`. */
export const updateProjectRole = (
  ctx: Context,
  change: UpdateRole & { projectId: string; roleId: string },
): Promise<Role> => updateRole(ctx, change, () => Promise.resolve());

/**
 * Updates the given fields of a role; its holders get the new rules with the next request.
 *
 * @param renamed Called in the transaction of the change if the slug changes.
 * @throws DomainError 403 `PermissionBoundaryError` if the new role allows more than the caller may do for as long as
 * the role is assigned, if the old one did, or if it newly forbids or no longer forbids what the caller may not do;
 * 403 `PermissionDenied` for another slug where a rule forbids the caller to create or delete roles; 400 for an existing
 * slug, for built-in roles, for too many rules of a holder, and if it would forbid something to the last administrator without forbidding rules.
 */
export async function updateRole(
  ctx: Context,
  { projectId, roleId, ...changes }: UpdateRole & RolePlace & { roleId: string },
  renamed: (tx: Transaction, slugs: { from: string; to: string }) => Promise<void>,
): Promise<Role> {
  const { permissions, events, of, cached } = scopeOf(ctx, { projectId });
  await authorize(ctx, permissions.edit, { projectId });
  const change = async (tx: Transaction) => {
    const row = await loadOwn(tx, { projectId }, roleId);
    const { permissions: rules = row.permissions } = changes;
    const until = await assignedUntil(tx, row);
    const areStored = changes.permissions === undefined;
    await requireNoEscalation(tx, { ...of, until, rules, areStored, replaced: row.permissions });
    if (projectId !== undefined && changes.permissions) {
      const holderIds = (await tx.sql<{ id: string }>(HOLDERS, [of.organizationId, row.id])).map(({ id }) => id);
      if ((await missingInTurns(rules, row.permissions, comparisonBudgetOf(tx))).length > 0)
        await requireMayGiveMachineRights(tx, { projectIds: [projectId], holderIds, until });
      await requireMayLiftFromMachines(tx, { projectId, holderIds, before: row.permissions, after: rules, until });
    }
    if (changes.permissions) await requireMayTake(tx, of, { before: row.permissions, after: changes.permissions });
    const { slug: oldSlug } = row;
    await authorizeSlugChange(tx, permissions, { projectId, before: oldSlug, after: changes.slug });
    const next = { ...changes, version: row.version + 1, updatedAt: tx.now() };
    await keepingFewRulesOf(tx, row, changes.permissions, async () => {
      tx.em.assign(row, next, { ignoreUndefined: true });
      await tx.em.flush();
    });
    if (row.slug !== oldSlug) await renamed(tx, { from: oldSlug, to: row.slug });
    invalidate(tx, cached);
    const given = changes.permissions && { permissions: publishRules(changes.permissions) };
    const data = { roleId: row.id, slug: row.slug, name: row.name, changed: givenFields(changes), ...given };
    record(tx, events.updated, data, of);
    return fromRow(row);
  };
  const forbids = changes.permissions?.some(({ inverted }) => inverted);
  return inTransaction(ctx, (tx) => (forbids ? keepingAdminsOf(tx, of, () => change(tx)) : change(tx)));
}

/**
 * Deletes a role without holders.
 *
 * @throws DomainError 400 if members have it, if new members would get it, and for built-in roles.
 */
export async function deleteRole(ctx: Context, { projectId, roleId }: RolePlace & { roleId: string }): Promise<Role> {
  const { permissions, events, of, cached } = scopeOf(ctx, { projectId });
  await authorize(ctx, permissions.delete, { projectId });
  return inTransaction(ctx, async (tx) => {
    const row = await loadOwn(tx, { projectId }, roleId);
    const isDefault = projectId === undefined && (await tx.sql(FIND_DEFAULT, [of.organizationId, row.slug])).length > 0;
    if (isDefault)
      throw badRequest('role.is_default', 'This is the default role of new members; choose another default first');
    tx.em.remove(row);
    await tx.em.flush();
    invalidate(tx, cached);
    record(tx, events.deleted, { roleId: row.id, slug: row.slug, name: row.name }, of);
    return fromRow(row);
  });
}

/** The actors and groups that have a role. */
const HOLDERS = statement(
  'roles.holders',
  `select distinct coalesce(m.actor_id, m.group_id) as id from membership_roles r join memberships m on m.id = r.membership_id
   where r.organization_id = $1 and r.custom_role_id = $2`,
);
const FIND_DEFAULT = statement(
  'roles.find_default',
  'select id from organizations where id = $1 and default_membership_role = $2 for update',
);
const ASSIGNMENTS = statement(
  'roles.assignments',
  `select not is_temporary or temporary_access_end_time is null as "isPermanent", temporary_access_end_time as ends
   from membership_roles where organization_id = $1 and custom_role_id = $2
   order by 1 desc, 2 desc limit 1`,
);

/** When the last assignment of a role ends: a change of its rules counts until then. */
async function assignedUntil(tx: Transaction, { id, organizationId, projectId, slug }: RoleEntity): Promise<Until> {
  if (!projectId && (await tx.sql(FIND_DEFAULT, [organizationId, slug])).length > 0) return FOREVER;
  const [last] = await tx.sql<{ isPermanent: boolean; ends: string | null }>(ASSIGNMENTS, [organizationId, id]);
  if (!last) return 'now';
  return last.isPermanent || last.ends === null ? FOREVER : at(last.ends).getTime();
}

const MADE_AT = statement(
  'roles.made_at',
  `select coalesce((select created_at from projects where id = $2),
     (select created_at from organizations where id = $1)) as "createdAt"`,
);

interface Owner {
  readonly organizationId: string;
  readonly projectId: string | null;
}

/** Built-in roles are as old as the place. */
async function madeAt(ctx: Context, { organizationId, projectId }: Owner): Promise<Date> {
  const [row] = await ctx.sql<{ createdAt: string }>(MADE_AT, [organizationId, projectId]);
  return at(row!.createdAt);
}

/** A custom role of the place, locked until the transaction ends. */
async function loadOwn(tx: Transaction, place: RolePlace, roleId: string): Promise<RoleEntity> {
  const { scope, of } = scopeOf(tx, place);
  if (builtInRole(scope, roleId)) throw badRequest('role.built_in', 'A built-in role cannot be changed');
  const row = isId(roleId)
    ? await tx.em.findOne(RoleEntity, { id: roleId, ...of }, { lockMode: LockMode.PESSIMISTIC_WRITE })
    : null;
  if (!row) throw notFound('role');
  return row;
}

const fromRow = (row: RoleEntity): Role => ({ ...summaryOf(row), permissions: publishRules(row.permissions) });

/** A role without its rules, which may be many. */
type RoleSummary = Omit<Role, 'permissions'>;
const summaryOf = (row: Pick<RoleEntity, keyof Omit<RoleSummary, 'orgId'> | 'organizationId'>): RoleSummary => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  description: row.description ?? null,
  version: row.version,
  orgId: row.organizationId,
  projectId: row.projectId ?? null,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const fromBuiltIn = (
  { slug, name, description, rules }: BuiltInRole,
  { organizationId, projectId }: Owner,
  since: Date,
): Role => ({
  id: slug,
  slug,
  name,
  description,
  permissions: publishRules(rules),
  version: 1,
  orgId: organizationId,
  projectId,
  createdAt: since,
  updatedAt: since,
});
