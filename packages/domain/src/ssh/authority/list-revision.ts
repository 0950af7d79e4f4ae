import { invalidate, statement, type Transaction } from '../../kernel/index.ts';
import { sshTagOf } from './signer.ts';

/** In the order of the IDs: two transactions that change several lists wait for each other, and never in a circle. */
const RAISE = statement(
  'ssh_revocation_lists.raise',
  `insert into ssh_revocation_lists as l (ca_id, organization_id)
   select g.ca_id, g.organization_id from unnest($1::uuid[], $2::uuid[]) g(ca_id, organization_id) order by g.ca_id
   on conflict (ca_id) do update set revision = l.revision + 1`,
);

/** Notes that the revocation lists of some authorities change by this transaction: they are made again. */
export async function sshListsChanged(
  tx: Transaction,
  authorities: readonly { readonly sshCaId: string; readonly organizationId: string }[],
): Promise<void> {
  const organizationOf = new Map(authorities.map(({ sshCaId, organizationId }) => [sshCaId, organizationId]));
  if (organizationOf.size === 0) return;
  await tx.sql(RAISE, [[...organizationOf.keys()], [...organizationOf.values()]]);
  for (const sshCaId of organizationOf.keys()) invalidate(tx, sshTagOf(sshCaId));
}
