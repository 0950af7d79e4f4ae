import { conflict, statement, type Transaction } from '../../kernel/index.ts';

const DISAGREEING = statement(
  'ssh_hosts.disagreeing',
  `select h.hostname from ssh_hosts h join ssh_host_group_memberships m on m.ssh_host_id = h.id
   join ssh_host_groups g on g.id = m.ssh_host_group_id
   where h.organization_id = $1 and h.id in (
     select $2::uuid union all select ssh_host_id from ssh_host_group_memberships where ssh_host_group_id = $3)
   group by h.id having (h.principal_mode is null and count(distinct g.principal_mode) > 1)
     or (h.user_ssh_ca_id is null and count(distinct g.user_ssh_ca_id) > 1)
   limit 1`,
);

/**
 * The groups of a host have one principal mode and one user authority, unless the host has its own: a server is configured
 * for one of each. Checked after each change, of one host or of all in a group.
 *
 * @throws DomainError 400 `ssh_host.groups_disagree`
 */
export async function requireAgreement(
  tx: Transaction,
  {
    organizationId,
    sshHostId,
    sshHostGroupId,
  }: { organizationId: string; sshHostId?: string; sshHostGroupId?: string },
): Promise<void> {
  const found = await tx.sql(DISAGREEING, [organizationId, sshHostId ?? null, sshHostGroupId ?? null]);
  if (found.length > 0)
    throw conflict(
      'ssh_host.groups_disagree',
      'The groups of a host have different principal modes or user authorities; set those of the host itself first',
    );
}
