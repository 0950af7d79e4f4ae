import { migration } from './migration.ts';

/** Proofs that are good for one login, by their hash, until they are no longer valid anyway. */
export const m0030UsedLoginProofs = migration(
  '0030-used-login-proofs',
  `
create table used_login_proofs (
  hash bytea primary key,
  expires_at timestamptz(3) not null
);
create index used_login_proofs_expires on used_login_proofs (expires_at);
`,
);
