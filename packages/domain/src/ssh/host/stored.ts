import { authorizeById, organizationOf, permittedNow, unlessHidden } from '../../access/index.ts';
import { isId, notFound, statement, type Context, type Permission, type Transaction } from '../../kernel/index.ts';
import { mappingsOfHosts, type LoginMapping, type PrincipalMode } from '../login/index.ts';
import type { SshHost } from './host.ts';

export const HOST = 'ssh host';

/** A host with what holds for it. */
export interface HostRow {
  id: string;
  organizationId: string;
  projectId: string;
  hostname: string;
  alias: string | null;
  userCertTtl: string;
  hostCertTtl: string;
  principalMode: PrincipalMode;
  userSshCaId: string | null;
  hostSshCaId: string | null;
}

const SELECT = `select h.id, h.organization_id as "organizationId", h.project_id as "projectId", h.hostname, h.alias,
  h.user_cert_ttl as "userCertTtl", h.host_cert_ttl as "hostCertTtl", s.principal_mode as "principalMode",
  s.user_ssh_ca_id as "userSshCaId", s.host_ssh_ca_id as "hostSshCaId"
  from ssh_hosts h join ssh_host_settings s on s.ssh_host_id = h.id`;
const BY_ID = statement('ssh_hosts.by_id', `${SELECT} where h.organization_id = $1 and h.id = $2`);
const BY_IDS = statement(
  'ssh_hosts.by_ids',
  `${SELECT} where h.organization_id = $1 and h.id = any($2::uuid[]) order by h.hostname, h.id`,
);
const OF_PROJECT = statement(
  'ssh_hosts.of_project',
  `${SELECT} where h.organization_id = $1 and h.project_id = $2 order by h.hostname, h.id`,
);
const LOCK = statement('ssh_hosts.lock', 'select from ssh_hosts where organization_id = $1 and id = $2 for update');
const PUBLIC = statement('ssh_hosts.public', `${SELECT} where h.id = $1`);

export const hostsOfProject = (ctx: Context, projectId: string): Promise<HostRow[]> =>
  ctx.sql<HostRow>(OF_PROJECT, [organizationOf(ctx), projectId]);

export const hostsByIds = (ctx: Context, ids: readonly string[]): Promise<HostRow[]> =>
  ctx.sql<HostRow>(BY_IDS, [organizationOf(ctx), ids]);

/** Without a check of rights. @throws DomainError 404 */
export async function findHost(ctx: Context, id: string): Promise<HostRow> {
  const [row] = isId(id) ? await ctx.sql<HostRow>(BY_ID, [organizationOf(ctx), id]) : [];
  if (!row) throw notFound(HOST);
  return row;
}

/** A host of any organization, for what everybody may know. @throws DomainError 404 */
export async function findPublicHost(ctx: Context, id: string): Promise<HostRow> {
  const [row] = isId(id) ? await ctx.sql<HostRow>(PUBLIC, [id]) : [];
  if (!row) throw notFound(HOST);
  return row;
}

/**
 * A host, for callers with this permission on its name. One in a project of which the caller is no member does not exist for
 * the caller.
 *
 * @throws DomainError 404, 403
 */
export async function requireHost(ctx: Context, id: string, permission: Permission): Promise<HostRow> {
  const row = await findHost(ctx, id);
  const { projectId, hostname } = row;
  await unlessHidden(HOST, authorizeById(ctx, permission, { projectId, hostname }));
  return row;
}

/** The current row, locked until the transaction ends. @throws DomainError 404 */
export async function lockHost(tx: Transaction, { id, organizationId }: Pick<HostRow, 'id' | 'organizationId'>) {
  await tx.sql(LOCK, [organizationId, id]);
  return findHost(tx, id);
}

/** The same for a caller with this permission on its present name. @throws DomainError 404, 403 */
export const lockPermittedHost = (
  tx: Transaction,
  seen: Pick<HostRow, 'id' | 'organizationId'>,
  permission: Permission,
): Promise<HostRow> => permittedNow(tx, permission, lockHost(tx, seen), ({ hostname }) => ({ hostname }));

export const toHost = (row: HostRow, loginMappings: LoginMapping[]): SshHost => ({
  id: row.id,
  projectId: row.projectId,
  hostname: row.hostname,
  alias: row.alias,
  userCertTtl: row.userCertTtl,
  hostCertTtl: row.hostCertTtl,
  principalMode: row.principalMode,
  userSshCaId: row.userSshCaId,
  hostSshCaId: row.hostSshCaId,
  loginMappings,
});

/** The published form of some hosts, with their own login mappings. */
export async function withMappings(ctx: Context, rows: readonly HostRow[]): Promise<SshHost[]> {
  const ids = rows.map(({ id }) => id);
  const mappings = await mappingsOfHosts(ctx, organizationOf(ctx), ids);
  return rows.map((row) => toHost(row, mappings(row.id)));
}
