import { migration } from './migration.ts';

/** By which the newest certificate of a host is found, and the certificates of logins that may have ended. */
export const m0065SshHostCertificates = migration(
  '0065-ssh-host-certificates',
  `
create index ssh_certificates_newest_of_host on ssh_certificates (ssh_host_id, created_at desc, id desc)
  where cert_type = 'host' and ssh_host_id is not null;
create index ssh_certificates_of_logins on ssh_certificates (not_after)
  where cert_type = 'user' and ssh_host_id is not null and revoked_at is null;
`,
);
