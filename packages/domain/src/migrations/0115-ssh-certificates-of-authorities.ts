import { migration } from './migration.ts';

/** The certificates of an authority that a rotation may end, by their end. */
export const m0115SshCertificatesOfAuthorities = migration(
  '0115-ssh-certificates-of-authorities',
  `
create index ssh_certificates_of_authority on ssh_certificates (ca_id, not_after) where revoked_at is null;
`,
);
