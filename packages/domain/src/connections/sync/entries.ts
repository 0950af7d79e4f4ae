import { inTransaction, statement, type Context } from '../../kernel/index.ts';
import type { Entry, HashedName } from './difference.ts';
import type { Run } from './run.ts';

interface EntryRow extends Entry {
  name: string;
}
const ENTRIES = statement(
  'secret_sync.entries',
  'select name, hash, next_hash as "nextHash" from secret_sync_entries where sync_id = $1 order by name',
);

/** The items that the sync has written at its target. */
export const entriesOf = async (ctx: Context, { id }: { readonly id: string }): Promise<Map<string, Entry>> =>
  new Map((await ctx.sql<EntryRow>(ENTRIES, [id])).map(({ name, ...entry }) => [name, entry]));

/**
 * All of these do nothing after the claim is lost: another run, or another configuration, has taken over. The sync is
 * locked before its entries, here and wherever both are changed.
 */
const HELD = `held as (
  select i.id, i.organization_id from secret_syncs i where i.id = $1 and i.claim_id = $2 for share)`;
const INTEND = statement(
  'secret_sync.intend',
  `with ${HELD}, noted as (
     insert into secret_sync_entries (sync_id, organization_id, name, next_hash)
     select held.id, held.organization_id, n.name, n.hash from held, unnest($3::text[], $4::bytea[]) as n (name, hash)
     on conflict (sync_id, name) do update set next_hash = excluded.next_hash)
   select id from held`,
);
const CONFIRM = statement(
  'secret_sync.confirm',
  `with ${HELD}
   insert into secret_sync_entries (sync_id, organization_id, name, hash)
   select held.id, held.organization_id, n.name, n.hash from held, unnest($3::text[], $4::bytea[]) as n (name, hash)
   on conflict (sync_id, name) do update set hash = excluded.hash, next_hash = null`,
);
const DROP = statement(
  'secret_sync.drop_claims',
  `with ${HELD}
   delete from secret_sync_entries x using held where x.sync_id = held.id and x.name = any($3::text[])`,
);

const columns = (names: readonly HashedName[]) => [names.map(({ name }) => name), names.map(({ hash }) => hash)];

/** Records pending writes before they are sent, in case this process dies. */
export const intend = (ctx: Context, { id, claimId }: Run, names: readonly HashedName[]): Promise<boolean> =>
  inTransaction(ctx, async (tx) => (await tx.sql(INTEND, [id, claimId, ...columns(names)])).length > 0);

/** Records what is certainly there now, and what the sync no longer owns. */
export const confirm = (
  ctx: Context,
  { id, claimId }: Run,
  put: readonly HashedName[],
  gone: readonly string[],
): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    if (put.length > 0) await tx.sql(CONFIRM, [id, claimId, ...columns(put)]);
    if (gone.length > 0) await tx.sql(DROP, [id, claimId, gone]);
  });
