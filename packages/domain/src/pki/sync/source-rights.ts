import { abilityIn, authorizeById, denied, organizationOf, unlessHidden } from '../../access/index.ts';
import { at, badRequest, isId, notFound, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { certificatePermissions, certificatesById, type StoredCertificate } from '../certificate/index.ts';
import { subscriberPermissions } from '../subscriber/index.ts';
import { mayLeave } from './source.ts';

/** Whoever sets up a sync has its private keys leave Coffer, and needs the right to read each of them. */

const readKey = certificatePermissions['read-private-key'];

/** @throws DomainError 403 for a certificate whose key the caller may not read. */
export async function requireMayLeave(
  ctx: Context,
  projectId: string,
  rows: readonly StoredCertificate[],
): Promise<void> {
  const ability = await abilityIn(ctx, projectId);
  if (!rows.every((row) => mayLeave(ability, row))) throw denied(ability, readKey);
}

const HOLD = statement(
  'pki_sync.hold_certificates',
  `select id from certificates where organization_id = $1 and project_id = $2 and id = any($3::uuid[])
   order by id for key share`,
);

/**
 * The certificates of a project with these IDs, locked against deletion, if the caller may have their keys leave. Locked
 * before the sync, here and where certificates are revoked and deleted.
 *
 * @throws DomainError 404 for an unknown one, or one that the caller may not read; 403; 400 `pki_sync.certificate`.
 */
export async function holdCertificates(
  tx: Transaction,
  projectId: string,
  ids: readonly string[],
): Promise<StoredCertificate[]> {
  const distinct = [...new Set(ids)];
  if (!distinct.every(isId)) throw notFound('certificate');
  const held = distinct.length > 0 ? await tx.sql(HOLD, [organizationOf(tx), projectId, distinct]) : [];
  if (held.length < distinct.length) throw notFound('certificate');
  const rows = await certificatesById(tx, organizationOf(tx), distinct);
  await requireMayLeave(tx, projectId, rows);
  for (const row of rows) requireSyncable(row, tx.now());
  return rows;
}

function requireSyncable({ commonName, status, notAfter, privateKey }: StoredCertificate, now: Date): void {
  const why = !privateKey
    ? 'its private key is not stored here'
    : status === 'revoked'
      ? 'it is revoked'
      : at(notAfter) <= now
        ? 'it has expired'
        : undefined;
  if (why) throw badRequest('pki_sync.certificate', `The certificate ${commonName} cannot be synced: ${why}`);
}

/** What a subscriber has now: valid certificates with their keys, less those that were renewed. */
const OF_SUBSCRIBER = statement(
  'pki_sync.of_subscriber',
  `select c.id from certificates c where c.organization_id = $1 and c.pki_subscriber_id = $2 and c.status = 'active'
     and c.not_after > $3 and c.private_key is not null
     and not exists (select from certificates r where r.renewed_from_id = c.id and r.status = 'active')
   order by c.created_at desc, c.id limit $4`,
);
const SUBSCRIBER = statement(
  'pki_sync.hold_subscriber',
  `select name from pki_subscribers where organization_id = $1 and project_id = $2 and id = $3 for key share`,
);

/**
 * The IDs of the certificates of a subscriber, which is locked against deletion, if the caller may list them.
 *
 * @throws DomainError 404, 403
 */
export async function certificatesOfSubscriber(
  tx: Transaction,
  projectId: string,
  subscriberId: string,
  most: number,
): Promise<string[]> {
  const organizationId = organizationOf(tx);
  const THING = 'pki subscriber';
  const [found] = isId(subscriberId)
    ? await tx.sql<{ name: string }>(SUBSCRIBER, [organizationId, projectId, subscriberId])
    : [];
  if (!found) throw notFound(THING);
  const place = { projectId, name: found.name };
  await unlessHidden(THING, authorizeById(tx, subscriberPermissions['list-certs'], place));
  const rows = await tx.sql<{ id: string }>(OF_SUBSCRIBER, [organizationId, subscriberId, tx.now(), most]);
  return rows.map(({ id }) => id);
}
