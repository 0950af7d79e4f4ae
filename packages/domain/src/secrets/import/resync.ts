import { badRequest, inTransaction, record, statement, type Context } from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { lockTree } from '../folder/index.ts';
import { lockImports } from './cycle.ts';
import { importPermissions, type ResyncReplication } from './import.ts';
import { findImport, lockPlace, rightIn } from './place.ts';
import {
  beginReplication,
  isReplicated,
  mayReplicate,
  replicationResynced,
  replications,
  setRunAs,
} from './replication/index.ts';
import { sourceEnvironment, sourceOf } from './row.ts';

const ASK_ANEW = statement(
  'secret_imports.ask_anew',
  `update secret_imports set replication_due = $2, replication_failures = 0, replication_digest = null where id = $1`,
);

/**
 * Replicates again as soon as possible. If the caller may read the whole source, and may edit the import without an end, the
 * replication runs as the caller from then on; otherwise its actor stays.
 *
 * @throws DomainError 403 without `secret-imports: edit`, 404 for an unknown import, 400 for one that does not
 * replicate.
 */
export function resyncReplication(ctx: Context, input: ResyncReplication): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const folder = await lockPlace(tx, input, importPermissions.edit);
    await lockImports(tx, folder);
    await lockTree(tx, 'shared', { ...folder, environment: folder.environmentSlug });
    const row = await findImport(tx, folder, input.secretImportId);
    if (!row.isReplication) throw badRequest('secret_import.no_replication', 'This import is not a replication');
    const source = sourceOf(row, await sourceEnvironment(tx, row));
    const setUp = { source, right: rightIn(folder, importPermissions.edit) };
    if (!(await isReplicated(tx, row))) await beginReplication(tx, folder, row, setUp);
    else if (await mayReplicate(tx, setUp)) await setRunAs(tx, folder, row.id, setUp);
    else {
      await tx.sql(ASK_ANEW, [row.id, tx.now()]);
      replications.enqueue(tx, row);
    }
    touch(tx, folder);
    const { environment, path: secretPath, projectId } = input;
    record(tx, replicationResynced, { environment, secretPath, secretImportId: row.id }, { projectId });
  });
}
