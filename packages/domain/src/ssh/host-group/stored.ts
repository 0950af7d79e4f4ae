import { authorizeById, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import { mappingsOfHostGroups, type LoginMapping, type PrincipalMode } from '../login/index.ts';
import type { SshHostGroup } from './host-group.ts';

const HOST_GROUP = 'ssh host group';

export interface HostGroupRow {
  id: string;
  organizationId: string;
  projectId: string;
  name: string;
  principalMode: PrincipalMode | null;
  userSshCaId: string | null;
}

const SELECT = `select g.id, g.organization_id as "organizationId", g.project_id as "projectId", g.name,
  g.principal_mode as "principalMode", g.user_ssh_ca_id as "userSshCaId" from ssh_host_groups g`;
const BY_ID = statement('ssh_host_groups.by_id', `${SELECT} where g.organization_id = $1 and g.id = $2`);
const LOCK = statement('ssh_host_groups.lock', `${SELECT} where g.organization_id = $1 and g.id = $2 for update`);
const OF_PROJECT = statement(
  'ssh_host_groups.of_project',
  `${SELECT} where g.organization_id = $1 and g.project_id = $2 order by g.name`,
);

export const hostGroupsOf = (ctx: Context, projectId: string): Promise<HostGroupRow[]> =>
  ctx.sql<HostGroupRow>(OF_PROJECT, [organizationOf(ctx), projectId]);

/**
 * A host group, for callers with this permission in its project. In other projects it does not exist for the caller.
 *
 * @throws DomainError 404, 403
 */
export async function requireHostGroup(ctx: Context, id: string, permission: Permission): Promise<HostGroupRow> {
  const [row] = isId(id) ? await ctx.sql<HostGroupRow>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(HOST_GROUP);
  await unlessHidden(HOST_GROUP, authorizeById(ctx, permission, { projectId: row.projectId }));
  return row;
}

/** The current row, locked until the transaction ends. @throws DomainError 404 */
export async function lockHostGroup(
  tx: Transaction,
  { id, organizationId }: Pick<HostGroupRow, 'id' | 'organizationId'>,
): Promise<HostGroupRow> {
  const [row] = await tx.sql<HostGroupRow>(LOCK, [organizationId, id]);
  if (!row) throw notFound(HOST_GROUP);
  return row;
}

export const toHostGroup = (row: HostGroupRow, loginMappings: LoginMapping[]): SshHostGroup => ({
  id: row.id,
  projectId: row.projectId,
  name: row.name,
  principalMode: row.principalMode,
  userSshCaId: row.userSshCaId,
  loginMappings,
});

/** The published form of some host groups. */
export async function groupsWithMappings(ctx: Context, rows: readonly HostGroupRow[]): Promise<SshHostGroup[]> {
  const ids = rows.map(({ id }) => id);
  const mappings = await mappingsOfHostGroups(ctx, organizationOf(ctx), ids);
  return rows.map((row) => toHostGroup(row, mappings(row.id)));
}
