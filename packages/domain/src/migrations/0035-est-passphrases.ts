import { migration } from './migration.ts';

/** Passphrases of EST that are known without argon2id. */
export const m0035EstPassphrases = migration(
  '0035-est-passphrases',
  `
-- SHA-256 of the column passphrase, then of that and the passphrase itself: it speaks of that hash and no other. Only of
-- passphrases with 128 bits or more.
alter table est_configs add column passphrase_check_hash bytea;
`,
);
