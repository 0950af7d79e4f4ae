import { migration } from './migration.ts';

/** Certificates of a host that is gone still name it, by which they are revoked in parts. */
export const m0079LostSshCertificates = migration(
  '0079-lost-ssh-certificates',
  `
alter table ssh_certificates drop constraint ssh_certificates_host;
create index ssh_certificates_unrevoked_of_host on ssh_certificates (ssh_host_id, not_after)
  where ssh_host_id is not null and revoked_at is null;
`,
);
