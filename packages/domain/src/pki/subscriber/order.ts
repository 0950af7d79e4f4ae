import { conflict, notFound, type Context } from '../../kernel/index.ts';
import { placeOrder, withNamedHost, type PlacedOrder } from '../certificate-order/index.ts';
import type { Order } from '../certificate/index.ts';
import { externalAuthorityById } from '../external-authority/index.ts';
import { altNamesOf, keyUsagesOf, subjectOf, ttlOf } from './content.ts';
import { issueForSubscriber, requireActive, requireIssuing } from './issue.ts';
import { lockSubscriber, saySame, type SubscriberRow } from './stored.ts';
import type { SubscriberRef } from './subscriber.ts';

/** Keys that all public authorities certify. */
const KEY = 'EC_prime256v1';

/**
 * Orders a subscriber's content from its external authority. Permissions were checked.
 *
 * @throws DomainError 400 with the violated rule, `pki_subscriber.changed` if it was updated meanwhile.
 */
export async function orderTo(
  ctx: Context,
  row: SubscriberRow,
  latest: { readonly id: string; readonly isRenewed: boolean } | undefined,
  isAutomatic: boolean,
): Promise<PlacedOrder> {
  requireActive(row);
  const authority = row.externalCaId === null ? undefined : await externalAuthorityById(ctx, row.externalCaId);
  if (!authority) throw notFound('certificate authority');
  const subject = subjectOf(row);
  const order: Order = {
    subject,
    altNames: withNamedHost({ subject, altNames: altNamesOf(row) }),
    key: { make: KEY },
    ttl: ttlOf(row),
    keyUsages: keyUsagesOf(row, KEY),
    extendedKeyUsages: row.extendedKeyUsages,
    constraints: [],
    // Creators of subscribers choose the names.
    allowedSubjects: [subject],
    source: 'subscriber',
    friendlyName: row.commonName,
    pkiSubscriberId: row.id,
    renewedFromId: latest?.isRenewed ? undefined : latest?.id,
  };
  return placeOrder(ctx, authority, { order, isAutomatic }, async (tx) => {
    const now = await lockSubscriber(tx, row);
    requireActive(now);
    if (!saySame(now, row))
      throw conflict('pki_subscriber.changed', 'The subscriber was changed concurrently: try again');
  });
}

/**
 * Issues a certificate to a subscriber, or orders it if the authority is external. It is read from the subscriber.
 *
 * @returns A message for people.
 * @throws DomainError as `issueForSubscriber`.
 */
export async function orderForSubscriber(ctx: Context, ref: SubscriberRef): Promise<string> {
  const row = await requireIssuing(ctx, ref);
  if (row.externalCaId === null) {
    await issueForSubscriber(ctx, ref);
    return 'The certificate is issued';
  }
  await orderTo(ctx, row, undefined, false);
  return 'The certificate is ordered';
}
