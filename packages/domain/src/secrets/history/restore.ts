import { abilityIn, authorize, organizationOf } from '../../access/index.ts';
import { badRequest, inTransaction, notFound, record, type Context, type Transaction } from '../../kernel/index.ts';
import { commitIn, describeCommit, type Scope } from '../commit/index.ts';
import { lockTree, lockTrees, type LockedEnvironment } from '../folder/index.ts';
import { lockImports } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import { fieldsOf, requireNotPublished, restoreSecrets, type Written } from '../secret/index.ts';
import { restoreFolders, type Standing } from '../tree/index.ts';
import { commitPermissions, treeRestored, type Restore, type Restored } from './history.ts';
import { revisionAt } from './moment.ts';
import { pastOf, type Past } from './past.ts';
import { placesOf } from './read.ts';

/**
 * Restores a folder with its subtree to an earlier state, or that folder of every environment that had it: its folders
 * and shared secrets, with their values, comments, tags and metadata. Imports, and dynamic secrets in folders that
 * stay, are unchanged. All or nothing, in one commit, which can itself be reverted. Personal values follow the secrets
 * that they override.
 *
 * @throws DomainError 403 without the permission for each step, or if it would disclose what the caller may not read;
 * 404 if there was no such folder, 400 without a moment.
 */
export async function restoreTree(ctx: Context, input: Restore): Promise<Restored> {
  await authorize(ctx, commitPermissions['perform-rollback'], { projectId: input.projectId });
  if (input.at === undefined && input.revision === undefined)
    throw badRequest('history.moment', 'Send the time or the revision to restore');
  return inTransaction(ctx, (tx) => restoreIn(tx, input));
}

/** The same after the check of the permission to restore. */
export async function restoreIn(tx: Transaction, input: Restore): Promise<Restored> {
  const { projectId } = input;
  const scope = { organizationId: organizationOf(tx), projectId };
  await lockNames(tx, 'exclusive', scope);
  await lockImports(tx, scope);
  return requireNotPublished(tx, projectId, (written) => restoreHeld(tx, scope, input, written));
}

async function restoreHeld(tx: Transaction, scope: Scope, input: Restore, written: Written): Promise<Restored> {
  const { projectId, environment = null, secretPath } = input;
  const trees =
    environment === null ? await lockTrees(tx, scope) : [await lockTree(tx, 'exclusive', { ...scope, environment })];
  const revision = await revisionAt(tx, projectId, input);
  const pasts = new Map<LockedEnvironment, Past>();
  for (const tree of trees) {
    const [place] = await placesOf(tx, { projectId, environment: tree.slug, secretPath });
    const past = await pastOf(tx, scope, place!, revision);
    if (past.folders.length > 0) pasts.set(tree, past);
  }
  if (pasts.size === 0) throw notFound('folder', { environment, path: secretPath, revision });
  const standing = new Map<string, Standing>();
  let [folders, isRenamed] = [0, false];
  for (const [tree, past] of pasts) {
    const restored = await restoreFolders(tx, tree, secretPath, past.folders);
    for (const [id, folder] of restored.standing) standing.set(id, folder);
    folders += restored.changes;
    isRenamed ||= restored.isRenamed;
  }
  const rows = [...pasts.values()].flatMap((past) => past.secrets);
  const wanted = rows.map((row) => {
    const folder = standing.get(row.folderId)!;
    return { ...row, folderId: folder.id, path: folder.path };
  });
  const was = new Map(rows.map((row) => [row.id, fieldsOf(row)]));
  const folderIds = [...standing.values()].map((folder) => folder.id);
  const by = {
    ability: await abilityIn(tx, projectId),
    keys: await tx.keys.project(scope.organizationId, projectId),
  };
  const secrets = await restoreSecrets(tx, scope, by, { folderIds, wanted, was, isRenamed, written });
  record(tx, treeRestored, { environment, secretPath, revision, secrets, folders }, { projectId });
  if (folders + secrets.length === 0) return { revision, commitId: null, secrets, folders };
  // A reader of a commit may not see the folder: do not disclose its path.
  describeCommit(tx, scope, input.message ?? `Restored to revision ${revision}`);
  return { revision, commitId: commitIn(tx, scope, []), secrets, folders };
}
