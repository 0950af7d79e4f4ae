import { newId, statement, type Ability, type KeySet, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { lockSecretsOf } from './archive.ts';
import { differingFields, pairs, secretPlace } from './difference.ts';
import { presentFields } from './present-names.ts';
import { mayRefer } from './reference/reference.ts';
import type { Written } from './published.ts';
import { originOf, targetOf } from './reference/find.ts';
import { draftReferrers, placesAfter, retargeted } from './reference/retarget.ts';
import { referencesOfWrite, requireReadable, storeReferences } from './reference/store.ts';
import { requireMayRestore, type Restoring } from './restore-rights.ts';
import { fieldsOf, SECRET_COLUMNS, SECRET_TABLES, valueOf, type SecretFields, type SecretRow } from './row.ts';
import { StoredVersions } from './stored-versions.ts';
import { draftFields, draftOf, insertSecrets, removeSecrets, replaceSecrets, type Draft } from './write.ts';

const LOCK_FOLDERS = statement(
  'secrets.lock_folders',
  'select id from folders where id = any($1::uuid[]) order by id for update',
);
const OF_FOLDERS = statement(
  'secrets.all_of_folders',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES} where s.project_id = $1 and s.folder_id = any($2::uuid[])
   order by s.id for update of s`,
);
const LAST_VERSIONS = statement(
  'secret_versions.last',
  'select secret_id as id, max(version) as version from secret_versions where secret_id = any($1::uuid[]) group by secret_id',
);

export interface RestoredSecret {
  readonly secretId: string;
  readonly secretKey: string;
  readonly change: 'added' | 'changed' | 'removed';
}

interface Wanted {
  readonly folderIds: readonly string[];
  readonly wanted: readonly SecretRow[];
  /** What rules saw of them at the moment that is restored, by id. */
  readonly was: ReadonlyMap<string, SecretFields>;
  /** Whether some of the folders have just got another path. */
  readonly isRenamed: boolean;
  /** Collects the restored versions. */
  readonly written: Written;
}

/**
 * Restores the shared secrets of some folders: `wanted`, in folders with their current IDs and paths. Changed ones get
 * a new version, deleted ones are recreated with their ID and history (with a new ID if they exist elsewhere), and
 * additional ones are deleted. Each step needs its own permission, and none may disclose former contents to actors who
 * may not see them. References follow renamed and moved secrets; the names of the project are locked.
 */
export async function restoreSecrets(
  tx: Transaction,
  scope: Scope,
  { ability, keys }: { ability: Ability; keys: KeySet },
  { folderIds, wanted, was, isRenamed, written: noted }: Wanted,
): Promise<RestoredSecret[]> {
  const living = await lockContent(tx, scope, folderIds);
  const shared = living.filter((row) => row.userId === null);
  const all = pairs(shared, wanted, secretPlace);
  const removed = all.flatMap(({ before, after }) => (before && !after ? before : []));
  const changed = all.flatMap(({ before, after }) =>
    before && after && differingFields(keys, before, after).length > 0 ? { before, after } : [],
  );
  const added = all.flatMap(({ before, after }) => (after && !before ? after : []));
  const here = new Set(shared.map((row) => row.id));
  const past = [...changed.map(({ after }) => after), ...added];
  const elsewhere = await presentFields(
    tx,
    scope,
    past.flatMap(({ id }) => (here.has(id) ? [] : id)),
  );
  const stored = await StoredVersions.of(tx, scope, ability, past);
  const replacements = changed.map(({ before, after }) => successor(keys, before, after));
  const arrivals = await newDrafts(tx, keys, added, elsewhere);
  const written = [...replacements, ...arrivals];
  const restoring = written.map((draft, index): Restoring => {
    const row = past[index]!;
    const now = changed[index] && fieldsOf(changed[index].before);
    const before = [was.get(row.id)!, ...stored.fieldsOf(row)];
    return { now, was: before, elsewhere: elsewhere.get(row.id), after: draftFields(draft) };
  });
  for (const [index, { was: fields }] of restoring.entries()) noted.restored(written[index]!.id, fields);
  await requireMayRestore(tx, scope, ability, { removed: removed.map(fieldsOf), restoring });
  await requireReadable(
    tx,
    scope.projectId,
    referencesOfWrite(written.map((draft) => ({ ...draft, value: draft.text.value }))),
  );

  const gone = new Set(removed.map(secretPlace));
  const removals = living.filter((row) => gone.has(secretPlace(row)));
  if (removals.length > 0)
    await removeSecrets(
      tx,
      scope,
      removals.map((row) => row.id),
    );
  const kept = living.filter((row) => !gone.has(secretPlace(row)));
  await replaceSecrets(tx, scope, [...replacements, ...(await draftFollowers(tx, scope, keys, { kept, changed }))]);
  if (arrivals.length > 0) await insertSecrets(tx, scope, arrivals, 'These secret names were just created');

  if (isRenamed) await noteReferences(tx, scope, keys, folderIds);

  const as = (change: RestoredSecret['change']) => (one: { id: string; key: string }) => ({
    secretId: one.id,
    secretKey: one.key,
    change,
  });
  return [...removed.map(as('removed')), ...replacements.map(as('changed')), ...arrivals.map(as('added'))];
}

/**
 * The current contents of some folders, locked against additions. Locked after the secrets, like writes in a folder do.
 */
async function lockContent(tx: Transaction, { projectId }: Scope, folderIds: readonly string[]): Promise<SecretRow[]> {
  await lockSecretsOf(tx, folderIds);
  await tx.sql(LOCK_FOLDERS, [folderIds]);
  return tx.sql<SecretRow>(OF_FOLDERS, [projectId, folderIds]);
}

/** The next version of a secret, with the content of an older one. */
function successor(keys: KeySet, living: SecretRow, past: SecretRow): Draft {
  const { version, createdAt, before } = draftOf(keys, living);
  return { ...draftOf(keys, past), id: living.id, version, createdAt, before };
}

/** Deleted secrets; those that exist `elsewhere` are recreated as copies. */
async function newDrafts(
  tx: Transaction,
  keys: KeySet,
  rows: readonly SecretRow[],
  elsewhere: ReadonlyMap<string, unknown>,
): Promise<Draft[]> {
  if (rows.length === 0) return [];
  const last = await tx.sql<{ id: string; version: number }>(LAST_VERSIONS, [rows.map((row) => row.id)]);
  const versions = new Map(last.map((row) => [row.id, row.version]));
  return rows.map((row) => {
    const { before: _, ...draft } = draftOf(keys, row);
    return elsewhere.has(row.id)
      ? { ...draft, id: newId(), version: 1, createdAt: null }
      : { ...draft, version: (versions.get(row.id) ?? row.version) + 1 };
  });
}

interface Followed {
  /** The secrets that stay in the folders. */
  readonly kept: readonly SecretRow[];
  readonly changed: readonly { readonly before: SecretRow; readonly after: SecretRow }[];
}

/** Changes because of renamed and moved secrets: their personal values, and references to them. */
async function draftFollowers(
  tx: Transaction,
  scope: Scope,
  keys: KeySet,
  { kept, changed }: Followed,
): Promise<Draft[]> {
  const moved = changed.filter(({ before, after }) => secretPlace(before) !== secretPlace(after));
  if (moved.length === 0) return [];
  const moves = moved.map(({ before, after }) => ({ from: targetOf(before), to: targetOf(after) }));
  const locationOf = placesAfter(moves);
  const afterOf = new Map(moved.map(({ before, after }) => [secretPlace(before), after]));
  const personal = kept.flatMap((row) => {
    const after = row.userId === null ? undefined : afterOf.get(secretPlace(row));
    if (!after) return [];
    const { environment, path, key, folderId } = after;
    return retargeted({ ...draftOf(keys, row), environment, path, key, folderId }, originOf(row), locationOf);
  });
  // The shared ones have their former content, and so do their references.
  const written = [...kept.filter((row) => row.userId === null), ...personal].map(({ id }) => id);
  return [...personal, ...(await draftReferrers(tx, scope, moves, written))];
}

/**
 * The references of the secrets in some folders, recorded again: those without a location depend on the folder's path.
 */
async function noteReferences(
  tx: Transaction,
  scope: Scope,
  keys: KeySet,
  folderIds: readonly string[],
): Promise<void> {
  const rows = await tx.sql<SecretRow>(OF_FOLDERS, [scope.projectId, folderIds]);
  const referrers = rows.map((row) => {
    const { environment, path, key } = row;
    const value = valueOf(keys, row);
    const before = { environment, path, key, value };
    return { id: row.id, isPersonal: row.userId !== null, ...before, before };
  });
  await storeReferences(
    tx,
    scope,
    referrers.filter((referrer) => mayRefer(referrer.value)),
  );
}
