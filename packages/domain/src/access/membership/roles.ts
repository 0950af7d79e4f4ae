import { atOrNull, listOf, statement, type Context } from '../../kernel/index.ts';
import { endOfRole, slugOf, type AssignedRole } from '../role/rules.ts';
import { publishWindow } from '../temporary.ts';
import type { MembershipRole } from './membership.ts';

/** A role of a membership as `rolesList` has it. */
export interface RoleRow {
  id: string;
  role: string;
  roleId: string | null;
  roleName: string | null;
  roleSlug: string | null;
  isTemporary: boolean;
  mode: 'relative' | null;
  range: string | null;
  starts: string | null;
  ends: string | null;
}

const COLUMNS = `r.id, r.role, c.id as "roleId", c.name as "roleName", c.slug as "roleSlug", r.is_temporary as "isTemporary",
  r.temporary_mode as mode, r.temporary_range as range, r.temporary_access_start_time as starts,
  r.temporary_access_end_time as ends`;

/** The SQL of the roles of a membership, whose ID is this SQL, as one value; see `toRoles`. */
export const rolesList = (membershipId: string): string =>
  listOf(`select ${COLUMNS} from membership_roles r left join roles c on c.id = r.custom_role_id
    where r.membership_id = ${membershipId} order by r.created_at, r.id`);

/** The published form of the roles of a membership. */
export const toRoles = (rows: readonly RoleRow[]): MembershipRole[] =>
  rows.map((row) => ({
    id: row.id,
    role: row.role,
    customRoleId: row.roleId,
    customRoleName: row.roleName,
    customRoleSlug: row.roleSlug,
    ...publishWindow({
      isTemporary: row.isTemporary,
      temporaryMode: row.mode,
      temporaryRange: row.range,
      temporaryAccessStartTime: atOrNull(row.starts),
      temporaryAccessEndTime: atOrNull(row.ends),
    }),
  }));

const ROLES = statement(
  'memberships.roles',
  `select m.id, ${rolesList('m.id')} as roles from unnest($1::uuid[]) as m (id)`,
);

/** The roles of some memberships, in the order of their assignment. */
export async function rolesOf(ctx: Context, membershipIds: readonly string[]): Promise<Map<string, MembershipRole[]>> {
  const rows = await ctx.sql<{ id: string; roles: RoleRow[] }>(ROLES, [membershipIds]);
  return new Map(rows.map(({ id, roles }) => [id, toRoles(roles)]));
}

/**
 * Some roles without those that a membership has already, and without an end. Clients send these back with others, or without some of
 * them: that gives nothing.
 */
export async function rolesToGive<Role extends AssignedRole>(
  ctx: Context,
  membershipId: string | undefined,
  roles: readonly Role[],
): Promise<Role[]> {
  const held = membershipId === undefined ? undefined : (await rolesOf(ctx, [membershipId])).get(membershipId);
  const lasting = new Set(held?.flatMap((one) => (one.isTemporary ? [] : (one.customRoleSlug ?? one.role))));
  return roles.filter((role) => endOfRole(role) !== Infinity || !lasting.has(slugOf(role)));
}

/** The published form of memberships, with their roles. */
export async function withRoles<Row extends { readonly id: string }, Published>(
  ctx: Context,
  rows: readonly Row[],
  publish: (row: Row, roles: MembershipRole[]) => Published,
): Promise<Published[]> {
  const roles = await rolesOf(
    ctx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => publish(row, roles.get(row.id) ?? []));
}
