import { migration } from './migration.ts';

/** The certificates of logins that may have ended, which are looked for in each organization alone. */
export const m0128SshLoginsOfOrganizations = migration(
  '0128-ssh-logins-of-organizations',
  `
create index ssh_certificates_of_logins_in_organization on ssh_certificates (organization_id, not_after)
  where cert_type = 'user' and ssh_host_id is not null and revoked_at is null;
drop index ssh_certificates_of_logins;
`,
);
