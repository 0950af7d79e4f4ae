import { inTransaction, statement, type Context, type Transaction } from '../../kernel/index.ts';
import type { Item, Put, Wanted } from './plan.ts';
import type { Run } from './stored.ts';

const ITEMS = statement(
  'pki_sync.items',
  `select name, certificate_id as "certificateId", line_id as "lineId", reference, fingerprint,
     next_fingerprint as "nextFingerprint", content, mark
   from pki_sync_items where sync_id = $1 order by name`,
);

/** What a sync has written, or may have, at its destination. */
export const itemsOf = (ctx: Context, syncId: string): Promise<Item[]> => ctx.sql<Item>(ITEMS, [syncId]);

/**
 * All of these do nothing after the claim is lost: another run, or another configuration, has taken over. The sync is
 * locked before its items, here and wherever both are changed.
 */
const HELD = `held as (
  select s.id, s.organization_id from pki_syncs s where s.id = $1 and s.claim_id = $2 for share)`;
const INTEND = statement(
  'pki_sync.intend',
  `with ${HELD}, noted as (
     insert into pki_sync_items (sync_id, organization_id, name, certificate_id, line_id, reference, fingerprint,
       next_fingerprint, mark)
     select held.id, held.organization_id, $3, $4, $5, $6, $7, $8, $9 from held
     on conflict (sync_id, name) do update set certificate_id = excluded.certificate_id, line_id = excluded.line_id,
       reference = excluded.reference, fingerprint = excluded.fingerprint, next_fingerprint = excluded.next_fingerprint, mark = excluded.mark)
   select id from held`,
);
const CONFIRM = statement(
  'pki_sync.confirm',
  `with ${HELD}
   update pki_sync_items x set reference = $4, fingerprint = x.next_fingerprint, next_fingerprint = null, content = $5,
     mark = null
   from held where x.sync_id = held.id and x.name = $3`,
);
const DROP = statement(
  'pki_sync.drop_items',
  `with ${HELD} delete from pki_sync_items x using held where x.sync_id = held.id and x.name = any($3::text[])`,
);
const DROP_ALL = statement('pki_sync.drop_all_items', 'delete from pki_sync_items where sync_id = $1');

/** Records a write before it is sent, in case this process dies. Returns whether the claim is still held. */
export const intend = (
  ctx: Context,
  { id, claimId }: Run,
  { name, reference, certificate, present }: Put<Wanted>,
  mark: object | undefined,
): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const { certificateId, lineId, fingerprint } = certificate;
    const written = [name, certificateId, lineId, reference, present, fingerprint, mark ? JSON.stringify(mark) : null];
    return (await tx.sql(INTEND, [id, claimId, ...written])).length > 0;
  });

/** Records that a write was done, what the destination calls it, and what was written. */
export const confirm = (
  ctx: Context,
  { id, claimId }: Run,
  { name, reference, content }: { name: string; reference: string; content: string | null },
): Promise<unknown> => inTransaction(ctx, (tx) => tx.sql(CONFIRM, [id, claimId, name, reference, content]));

/** Records what is no longer there, or no longer the sync's. */
export async function drop(ctx: Context, { id, claimId }: Run, names: readonly string[]): Promise<void> {
  if (names.length > 0) await inTransaction(ctx, (tx) => tx.sql(DROP, [id, claimId, names]));
}

/** For a change of the destination: the sync no longer owns what it has written. The sync is locked. */
export const dropAllItems = (tx: Transaction, syncId: string): Promise<unknown> => tx.sql(DROP_ALL, [syncId]);
