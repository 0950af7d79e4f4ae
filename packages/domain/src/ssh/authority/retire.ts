import { statement, type Transaction } from '../../kernel/index.ts';
import { sshListsChanged } from './list-revision.ts';

const RETIRE = statement(
  'ssh_ca_keys.retire',
  `with retired as (
     delete from ssh_ca_keys where ca_id = $1 and signs_from > coalesce($2, '-infinity'::timestamptz)
     returning id, organization_id, ca_id, public_key)
   insert into ssh_retired_ca_keys (id, organization_id, ca_id, public_key, retired_at)
   select id, organization_id, ca_id, public_key, $3 from retired`,
);

/**
 * Deletes keys of an authority: all, or those that sign after a time. Hosts learn from its revocation list that they are void, with
 * everything that they have signed, and no authority gets one of them again. The certificates stay in the list of the project.
 */
export async function retireSshKeys(
  tx: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  { signingAfter }: { readonly signingAfter?: Date } = {},
): Promise<void> {
  await tx.sql(RETIRE, [id, signingAfter ?? null, tx.now()]);
  await sshListsChanged(tx, [{ sshCaId: id, organizationId }]);
}
