import { statement, type Transaction } from '../../kernel/index.ts';
import { rotationWork } from './work.ts';

const SCHEDULE = statement('secret_rotation.schedule', 'update secret_rotations set due_at = $2 where id = $1');

/** Sets when a rotation is due, with its job. */
export async function scheduleAt(
  tx: Transaction,
  { id, organizationId }: { readonly id: string; readonly organizationId: string },
  dueAt: Date | null,
): Promise<void> {
  await tx.sql(SCHEDULE, [id, dueAt]);
  if (dueAt) rotationWork.enqueue(tx, { id, organizationId, dueAt });
}
