import { migration } from './migration.ts';

/**
 * The issuers of an identity's credentials are kept when the identity is deleted: another identity, to which it gave a
 * credential, still leads back to them.
 */
export const m0043KeptIssuers = migration(
  '0043-kept-issuers',
  `
alter table identity_credential_issuers drop constraint identity_credential_issuers_identity_id_fkey;
`,
);
