import { givenFields, inTransaction, record, type Context } from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { watchImport } from '../coverage/index.ts';
import { lockImports, requireNoCycle } from './cycle.ts';
import { importPermissions, importUpdated, type SecretImport, type UpdateSecretImport } from './import.ts';
import { requireNotPublished } from '../secret/index.ts';
import { findImport, findSource, lockPlace, requireReadableWhereCopied, rightIn } from './place.ts';
import { reposition } from './position.ts';
import { isReplicated, setRunAs } from './replication/index.ts';
import { eventData, side, sourceEnvironment, sourceOf, toImport, watched } from './row.ts';

/**
 * Updates the source of an import, or its position: the others make room. The present source is no change.
 *
 * @throws DomainError 403 without `secret-imports: edit` here, or without the rights to another source that creating the
 * import would need; 404 for an unknown folder, import or source environment, 400 with the cycle that it would close.
 */
export function updateSecretImport(ctx: Context, input: UpdateSecretImport): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const folder = await lockPlace(tx, input, importPermissions.edit);
    await lockImports(tx, folder);
    const row = await findImport(tx, folder, input.secretImportId);
    const present = await sourceEnvironment(tx, row);
    const { environment = present.slug, path = row.importPath, position } = input.import;
    const isMoved = environment !== present.slug || path !== row.importPath;
    const source = isMoved ? await findSource(tx, input.projectId, { environment, path }) : present;
    const before = side(row, present);
    const of = watched(row, input);
    const change = async () => {
      tx.em.assign(row, {
        importEnvironmentId: source.id,
        importPath: path,
        version: row.version + 1,
        updatedAt: tx.now(),
      });
      await tx.em.flush();
      if (position !== undefined) await reposition(tx, folder, row, position);
      if (isMoved) await requireNoCycle(tx, folder, [folder], { environment: source.slug, secretPath: row.importPath });
      await watchImport(tx, folder, { ...of, before, after: side(row, source) });
      if (!isMoved) return;
      const copied = sourceOf(row, source);
      const right = rightIn(folder, importPermissions.edit);
      if (await isReplicated(tx, row)) await setRunAs(tx, folder, row.id, { source: copied, right });
      else await requireReadableWhereCopied(tx, folder, copied);
    };
    if (isMoved) await requireNotPublished(tx, input.projectId, change);
    else await change();
    touch(tx, folder);
    const data = { ...eventData(row, input, source.slug), changed: givenFields(input.import) };
    record(tx, importUpdated, data, { projectId: input.projectId });
    return toImport(row, source);
  });
}
