import { statement, type Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity } from './connection.entity.ts';

/** Not `for update`: a sync that changes its row twice checks its foreign key, and would wait while others wait for it. */
const LOCK = statement('app_connection.lock', 'select id from app_connections where id = $1 for no key update');
const LOCK_SHARED = statement('app_connection.lock_shared', 'select id from app_connections where id = $1 for share');

/** Locks a connection before the syncs that use it; null if it was deleted meanwhile. */
export async function lockConnection(
  tx: Transaction,
  id: string,
  mode: 'read' | 'write',
): Promise<AppConnectionEntity | null> {
  await tx.sql(mode === 'read' ? LOCK_SHARED : LOCK, [id]);
  return tx.em.findOne(AppConnectionEntity, { id }, { refresh: true });
}
