import { badRequest, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { MAX_CERTIFICATES } from './pki-sync.ts';

/** The certificates that a sync has. The sync is locked before them, and the certificates before the sync. */

interface SyncOf {
  readonly id: string;
  readonly organizationId: string;
}

const IDS = statement(
  'pki_sync.certificate_ids',
  'select certificate_id as id from pki_sync_certificates where organization_id = $1 and sync_id = $2',
);

export const certificateIdsOf = async (ctx: Context, { organizationId, id }: SyncOf): Promise<string[]> =>
  (await ctx.sql<{ id: string }>(IDS, [organizationId, id])).map((one) => one.id);

const ADD = statement(
  'pki_sync.add_certificates',
  `insert into pki_sync_certificates (id, sync_id, organization_id, certificate_id, line_id, created_at, updated_at)
   select gen_random_uuid(), $1, $2, one.id, one.id, $4, $4 from unnest($3::uuid[]) as one (id)
   on conflict (sync_id, certificate_id) do nothing`,
);

/** Adds certificates that are locked. @throws DomainError 400 `pki_sync.too_many_certificates` */
export async function addLinks(tx: Transaction, sync: SyncOf, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.sql(ADD, [sync.id, sync.organizationId, ids, tx.now()]);
  if ((await certificateIdsOf(tx, sync)).length > MAX_CERTIFICATES)
    throw badRequest('pki_sync.too_many_certificates', `A sync has at most ${MAX_CERTIFICATES} certificates`);
}

const REMOVE = statement(
  'pki_sync.remove_certificates',
  `delete from pki_sync_certificates where organization_id = $1 and sync_id = $2 and certificate_id = any($3::uuid[])
   returning certificate_id as id`,
);
const REMOVE_OF = statement(
  'pki_sync.remove_certificates_of',
  `delete from pki_sync_certificates x using certificates c
   where x.organization_id = $1 and x.sync_id = $2 and c.id = x.certificate_id and c.pki_subscriber_id = $3`,
);
const FORGET = statement(
  'pki_sync.forget_certificates',
  'update pki_sync_certificates set is_synced = null, message = null, last_synced_at = null where sync_id = $1',
);

/** Takes certificates out of a sync; the IDs of those that it had. */
export const removeLinks = async (tx: Transaction, sync: SyncOf, ids: readonly string[]): Promise<string[]> =>
  (await tx.sql<{ id: string }>(REMOVE, [sync.organizationId, sync.id, ids])).map(({ id }) => id);

/** Takes the certificates of a subscriber out of a sync. */
export const removeLinksOf = (tx: Transaction, sync: SyncOf, subscriberId: string): Promise<unknown> =>
  tx.sql(REMOVE_OF, [sync.organizationId, sync.id, subscriberId]);

/** For another destination: none of them is there. */
export const forgetLinks = (tx: Transaction, syncId: string): Promise<unknown> => tx.sql(FORGET, [syncId]);

const NOTE = statement(
  'pki_sync.note_certificates',
  `update pki_sync_certificates x set is_synced = n.is_synced, message = n.message,
     last_synced_at = case when n.is_synced then $2 else x.last_synced_at end, updated_at = $2
   from unnest($3::uuid[], $4::boolean[], $5::text[]) as n (id, is_synced, message)
   where x.sync_id = $1 and x.certificate_id = n.id`,
);

/** What became of a certificate: why it is not at the destination, if it is not. */
export interface NotedLink {
  readonly certificateId: string;
  /** null: it is not to be there. */
  readonly isSynced: boolean | null;
  readonly message: string | null;
}

export async function noteLinks(tx: Transaction, syncId: string, links: readonly NotedLink[]): Promise<void> {
  if (links.length === 0) return;
  await tx.sql(NOTE, [
    ...[syncId, tx.now(), links.map(({ certificateId }) => certificateId)],
    ...[links.map(({ isSynced }) => isSynced), links.map(({ message }) => message)],
  ]);
}
