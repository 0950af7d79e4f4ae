import { abilityIn, filterInTurns, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  inLongTransaction,
  mapInTurns,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { commitIn, describeCommit, type Scope } from '../commit/index.ts';
import { foldersAt, lockTree, lockTrees, type LockedEnvironment } from '../folder/index.ts';
import { lockImports } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import {
  deletedPersonalAt,
  deletedSecretsAt,
  fieldsOf,
  requireNotPublished,
  restoreDeletedSecrets,
  restorePersonalValues,
  restoreSecrets,
  secretPermissions,
  withDeletedTags,
  type PastSecretRow,
  type PastState,
  type RestoredSecret,
  type SeenRestored,
  type Written,
} from '../secret/index.ts';
import { restoreFolders, type Standing } from '../tree/index.ts';
import { treeRestored, type Restore, type Restored, type TreeRestored } from './history.ts';
import { revisionAt } from './moment.ts';
import { pastOf, type Past } from './past.ts';
import { authorizeHistory } from './permission.ts';
import { placesOf } from './read.ts';

/**
 * Restores a folder with its subtree to an earlier state, or that folder of every environment that had it: its folders
 * and shared secrets, with their values, comments, tags and metadata. Imports, and dynamic secrets in folders that
 * stay, are unchanged, and so is what rotations manage. The rest is all or nothing, in one commit, which can itself be
 * reverted. Personal values follow the secrets that they override. Tags that were deleted since are created again.
 *
 * @throws DomainError 403 without the permission for each step, or if it would disclose what the caller may not read;
 * 404 if there was no such folder, 400 without a moment.
 */
export async function restoreTree(ctx: Context, input: Restore): Promise<Restored> {
  await authorizeHistory(ctx, 'restore', 'commits', input.projectId);
  if (input.at === undefined && input.revision === undefined)
    throw badRequest('history.moment', 'Send the time or the revision to restore');
  return inLongTransaction(ctx, (tx) => restoreIn(tx, input));
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
  const kept: string[] = [];
  const unplaced = new Map<string, string>();
  let [folders, isRenamed] = [0, false];
  for (const [tree, past] of pasts) {
    const restored = await restoreFolders(tx, tree, secretPath, past.folders);
    for (const [id, folder] of restored.standing) standing.set(id, folder);
    kept.push(...restored.kept);
    for (const [id, path] of restored.unplaced) unplaced.set(id, path);
    folders += restored.changes;
    isRenamed ||= restored.isRenamed;
  }
  const secretsThen = [...pasts.values()].flatMap((past) => past.secrets);
  const states = await statesOf(secretsThen, { standing, unplaced });
  const folderIds = [...[...standing.values()].map((folder) => folder.id), ...kept];
  const by = await restorerOf(tx, scope);
  const { restored, left: leftOut } = await restoreSecrets(tx, scope, by, {
    folderIds,
    states,
    unplaced: new Set(unplaced.keys()),
    isRenamed,
    written,
  });
  const all = await mapInTurns(restored, 1, withoutFields);
  recordRestored(tx, projectId, { environment, secretPath, revision, secrets: all, secretCount: all.length, folders });
  const seen = await filterInTurns(restored, ({ fields }) => by.ability.can(secretPermissions.describeSecret, fields));
  const secrets = await mapInTurns(seen, 1, withoutFields);
  if (folders + all.length === 0) return { revision, commitId: null, secrets, leftOut, folders };
  // A reader of a commit may not see the folder: do not disclose its path.
  describeCommit(tx, scope, input.message ?? `Restored to revision ${revision}`);
  return { revision, commitId: commitIn(tx, scope, []), secrets, leftOut, folders };
}

const restorerOf = async (tx: Transaction, { organizationId, projectId }: Scope) => ({
  ability: await abilityIn(tx, projectId),
  keys: await tx.keys.project(organizationId, projectId),
});

interface Places {
  readonly standing: ReadonlyMap<string, Standing>;
  /** Of secrets that are left out. */
  readonly unplaced?: ReadonlyMap<string, string>;
}

/** Secrets as they were, and as they are restored in the folders that exist now. */
const statesOf = (rows: readonly PastSecretRow[], { standing, unplaced }: Places): Promise<PastState[]> =>
  mapInTurns(rows, 2, (row) => {
    const { id: folderId, path } = standing.get(row.folderId) ?? {
      id: row.folderId,
      path: unplaced!.get(row.folderId)!,
    };
    return { was: fieldsOf(row), wanted: { ...row, folderId, path } };
  });

const withoutFields = ({ fields: _, ...secret }: SeenRestored): RestoredSecret => secret;

/** Maximum number of secrets that an event lists. */
const MAX_LISTED = 10_000;

const recordRestored = (tx: Transaction, projectId: string, data: TreeRestored): void =>
  record(tx, treeRestored, { ...data, secrets: data.secrets.slice(0, MAX_LISTED) }, { projectId });

interface DeletedContents {
  readonly projectId: string;
  readonly environment: string;
  /** The last one before the deletion. */
  readonly revision: number;
  readonly deletedAt: Date;
}

/**
 * Restores everything in a deleted environment that has just been created again and is empty, however much it is: some
 * secrets at a time, in the one transaction. Personal values that were deleted with it return to their owners. The names of
 * the project are locked.
 *
 * @throws DomainError 403 without the permission for each step, or if it would disclose what the caller may not read.
 */
export async function restoreEnvironmentIn(
  tx: Transaction,
  { projectId, environment, revision, deletedAt }: DeletedContents,
): Promise<void> {
  const scope = { organizationId: organizationOf(tx), projectId };
  await lockImports(tx, scope);
  await requireNotPublished(tx, projectId, async (written) => {
    const tree = await lockTree(tx, 'exclusive', { ...scope, environment });
    const past = await foldersAt(tx, tree.id, revision);
    const { standing, changes: folders } = await restoreFolders(tx, tree, '/', past);
    const by = await restorerOf(tx, scope);
    const secrets: RestoredSecret[] = [];
    let secretCount = 0;
    for await (const rows of deletedSecretsAt(tx, scope, { environment, folders: past }, revision)) {
      const states = await withDeletedTags(tx, scope, await statesOf(rows, { standing }));
      const restored = await restoreDeletedSecrets(tx, scope, by, { states, here: new Set(), written });
      secretCount += restored.length;
      if (secrets.length < MAX_LISTED)
        for (const { id, key } of restored) secrets.push({ secretId: id, secretKey: key, change: 'added' });
    }
    for await (const rows of deletedPersonalAt(tx, scope, { environment, folders: past }, deletedAt)) {
      const states = await statesOf(rows, { standing });
      await restorePersonalValues(
        tx,
        scope,
        by.keys,
        states.map(({ wanted }) => wanted),
      );
    }
    recordRestored(tx, projectId, { environment, secretPath: '/', revision, secrets, secretCount, folders });
    if (folders + secretCount > 0) describeCommit(tx, scope, `Restored to revision ${revision}`);
  });
}
