import {
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { watchImport } from '../coverage/index.ts';
import type { EnvironmentEntity } from '../environment/index.ts';
import { lockTree, type FoundFolder } from '../folder/index.ts';
import { requireNotPublished } from '../secret/index.ts';
import { lockImports, requireNoCycle } from './cycle.ts';
import { SecretImportEntity } from './import.entity.ts';
import { importCreated, importPermissions, type CreateSecretImport, type SecretImport } from './import.ts';
import { requireMayOverride } from './override.ts';
import { findSource, lockPlace, requireReadableWhereCopied, rightIn } from './place.ts';
import { formerPosition, nextPosition, type FormerImport } from './position.ts';
import { beginReplication } from './replication/index.ts';
import { eventData, side, sourceOf, toImport, watched } from './row.ts';

explainConstraint('secret_imports_source_unique', 'The folder already imports this environment and path');

const requireFewImports = fewIn('folder', {
  table: 'secret_imports',
  most: 1_000,
  code: 'secret_import.too_many_in_folder',
  of: 'imports',
});

/**
 * Creates an import of another folder.
 *
 * @throws DomainError 403 without `secret-imports: create` here (for a replication also if it ends) or `describeSecret` on the
 * source, and where it would override other imports (see `requireMayOverride`); 404 for an unknown
 * folder or source environment, 400 with the cycle that the import would close, and for an existing source.
 */
export const createSecretImport = (ctx: Context, input: CreateSecretImport): Promise<SecretImport> =>
  create(ctx, input, { check: requireMayOverride });

/** The same in a folder whose other imports the caller has created in this transaction. */
export const createFurtherImport = (tx: Transaction, input: CreateSecretImport): Promise<SecretImport> =>
  create(tx, input, {});

/** Creates an import that was deleted with its environment, where it was among the others of its folder. @throws as `createSecretImport` */
export const restoreSecretImport = (
  tx: Transaction,
  input: CreateSecretImport,
  former: FormerImport,
): Promise<SecretImport> => create(tx, input, { former });

interface Options {
  /** Checks the right to override the imports of the folder, which are locked. */
  readonly check?: (tx: Transaction, folder: FoundFolder) => Promise<void>;
  readonly former?: FormerImport;
}

function create(ctx: Context, input: CreateSecretImport, { check, former }: Options): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const folder = await lockPlace(tx, input, importPermissions.create);
    const source = await findSource(tx, input.projectId, input.import);
    await lockImports(tx, folder);
    await check?.(tx, folder);
    return requireNotPublished(tx, input.projectId, () => createHeld(tx, input, { folder, source, former }));
  });
}

async function createHeld(
  tx: Transaction,
  input: CreateSecretImport,
  { folder, source, former }: { folder: FoundFolder; source: EnvironmentEntity; former: FormerImport | undefined },
): Promise<SecretImport> {
  if (input.isReplication) await lockTree(tx, 'shared', { ...folder, environment: folder.environmentSlug });
  const row = tx.em.create(SecretImportEntity, {
    id: former?.id ?? newId(),
    organizationId: folder.organizationId,
    projectId: folder.projectId,
    folderId: folder.id,
    importEnvironmentId: source.id,
    importPath: input.import.path,
    position: former ? await formerPosition(tx, folder, former) : await nextPosition(tx, folder),
    isReplication: input.isReplication,
  });
  await tx.em.persist(row).flush();
  await requireFewImports(tx, folder.id);
  await requireNoCycle(tx, folder, [folder], { environment: source.slug, secretPath: row.importPath });
  await watchImport(tx, folder, { ...watched(row, input), before: null, after: side(row, source) });
  const copied = sourceOf(row, source);
  const right = rightIn(folder, importPermissions.create);
  if (row.isReplication) await beginReplication(tx, folder, row, { source: copied, right });
  else await requireReadableWhereCopied(tx, folder, copied);
  touch(tx, folder);
  record(tx, importCreated, eventData(row, input, source.slug), { projectId: input.projectId });
  return toImport(row, source);
}
