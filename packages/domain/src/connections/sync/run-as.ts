import { statement, type Transaction } from '../../kernel/index.ts';
import type { RunAs } from '../../secrets/import/replication/index.ts';

const RUN_ALL_AS = statement('secret_syncs.run_all_as', 'update secret_syncs set run_as = $2 where connection_id = $1');

/** Makes the syncs by a connection run as an actor, who has the rights to what they do. */
export const runAllAs = async (tx: Transaction, connectionId: string, runAs: RunAs | undefined): Promise<void> =>
  void (await tx.sql(RUN_ALL_AS, [connectionId, runAs ? JSON.stringify(runAs) : null]));
