import type { RequiredEntityData } from '@mikro-orm/core';
import type { Transaction } from '../../kernel/index.ts';
import { AppConnectionEntity } from './connection.entity.ts';

/** Adds a connection. The right was checked before. */
export async function addConnection(
  tx: Transaction,
  connection: RequiredEntityData<AppConnectionEntity>,
): Promise<AppConnectionEntity> {
  const row = tx.em.create(AppConnectionEntity, connection);
  await tx.em.persist(row).flush();
  return row;
}
