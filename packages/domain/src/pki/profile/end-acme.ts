import { organizationOf } from '../../access/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';

const KEY = statement(
  'certificate_profiles.end_acme_key',
  'delete from acme_external_keys where organization_id = $1 and profile_id = $2',
);
const ACCOUNTS = statement(
  'certificate_profiles.end_acme_accounts',
  `update acme_accounts set status = 'deactivated', updated_at = $3
   where organization_id = $1 and profile_id = $2 and status = 'valid'`,
);

/**
 * Ends what clients enrol with by ACME: the next external key is another one, and the accounts stay deactivated, also
 * if the profile becomes an ACME profile again. Their orders stay, by which they revoke nothing any more.
 */
export async function endAcme(tx: Transaction, profileId: string): Promise<void> {
  const place = [organizationOf(tx), profileId];
  await tx.sql(KEY, place);
  await tx.sql(ACCOUNTS, [...place, tx.now()]);
}
