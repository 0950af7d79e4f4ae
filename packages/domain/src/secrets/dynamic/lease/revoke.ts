import { inTransaction, record, statement, type Context } from '../../../kernel/index.ts';
import {
  DELETING,
  dynamicSecretDeleted,
  dynamicSecretPermissions,
  type DeleteDynamicSecret,
  type DynamicSecret,
} from '../dynamic-secret.ts';
import { dynamicSecretOf, eventData, findDynamicSecret, lockDynamicSecret, toDynamicSecret } from '../find.ts';
import { closeLease, keepForLater, revokeThere } from './end.ts';
import { hold, isBusy } from './hold.ts';
import type { Lease, RevokeLease } from './lease.ts';
import { findLease, toLease } from './row.ts';
import { ASK_WHEN_DUE } from './schedule.ts';

const ENDING = statement(
  'lease.ending',
  `update dynamic_secret_leases set phase = 'ending', due_at = held_until where id = $1 returning id`,
);

/**
 * Takes a login out of the other system, and its lease out of the books.
 *
 * @throws DomainError 404, 403; 400 with what the other system said: the lease then shows it, and is tried again. Forced,
 * the lease is forgotten all the same.
 */
export async function revokeLease(ctx: Context, input: RevokeLease): Promise<Lease> {
  const { isForced } = input;
  const { of, lease: asked } = await findLease(ctx, input, dynamicSecretPermissions.lease);
  const lease = await hold(ctx, asked.id);
  if (!lease) throw isBusy();
  // Should this be the last that this process does, its job carries it out.
  await ctx.sql(ENDING, [lease.id]);
  const found = { lease, of };
  const { error } = await revokeThere(ctx, found);
  if (error !== undefined && !isForced) {
    await keepForLater(ctx, found, { error });
    throw error;
  }
  await closeLease(ctx, found, { isForced, isRevoked: error === undefined });
  return toLease(lease);
}

const MARK = statement(
  'dynamic_secret.mark',
  `update dynamic_secrets set status = '${DELETING}', status_details = null where id = $1`,
);
const END_ALL = statement(
  'lease.end_all',
  `with l as (update dynamic_secret_leases set phase = 'ending', due_at = $2 where dynamic_secret_id = $1 returning *)
   select ${ASK_WHEN_DUE} from l`,
);
const FORGET_ALL = statement(
  'lease.forget_all',
  `with gone as (delete from dynamic_secret_leases where dynamic_secret_id = $1 returning id)
   select graphile_worker.remove_job('lease:' || id) is not null as was_waiting from gone`,
);
const DELETE = statement('dynamic_secret.delete', 'delete from dynamic_secrets where id = $1');

/**
 * Deletes a dynamic secret. One with leases is marked and goes when the last of them is revoked, which begins at once;
 * forced, it goes now and whatever its leases stand for is left where it is.
 *
 * @throws DomainError 404, 403.
 */
export async function deleteDynamicSecret(ctx: Context, input: DeleteDynamicSecret): Promise<DynamicSecret> {
  const { isForced } = input;
  const row = await findDynamicSecret(ctx, input, dynamicSecretPermissions['delete-root-credential']);
  return inTransaction(ctx, async (tx) => {
    await lockDynamicSecret(tx, row.id);
    const leases = isForced ? await tx.sql(FORGET_ALL, [row.id]) : await tx.sql(END_ALL, [row.id, tx.now()]);
    if (leases.length > 0 && !isForced) {
      await tx.sql(MARK, [row.id]);
      return toDynamicSecret(await dynamicSecretOf(tx, row.organization_id, row.id));
    }
    await tx.sql(DELETE, [row.id]);
    record(
      tx,
      dynamicSecretDeleted,
      { ...eventData(row), isForced, leases: leases.length },
      { projectId: row.project_id },
    );
    return toDynamicSecret(row);
  });
}
