import { inTransaction, record, type Context } from '../../kernel/index.ts';
import { withdrawReplication } from '../approval/index.ts';
import { touch } from '../commit/index.ts';
import { watchImport } from '../coverage/index.ts';
import { lockImports } from './cycle.ts';
import { importDeleted, importPermissions, type DeleteSecretImport, type SecretImport } from './import.ts';
import { findImport, lockPlace } from './place.ts';
import { renumber } from './position.ts';
import { eventData, side, sourceEnvironment, toImport, watched } from './row.ts';

/** Deletes an import, and the copies of a replication; those above it move down. */
export function deleteSecretImport(ctx: Context, input: DeleteSecretImport): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const folder = await lockPlace(tx, input, importPermissions.delete);
    await lockImports(tx, folder);
    const row = await findImport(tx, folder, input.secretImportId);
    const source = await sourceEnvironment(tx, row);
    const deleted = toImport(row, source);
    await watchImport(tx, folder, { ...watched(row, input), before: side(row, source), after: null });
    await withdrawReplication(tx, row.id);
    touch(tx, folder);
    record(tx, importDeleted, eventData(row, input, source.slug), { projectId: input.projectId });
    await tx.em.remove(row).flush();
    await renumber(tx, folder);
    return deleted;
  });
}
