import { statement, type Statement, type Transaction } from '../../kernel/index.ts';
import type { Due } from '../../jobs/index.ts';
import { pkiSyncWork } from './work.ts';

/** The syncs that are found, in an order that all take: no two wait for each other. */
const requestOf = (found: string) => `
  locked as (select s.id from pki_syncs s where s.organization_id = $1 and ${found} order by s.id for no key update)
  update pki_syncs s set due_at = $2, failures = 0, skips_sync = false from locked where s.id = locked.id
  returning s.id, s.organization_id as "organizationId"`;
const FOLLOWING = 's.is_auto_sync_enabled';

async function request(tx: Transaction, by: Statement, values: readonly unknown[]): Promise<void> {
  for (const due of await tx.sql<Due>(by, values)) pkiSyncWork.enqueue(tx, due);
}

const REQUEST = statement('pki_sync.request', `with ${requestOf('s.id = $3')}`);
const REQUEST_BY = statement('pki_sync.request_by', `with ${requestOf(`s.connection_id = $3 and ${FOLLOWING}`)}`);
const REQUEST_FOR = statement(
  'pki_sync.request_for',
  `with ${requestOf(`${FOLLOWING} and s.id in (
     select c.sync_id from pki_sync_certificates c where c.certificate_id = any($3::uuid[]))`)}`,
);

interface Place {
  readonly organizationId: string;
  readonly id: string;
}

/** Requests a run of a sync after the commit of this transaction, whatever its state. */
export const requestPkiSync = (tx: Transaction, { organizationId, id }: Place): Promise<void> =>
  request(tx, REQUEST, [organizationId, tx.now(), id]);

/** Requests a run of the syncs by a connection that follow changes: it has other credentials. */
export const requestPkiSyncsBy = (tx: Transaction, { organizationId, id }: Place): Promise<void> =>
  request(tx, REQUEST_BY, [organizationId, tx.now(), id]);

/** Requests a run of the syncs of certificates that follow changes. Call it before the certificates are deleted. */
export const requestPkiSyncsOf = (tx: Transaction, organizationId: string, ids: readonly string[]): Promise<void> =>
  request(tx, REQUEST_FOR, [organizationId, tx.now(), ids]);

/** A certificate that was issued, as syncs see it. */
export interface IssuedCertificate extends Place {
  readonly renewedFromId?: string | null | undefined;
  readonly pkiSubscriberId?: string | null | undefined;
  readonly hasPrivateKey: boolean;
}

/** It joins the syncs of its predecessor, in the same line, and those of its subscriber. */
const JOIN = statement(
  'pki_sync.join',
  `with found as (
     select c.sync_id, c.line_id from pki_sync_certificates c where c.certificate_id = $4
     union all
     select s.id, $3::uuid from pki_syncs s where s.subscriber_id = $5
       and not exists (select from pki_sync_certificates c where c.sync_id = s.id and c.certificate_id = $4)),
   joined as (
     insert into pki_sync_certificates (id, sync_id, organization_id, certificate_id, line_id, created_at, updated_at)
     select gen_random_uuid(), f.sync_id, $1, $3, f.line_id, $2, $2 from found f
     on conflict (sync_id, certificate_id) do nothing),
   ${requestOf(`${FOLLOWING} and s.id in (select f.sync_id from found f)`)}`,
);

/** Adds a certificate to the syncs that it belongs to, and requests a run of these. */
export async function joinPkiSyncs(tx: Transaction, issued: IssuedCertificate): Promise<void> {
  const { organizationId, id, renewedFromId = null, hasPrivateKey } = issued;
  const subscriberId = hasPrivateKey ? (issued.pkiSubscriberId ?? null) : null;
  if (renewedFromId === null && subscriberId === null) return;
  await request(tx, JOIN, [organizationId, tx.now(), id, renewedFromId, subscriberId]);
}
