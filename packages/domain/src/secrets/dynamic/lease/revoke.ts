import type { Due } from '../../../jobs/index.ts';
import { inTransaction, record, statement, type Context, type Transaction } from '../../../kernel/index.ts';
import {
  DELETING,
  dynamicSecretDeleted,
  dynamicSecretDeletionStarted,
  dynamicSecretPermissions,
  FAILED_TO_DELETE,
  type DeleteDynamicSecret,
  type DynamicSecret,
} from '../dynamic-secret.ts';
import {
  authorizeOn,
  dynamicSecretOf,
  eventData,
  findDynamicSecret,
  lockDynamicSecret,
  toDynamicSecret,
} from '../find.ts';
import { closeLease, endWhenReleased, retryLater, revokeThere } from './end.ts';
import type { Lease, RevokeLease } from './lease.ts';
import { findLease, leaseById, toLease } from './row.ts';
import { claimLease, leases } from './work.ts';

const { 'edit-root-credential': mayEdit, 'delete-root-credential': mayDelete } = dynamicSecretPermissions;

/**
 * Revokes a lease in the external system and removes it.
 *
 * @throws DomainError 404; 403, also for a lease of another actor, or forced, without the right to edit the root
 * credential; 400 with the error of the external system. The lease then shows it, and is retried. Forced, the response
 * is the lease instead of the error: it has ended for its owner, and stays until the credentials are revoked.
 */
export async function revokeLease(ctx: Context, input: RevokeLease): Promise<Lease> {
  const { isForced } = input;
  const found = await claimLease(ctx, async () => {
    const one = await findLease(ctx, input, mayEdit);
    if (isForced) await authorizeOn(ctx, mayEdit, one.of);
    return one;
  });
  const { lease } = found;
  // Should this be the last that this process does, its job carries it out.
  await endWhenReleased(ctx, lease);
  const { error } = await revokeThere(ctx, found);
  if (error === undefined) {
    await closeLease(ctx, found, { isForced, isRevoked: true });
    return toLease(lease);
  }
  await retryLater(ctx, found, { error }, { isForced });
  if (!isForced) throw error;
  return toLease((await leaseById(ctx, lease.organizationId, lease.id)) ?? lease);
}

const MARK = statement(
  'dynamic_secret.mark',
  `update dynamic_secrets set status = '${DELETING}', status_details = null where id = $1`,
);
const END_ALL = statement(
  'lease.end_all',
  `update dynamic_secret_leases set phase = 'ending', due_at = $2 where dynamic_secret_id = $1
   returning id, organization_id as "organizationId"`,
);
const FORCE = statement(
  'dynamic_secret.force',
  `update dynamic_secrets set name = $2, forced_at = $3 where id = $1 and forced_at is null`,
);
/** Deletes what nobody needs any more, and returns what it was. */
const GIVE_UP_ALL = statement(
  'lease.give_up_all',
  `with gone as (delete from dynamic_secret_leases where dynamic_secret_id = $1 returning id, external_entity_id)
   select external_entity_id as name, graphile_worker.remove_job('lease:' || id) is not null as "wasWaiting" from gone`,
);
const DELETE = statement('dynamic_secret.delete', 'delete from dynamic_secrets where id = $1');

/** How many logins that are given up an event names. */
const NAMED = 100;

/**
 * Deletes a dynamic secret. One with leases is marked, and deleted after the revocation of the last one, which begins
 * immediately. With force, its name is free immediately, and it waits for its leases under another one. One that was
 * forced already and could not be deleted is abandoned by a second forced deletion: the event contains the remaining
 * logins.
 *
 * @throws DomainError 404, 403.
 */
export async function deleteDynamicSecret(ctx: Context, input: DeleteDynamicSecret): Promise<DynamicSecret> {
  const { isForced } = input;
  const found = await findDynamicSecret(ctx, input, mayDelete);
  return inTransaction(ctx, async (tx) => {
    await lockDynamicSecret(tx, found.id);
    // It may have got another name, place or other metadata.
    const row = await dynamicSecretOf(tx, found.organizationId, found.id);
    await authorizeOn(tx, mayDelete, row);
    const isGivenUp = isForced && row.forcedAt !== null && row.status === FAILED_TO_DELETE;
    const { rows, left } = isGivenUp ? await giveUp(tx, row.id) : await endAll(tx, row.id);
    const isWaiting = rows.length > 0 && !isGivenUp;
    const [place, data] = [{ projectId: row.projectId }, { ...eventData(row), leases: rows.length }];
    if (isWaiting && isForced) await tx.sql(FORCE, [row.id, waitingName(row), tx.now()]);
    if (isWaiting) await tx.sql(MARK, [row.id]);
    else await tx.sql(DELETE, [row.id]);
    if (isWaiting && !isForced) record(tx, dynamicSecretDeletionStarted, data, place);
    else record(tx, dynamicSecretDeleted, { ...data, isForced, ...(isGivenUp && { left }) }, place);
    return toDynamicSecret(isWaiting ? await dynamicSecretOf(tx, row.organizationId, row.id) : row);
  });
}

async function giveUp(tx: Transaction, id: string) {
  const rows = await tx.sql<{ name: string }>(GIVE_UP_ALL, [id]);
  return { rows, left: rows.slice(0, NAMED).map(({ name }) => name) };
}

async function endAll(tx: Transaction, id: string) {
  const rows = await tx.sql<Due>(END_ALL, [id, tx.now()]);
  for (const row of rows) leases.enqueue(tx, row);
  return { rows, left: [] };
}

/** The name of a dynamic secret that waits for its leases after a forced deletion. */
const waitingName = ({ id, name }: { id: string; name: string }): string =>
  `${name.slice(0, 40)}-deleted-${id.slice(-12)}`;
