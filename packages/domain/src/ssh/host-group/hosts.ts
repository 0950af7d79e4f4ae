import { filterInTurns, organizationOf, readable } from '../../access/index.ts';
import {
  atOrNull,
  explainConstraint,
  inTransaction,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import {
  lockHost,
  lockPermittedHost,
  requireAgreement,
  requireHost,
  sshHostPermissions,
  withMappings,
  type HostRow,
  type SshHost,
} from '../host/index.ts';
import { keepingLogins } from '../login/index.ts';
import {
  sshHostAddedToGroup,
  sshHostGroupPermissions,
  sshHostRemovedFromGroup,
  type ListSshHostsOfGroup,
  type SshHostInGroupRef,
  type SshHostsOfGroup,
} from './host-group.ts';
import { lockHostGroup, requireHostGroup, type HostGroupRow } from './stored.ts';

explainConstraint('ssh_host_group_memberships_unique', 'The host is already in the group');

const ADD = statement(
  'ssh_host_groups.add_host',
  `insert into ssh_host_group_memberships (id, organization_id, ssh_host_group_id, ssh_host_id, created_at)
   values ($1, $2, $3, $4, $5)`,
);
const REMOVE = statement(
  'ssh_host_groups.remove_host',
  `delete from ssh_host_group_memberships where organization_id = $1 and ssh_host_group_id = $2 and ssh_host_id = $3
   returning id`,
);

/**
 * Adds a host to a group: its login mappings hold there from now on. Needs the right to edit the group and the host, and as
 * `keepingLogins`.
 *
 * @throws DomainError 404 also for a host of another project, 403; 400 `ssh_host_group_memberships_unique`,
 * `ssh_host.groups_disagree`.
 */
export const addHostToGroup = (ctx: Context, ref: SshHostInGroupRef): Promise<SshHost> =>
  changeHosts(ctx, ref, async (tx, group, host) => {
    await tx.sql(ADD, [newId(), group.organizationId, group.id, host.id, tx.now()]);
    await requireAgreement(tx, { organizationId: group.organizationId, sshHostId: host.id });
    record(tx, sshHostAddedToGroup, eventData(group, host), { projectId: group.projectId });
  });

/**
 * Removes a host from a group, with the same rights.
 *
 * @throws DomainError 404, 403
 */
export const removeHostFromGroup = (ctx: Context, ref: SshHostInGroupRef): Promise<SshHost> =>
  changeHosts(ctx, ref, async (tx, group, host) => {
    const removed = await tx.sql(REMOVE, [group.organizationId, group.id, host.id]);
    if (removed.length === 0) throw notFound('ssh host');
    record(tx, sshHostRemovedFromGroup, eventData(group, host), { projectId: group.projectId });
  });

const eventData = ({ id, name }: HostGroupRow, { id: sshHostId, hostname }: HostRow) => ({
  sshHostGroupId: id,
  name,
  sshHostId,
  hostname,
});

async function changeHosts(
  ctx: Context,
  { sshHostGroupId, hostId }: SshHostInGroupRef,
  change: (tx: Transaction, group: HostGroupRow, host: HostRow) => Promise<void>,
): Promise<SshHost> {
  const seen = await requireHostGroup(ctx, sshHostGroupId, sshHostGroupPermissions.edit);
  const host = await requireHost(ctx, hostId, sshHostPermissions.edit);
  if (host.projectId !== seen.projectId) throw notFound('ssh host');
  return inTransaction(ctx, (tx) =>
    keepingLogins(tx, seen.projectId, async () => {
      const group = await lockHostGroup(tx, seen);
      await change(tx, group, await lockPermittedHost(tx, host, sshHostPermissions.edit));
      return (await withMappings(tx, [await lockHost(tx, host)]))[0]!;
    }),
  );
}

const LIST = statement(
  'ssh_host_groups.list_hosts',
  `select h.id, h.hostname, h.alias, m.created_at as "joinedAt" from ssh_hosts h
   left join ssh_host_group_memberships m on m.ssh_host_id = h.id and m.ssh_host_group_id = $3
   where h.organization_id = $1 and h.project_id = $2
     and ($4::text is null or (m.id is not null) = ($4 = 'group-members'))
   order by h.hostname, h.id`,
);

/** The hosts of the project that the caller may read, and which of them are in the group. @throws DomainError 404, 403 */
export async function listHostsOfGroup(ctx: Context, input: ListSshHostsOfGroup): Promise<SshHostsOfGroup> {
  const { id, projectId } = await requireHostGroup(ctx, input.sshHostGroupId, sshHostGroupPermissions.read);
  const isReadable = await readable(ctx, sshHostPermissions.read, { projectId });
  const rows = await ctx.sql<{ id: string; hostname: string; alias: string | null; joinedAt: string | null }>(LIST, [
    ...[organizationOf(ctx), projectId, id, input.filter ?? null],
  ]);
  const seen = await filterInTurns(rows, ({ hostname }) => isReadable({ hostname }));
  const hosts = seen.map(({ joinedAt, ...host }) => ({
    ...host,
    isPartOfGroup: joinedAt !== null,
    joinedGroupAt: atOrNull(joinedAt),
  }));
  return { hosts, totalCount: hosts.length };
}
