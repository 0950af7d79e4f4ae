import { authorize, authorizeSlugChange, filterInTurns, organizationOf, readable } from '../../access/index.ts';
import {
  givenFields,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  statement,
  type Context,
} from '../../kernel/index.ts';
import { loginNamesOf, requireAgreement, requireMayUseAuthorities, sshHostPermissions } from '../host/index.ts';
import { keepingLogins, replaceMappings, type LoginMappings } from '../login/index.ts';
import {
  sshHostGroupCreated,
  sshHostGroupDeleted,
  sshHostGroupPermissions,
  sshHostGroupUpdated,
  type CreateSshHostGroup,
  type ListedSshHostGroup,
  type SshHostGroup,
  type SshHostGroupRef,
  type UpdateSshHostGroup,
} from './host-group.ts';
import {
  groupsWithMappings,
  hostGroupsOf,
  lockHostGroup,
  requireHostGroup,
  toHostGroup,
  type HostGroupRow,
} from './stored.ts';

explainConstraint(
  'ssh_host_groups_user_ca',
  'SSH host groups have this certificate authority; give them another one first',
);
explainConstraint('ssh_host_groups_name_unique', 'An SSH host group with this name already exists in the project');

const requireFewGroups = fewIn('project', {
  table: 'ssh_host_groups',
  most: 500,
  code: 'ssh_host_group.too_many',
  of: 'SSH host groups',
});

const INSERT = statement(
  'ssh_host_groups.insert',
  `insert into ssh_host_groups (id, organization_id, project_id, name, principal_mode, user_ssh_ca_id, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
);
const UPDATE = statement(
  'ssh_host_groups.update',
  `update ssh_host_groups set name = $3, principal_mode = $4, user_ssh_ca_id = $5, updated_at = $6
   where organization_id = $1 and id = $2`,
);
const DELETE = statement(
  'ssh_host_groups.delete',
  'delete from ssh_host_groups where organization_id = $1 and id = $2',
);
const HOSTS = statement(
  'ssh_host_groups.hosts',
  `select m.ssh_host_group_id as "groupId", h.hostname from ssh_host_group_memberships m
   join ssh_hosts h on h.id = m.ssh_host_id where h.organization_id = $1 and h.project_id = $2`,
);

const eventData = (row: HostGroupRow, mappings?: LoginMappings) => ({
  sshHostGroupId: row.id,
  name: row.name,
  principalMode: row.principalMode,
  userSshCaId: row.userSshCaId,
  ...(mappings && { loginMappings: loginNamesOf(mappings) }),
});

/**
 * Creates a host group, without hosts.
 *
 * @throws DomainError 404, 403; 400 `ssh_host_groups_name_unique`, `ssh_host_group.too_many`, `ssh_login.unknown_principal`.
 */
export async function createSshHostGroup(ctx: Context, input: CreateSshHostGroup): Promise<SshHostGroup> {
  const { projectId, name, loginMappings, principalMode = null, userSshCaId = null } = input;
  await authorize(ctx, sshHostGroupPermissions.create, { projectId });
  return inTransaction(ctx, (tx) =>
    keepingLogins(tx, projectId, async () => {
      const row = { id: newId(), organizationId: organizationOf(tx), projectId, name, principalMode, userSshCaId };
      await requireMayUseAuthorities(tx, projectId, [userSshCaId]);
      const { id, organizationId } = row;
      await tx.sql(INSERT, [id, organizationId, projectId, name, principalMode, userSshCaId, tx.now()]);
      await requireFewGroups(tx, projectId);
      await replaceMappings(tx, { organizationId, projectId, sshHostGroupId: id }, loginMappings);
      record(tx, sshHostGroupCreated, eventData(row, loginMappings), { projectId });
      return toHostGroup(row, loginMappings);
    }),
  );
}

/** @throws DomainError 404, 403 */
export async function getSshHostGroup(ctx: Context, { sshHostGroupId }: SshHostGroupRef): Promise<SshHostGroup> {
  const row = await requireHostGroup(ctx, sshHostGroupId, sshHostGroupPermissions.read);
  return (await groupsWithMappings(ctx, [row]))[0]!;
}

/** The host groups of a project, by name. */
export async function listSshHostGroups(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<ListedSshHostGroup[]> {
  await authorize(ctx, sshHostGroupPermissions.read, { projectId });
  const isReadable = await readable(ctx, sshHostPermissions.read, { projectId });
  const groups = await groupsWithMappings(ctx, await hostGroupsOf(ctx, projectId));
  const hosts = await ctx.sql<{ groupId: string; hostname: string }>(HOSTS, [organizationOf(ctx), projectId]);
  const seen = await filterInTurns(hosts, ({ hostname }) => isReadable({ hostname }));
  const counts = Map.groupBy(seen, ({ groupId }) => groupId);
  return groups.map((group) => ({ ...group, hostCount: counts.get(group.id)?.length ?? 0 }));
}

/**
 * Updates the given fields. What changes who may log in on its hosts needs the right to edit these (see `keepingLogins`).
 *
 * @throws DomainError 404, 403; 400 as `createSshHostGroup`, and `ssh_host.groups_disagree`.
 */
export async function updateSshHostGroup(ctx: Context, input: UpdateSshHostGroup): Promise<SshHostGroup> {
  const { name, principalMode, userSshCaId, loginMappings } = input;
  const seen = await requireHostGroup(ctx, input.sshHostGroupId, sshHostGroupPermissions.edit);
  const { id, organizationId, projectId } = seen;
  return inTransaction(ctx, (tx) =>
    keepingLogins(tx, projectId, async () => {
      const present = await lockHostGroup(tx, seen);
      await authorizeSlugChange(tx, sshHostGroupPermissions, { projectId, before: present.name, after: name });
      await requireMayUseAuthorities(tx, projectId, [userSshCaId]);
      const row = {
        ...present,
        ...(name !== undefined && { name }),
        ...(principalMode !== undefined && { principalMode }),
        ...(userSshCaId !== undefined && { userSshCaId }),
      };
      await tx.sql(UPDATE, [organizationId, id, row.name, row.principalMode, row.userSshCaId, tx.now()]);
      if (loginMappings) await replaceMappings(tx, { organizationId, projectId, sshHostGroupId: id }, loginMappings);
      await requireAgreement(tx, { organizationId, sshHostGroupId: id });
      const changed = givenFields({ name, principalMode, userSshCaId, loginMappings });
      record(tx, sshHostGroupUpdated, { ...eventData(row, loginMappings), changed }, { projectId });
      return (await groupsWithMappings(tx, [row]))[0]!;
    }),
  );
}

/**
 * Deletes a host group; its hosts stay. Its login mappings end, which needs the right to edit its hosts.
 *
 * @throws DomainError 404, 403
 */
export async function deleteSshHostGroup(ctx: Context, { sshHostGroupId }: SshHostGroupRef): Promise<SshHostGroup> {
  const seen = await requireHostGroup(ctx, sshHostGroupId, sshHostGroupPermissions.delete);
  const { id, organizationId, projectId } = seen;
  return inTransaction(ctx, (tx) =>
    keepingLogins(tx, projectId, async () => {
      const row = await lockHostGroup(tx, seen);
      const [group] = await groupsWithMappings(tx, [row]);
      await tx.sql(DELETE, [organizationId, id]);
      record(tx, sshHostGroupDeleted, { sshHostGroupId: id, name: row.name }, { projectId });
      return group!;
    }),
  );
}
