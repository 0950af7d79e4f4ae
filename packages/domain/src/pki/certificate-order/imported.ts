import { absentActor, actingAs } from '../../access/index.ts';
import { at, isPermitted, type Context, type Transaction } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';
import {
  authorizeCertificateById,
  certificateFactsOf,
  certificatePermissions,
  requireRevocable,
  type StoredCertificate,
  type Taking,
} from '../certificate/index.ts';
import type { OrderRow } from './stored.ts';

/*
 * A certificate that somebody has imported is theirs, also if an order is answered with the same one: whoever has ordered or cancelled
 * needs the rights to it by which they could change or revoke it otherwise. A bare copy belongs to the order: it was not there before
 * the order, and its importer has not shown that they hold its key.
 */

/** Whether an imported certificate was there before the order: it was not issued for it. */
const isOlder = ({ createdAt }: OrderRow, imported: StoredCertificate): boolean =>
  at(imported.createdAt) < at(createdAt);

const isBareCopy = (order: OrderRow, imported: StoredCertificate): boolean =>
  !imported.hasPrivateKey && !isOlder(order, imported);

/** How an order may have a certificate that was imported before it was answered. */
export async function takingOf(tx: Transaction, order: OrderRow, imported: StoredCertificate): Promise<Taking> {
  if (isBareCopy(order, imported)) return 'renamed';
  const { requester, privateKey } = order;
  // An order that was placed automatically shows by its key that the certificate is its own.
  const may = requester ? await mayTake(await actingFor(tx, order, requester), imported) : privateKey !== null;
  return may ? 'as it is named' : 'no';
}

const mayTake = async (acting: Context | undefined, imported: StoredCertificate): Promise<boolean> =>
  acting !== undefined &&
  isPermitted(async () => {
    const { edit, 'read-private-key': readKey } = certificatePermissions;
    const { projectId, hasPrivateKey } = imported;
    for (const permission of hasPrivateKey ? [edit, readKey] : [edit])
      await authorizeCertificateById(acting, permission, projectId, certificateFactsOf(imported));
  });

/**
 * The imported copies that are revoked together with the certificate of an order that has ended.
 *
 * @param copies All in the organization that are not revoked.
 * @returns absent if the certificate may not be revoked: it was not issued for the order, or is in use.
 */
export async function revokedWith(
  tx: Transaction,
  order: OrderRow,
  copies: readonly StoredCertificate[],
): Promise<readonly StoredCertificate[] | undefined> {
  if (copies.some((copy) => isOlder(order, copy))) return undefined;
  // No order is for the certificate of an authority: what is known of its status here ends authorities.
  const leaves = copies.filter(({ isCa }) => !isCa);
  const acting = order.canceller ? await actingFor(tx, order, order.canceller) : undefined;
  if (acting) return revokedBy(acting, order, leaves);
  // Nobody is asked for an order that has failed, or ends with its project, and nobody can be where the canceller is gone.
  const own = leaves.filter(({ projectId }) => projectId === order.projectId);
  return own.every((copy) => isBareCopy(order, copy)) ? own : undefined;
}

/** The same for a canceller. What they may not revoke keeps its status, and the certificate from being revoked unless it is a bare copy. */
async function revokedBy(
  acting: Context,
  order: OrderRow,
  copies: readonly StoredCertificate[],
): Promise<readonly StoredCertificate[] | undefined> {
  const revocable: StoredCertificate[] = [];
  for (const copy of copies)
    if (await mayRevoke(acting, copy)) revocable.push(copy);
    else if (!isBareCopy(order, copy)) return undefined;
  return revocable;
}

const mayRevoke = (acting: Context, copy: StoredCertificate): Promise<boolean> =>
  isPermitted(async () => {
    const { delete: revoke } = certificatePermissions;
    await authorizeCertificateById(acting, revoke, copy.projectId, certificateFactsOf(copy));
    await requireRevocable(acting, copy);
  });

/** A context of an actor who is not the caller; absent if they are gone. */
async function actingFor(tx: Transaction, order: OrderRow, who: RunAs): Promise<Context | undefined> {
  const actor = await absentActor(tx, order, who);
  return actor && actingAs(tx, actor);
}
