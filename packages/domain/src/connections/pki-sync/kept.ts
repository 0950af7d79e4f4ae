import { statement, type Context } from '../../kernel/index.ts';

/** The tag of what a PKI sync has written, with the ID of the sync. */
export const OF_PKI_SYNC = 'coffer-sync';

const KEPT = statement(
  'pki_sync.kept_names',
  `select x.name from pki_syncs s join pki_sync_items x on x.sync_id = s.id
   where s.organization_id = $1 and s.destination = $2`,
);

/**
 * The names under which PKI syncs of the organization keep certificates with their private keys at a destination, which secret
 * syncs neither read nor replace nor remove. They have the ID of a certificate in them: it does not matter where that is.
 */
export async function keptByPkiSyncs(
  ctx: Context,
  { organizationId, destination }: { readonly organizationId: string; readonly destination: string },
): Promise<string[]> {
  const rows = await ctx.sql<{ name: string }>(KEPT, [organizationId, destination]);
  return rows.map(({ name }) => name);
}
