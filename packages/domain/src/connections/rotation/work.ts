import { lanes, WorkTable, type Claimed, type Due } from '../../jobs/index.ts';
import type { Context } from '../../kernel/index.ts';
import { BUDGET_MS, CONNECTION_ACCOUNT } from '../connection/index.ts';

/** Milliseconds for which a rotation is claimed: longer than its work can take. */
export const CLAIM_MS = 3 * BUDGET_MS;

/** Rotations as reconciled work: due by their schedule, or after a failure. */
export const rotationWork = new WorkTable({
  table: 'secret_rotations',
  claimMs: CLAIM_MS,
  account: CONNECTION_ACCOUNT,
  orphanedAfterMs: 60_000,
  job: {
    name: 'secret_rotation.rotate',
    idName: 'rotationId',
    key: 'secret_rotation',
    // Behind what people wait for.
    priority: 10,
    maxAttempts: 3,
    queueOf: lanes('rotations'),
  },
});

/** Claims a rotation for somebody who waits, due or not; `undefined` where another worker has it. */
export const claimNow = (
  ctx: Context,
  { id, organizationId }: Pick<Due, 'id' | 'organizationId'>,
): Promise<Claimed<object> | undefined> => rotationWork.claim(ctx, { id, organizationId }, { isAlways: true });
