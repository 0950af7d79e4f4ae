import { sshCertificatePermissions } from '../../ssh/certificate/index.ts';
import { sshHostPermissions } from '../../ssh/host/index.ts';
import { defineEnds } from '../kind.ts';

/** Those of users and of hosts. */
export const sshCertificates = defineEnds<{ serialNumber: string; certType: string }>({
  kind: 'ssh-certificate',
  from: 'ssh_certificates c left join ssh_hosts h on h.id = c.ssh_host_id',
  where: 'c.organization_id = board.organization_id and c.project_id = board.project_id and c.revoked_at is null',
  id: 'c.id',
  endsAt: 'c.not_after',
  name: 'c.key_id',
  of: 'h.hostname',
  columns: 'c.serial_number::text as "serialNumber", c.cert_type as "certType"',
  mayRead: ({ ability, projectId }) =>
    ability.can(sshCertificatePermissions.read, { projectId }) ? () => true : undefined,
  mayNameOf:
    ({ ability, projectId }) =>
    ({ of: hostname }) =>
      ability.can(sshHostPermissions.read, { projectId, hostname }),
  details: ({ serialNumber, certType }) => ({ serialNumber, certType }),
});
