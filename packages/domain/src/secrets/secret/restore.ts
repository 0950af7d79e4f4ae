import { filterInTurns } from '../../access/index.ts';
import {
  mapInTurns,
  portionsOfRows,
  statement,
  type Ability,
  type KeySet,
  type Transaction,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { lockSecretsOf } from './archive.ts';
import { withDeletedTags } from './deleted-tags.ts';
import { isOtherVersion, pairs, secretPlace, type Changed, type Pair } from './difference.ts';
import {
  ComparedValues,
  differing,
  inReadablePortions,
  pastValues,
  RESTORED_AT_ONCE,
  type PastSecretRow,
} from './past.ts';
import { mayRefer, type Target } from './reference/reference.ts';
import type { Written } from './published.ts';
import { originOf, targetOf } from './reference/find.ts';
import { placesAfter, replaceMoved, retargeted, type TargetMove } from './reference/retarget.ts';
import { recordReferences, referencesOfWrite, requireAcyclic, requireReadable } from './reference/store.ts';
import {
  knownOf,
  restoreDeletedSecrets,
  valuesOf,
  type Arrival,
  type By,
  type Named,
  type PastState,
} from './restore-deleted.ts';
import { requireMayRestore, type Restoring } from './restore-rights.ts';
import { withoutRotated, type LeftOut, type LeftOutReason } from './rotated-names.ts';
import {
  fieldsOf,
  openingCost,
  SECRET_TABLES,
  secretColumns,
  valueOf,
  type FieldRow,
  type SecretFields,
} from './row.ts';
import { secretPermissions } from './secret.ts';
import { RewriteLimit } from './value-limit.ts';
import { draftFields, draftOf, removeSecrets } from './write.ts';
import type { Draft } from './draft.ts';

const LOCK_FOLDERS = statement(
  'secrets.lock_folders',
  'select id from folders where id = any($1::uuid[]) order by id for update',
);
/** All, with the sizes of their values. */
const OF_FOLDERS = statement(
  'secrets.all_of_folders',
  `select ${secretColumns('octet_length(s.value) as "valueBytes"')} from ${SECRET_TABLES}
   where s.project_id = $1 and s.folder_id = any($2::uuid[]) order by s.id for update of s`,
);
export interface RestoredSecret {
  readonly secretId: string;
  readonly secretKey: string;
  readonly change: 'added' | 'changed' | 'removed';
}

/** The same, with what rules see of it: of a deleted one, what they saw last. */
export interface SeenRestored extends RestoredSecret {
  readonly fields: SecretFields;
}

/** A secret that a restoration leaves as it is. */
export interface LeftOutSecret {
  readonly secretId: string;
  readonly secretKey: string;
  readonly environment: string;
  readonly secretPath: string;
  readonly reason: LeftOutReason;
}

interface RestoredSecrets {
  readonly restored: SeenRestored[];
  /** Those that the caller may see. */
  readonly left: LeftOutSecret[];
}

interface Wanted {
  readonly folderIds: readonly string[];
  readonly states: readonly PastState[];
  /** The former IDs of folders that are not recreated: their secrets are left out. */
  readonly unplaced: ReadonlySet<string>;
  /** Whether some of the folders have just got another path. */
  readonly isRenamed: boolean;
  /** Collects the restored versions. */
  readonly written: Written;
}

/** A current secret, with the size of its value. */
type LivingRow = FieldRow & { valueBytes: number };

/**
 * Restores the shared secrets of some folders, in folders with their current IDs and paths. Changed ones get a new
 * version, deleted ones are recreated with their ID and history (with a new ID if they exist elsewhere), and additional
 * ones are deleted. Each step needs its own permission, and none may disclose former contents to actors who may not see
 * them. References follow renamed and moved secrets; the names of the project are locked. What a rotation manages is left
 * out, and what would get a name that a rotation takes. Deleted tags of what is restored are created again.
 *
 * @throws DomainError 403; 400 `history.too_large` if the values of changed ones are too large.
 */
export async function restoreSecrets(
  tx: Transaction,
  scope: Scope,
  by: By,
  { folderIds, states, unplaced, isRenamed, written }: Wanted,
): Promise<RestoredSecrets> {
  const living = await lockContent(tx, scope, folderIds);
  const shared = living.filter((row) => row.userId === null);
  const both = await pairs<LivingRow | PastSecretRow>(
    shared,
    states.map((state) => state.wanted),
    secretPlace,
  );
  const { restored: found, left } = await withoutRotated(tx, scope, { folderIds, unplaced }, both);
  const ids = new Set(found.map(({ after }) => after?.id));
  const tagged = await withDeletedTags(
    tx,
    scope,
    states.filter(({ wanted }) => ids.has(wanted.id)),
  );
  const rows = new Map(tagged.map(({ wanted }) => [wanted.id, wanted]));
  const all = await mapInTurns(found, 1, ({ before, after }): Pair<LivingRow | PastSecretRow> => ({
    before,
    after: after && rows.get(after.id),
  }));
  const was = new Map([...states, ...tagged].map((state) => [state.wanted.id, state.was]));
  const removed = all.flatMap(({ before, after }) => (before && !after ? before : []));
  const compared = new ComparedValues('restore folder by folder');
  const others = all.filter(isOtherVersion);
  for (const { before, after } of others) compared.add(before.valueBytes + after.valueBytes);
  const changed: Changed<FieldRow & { valueBytes: number }>[] = [];
  await differing(tx, scope, by.keys, others, (pair) => changed.push(pair));
  const added = all.flatMap(({ before, after }) => (after && !before ? after : []));

  const here = new Set(shared.map((row) => row.id));
  const leftOut = await visibleLeftOut(tx, scope, by.ability, { left, was, here });
  const replacements = await restoreChanged(tx, scope, by, { living, removed, changed, was, here, written });
  const deleted = added.map((row): PastState => ({ wanted: row as PastSecretRow, was: was.get(row.id)! }));
  const arrivals: Arrival[] = [];
  for (const portion of portionsOfRows(deleted, RESTORED_AT_ONCE))
    arrivals.push(...(await restoreDeletedSecrets(tx, scope, by, { states: portion, here, written })));

  if (isRenamed) await noteReferences(tx, scope, by.keys, folderIds);

  const as = (change: RestoredSecret['change'], { id, key }: Named, fields: SecretFields): SeenRestored => ({
    secretId: id,
    secretKey: key,
    change,
    fields,
  });
  const restored = [
    ...(await mapInTurns(removed, 2, (row) => as('removed', row, fieldsOf(row)))),
    ...(await mapInTurns(replacements, 2, (draft) => as('changed', draft, draftFields(draft)))),
    ...(await mapInTurns(arrivals, 2, (one) => as('added', one, { ...fieldsOf(one.row), secretPath: one.row.path }))),
  ];
  return { restored, left: leftOut };
}

interface Left {
  readonly left: readonly LeftOut<FieldRow>[];
  readonly was: ReadonlyMap<string, SecretFields>;
  readonly here: ReadonlySet<string>;
}

/** The secrets that are left out although they differ, as far as the caller may see them now and then. */
async function visibleLeftOut(
  tx: Transaction,
  scope: Scope,
  ability: Ability,
  { left, was, here }: Left,
): Promise<LeftOutSecret[]> {
  const other = await filterInTurns(left, (pair) => !pair.before || !pair.after || isOtherVersion(pair));
  const past = other.flatMap(({ after }) => after ?? []);
  const { elsewhere, stored } = await knownOf(tx, scope, ability, { past, here });
  const shown = await filterInTurns(other, ({ before, after }) => {
    const present = after && elsewhere.get(after.id);
    const asked = [
      ...(before ? [fieldsOf(before)] : []),
      ...(after ? [fieldsOf(after), was.get(after.id)!, ...stored.fieldsOf(after)] : []),
      ...(present ? [present] : []),
    ];
    return asked.every((fields) => ability.can(secretPermissions.describeSecret, fields));
  });
  return mapInTurns(shown, 1, ({ before, after, reason }) => {
    const { id, key, environment, path } = (before ?? after)!;
    return { secretId: id, secretKey: key, environment, secretPath: path, reason };
  });
}

interface Changes {
  readonly living: readonly LivingRow[];
  readonly removed: readonly LivingRow[];
  readonly changed: readonly Changed<LivingRow>[];
  readonly was: ReadonlyMap<string, SecretFields>;
  readonly here: ReadonlySet<string>;
  readonly written: Written;
}

/** Deletes what was not there, and writes the next version of what was otherwise. */
async function restoreChanged(
  tx: Transaction,
  scope: Scope,
  { ability, keys }: By,
  { living, removed, changed, was, here, written: noted }: Changes,
): Promise<Draft[]> {
  const past = changed.map(({ after }) => after);
  const { elsewhere, stored } = await knownOf(tx, scope, ability, { past, here });
  const replacements = await successors(tx, scope, keys, changed);
  const restoring = await mapInTurns(replacements.keys(), 2, (index): Restoring => {
    const row = past[index]!;
    return {
      now: fieldsOf(changed[index]!.before),
      was: [was.get(row.id)!, ...stored.fieldsOf(row)],
      elsewhere: elsewhere.get(row.id),
      after: draftFields(replacements[index]!),
    };
  });
  for (const [index, { was: fields }] of restoring.entries()) noted.restored(replacements[index]!.id, fields);
  await requireMayRestore(tx, scope, ability, { removed: removed.map(fieldsOf), restoring });
  await requireReadable(tx, scope.projectId, await referencesOfWrite(valuesOf(replacements)));

  const gone = new Set(removed.map(secretPlace));
  const removals = living.filter((row) => gone.has(secretPlace(row)));
  if (removals.length > 0)
    await removeSecrets(
      tx,
      scope,
      removals.map((row) => row.id),
    );
  const kept = living.filter((row) => !gone.has(secretPlace(row)));
  const { moves, personal } = await overriding(tx, keys, scope, { kept, changed });
  // The shared ones have their former content, and so do their references.
  const shared = kept.flatMap(({ id, userId }) => (userId === null ? id : []));
  await replaceMoved(tx, scope, [...replacements, ...personal], moves, shared);
  return replacements;
}

/**
 * The current contents of some folders, locked against additions. Locked after the secrets, like writes in a folder do.
 */
async function lockContent(tx: Transaction, { projectId }: Scope, folderIds: readonly string[]): Promise<LivingRow[]> {
  await lockSecretsOf(tx, folderIds);
  await tx.sql(LOCK_FOLDERS, [folderIds]);
  return tx.sql<LivingRow>(OF_FOLDERS, [projectId, folderIds]);
}

/** The next versions of some secrets, with the contents of older ones. */
async function successors(
  tx: Transaction,
  scope: Scope,
  keys: KeySet,
  changed: readonly Changed<LivingRow>[],
): Promise<Draft[]> {
  const before = await pastValues(
    tx,
    scope,
    changed.map((one) => one.before),
  );
  const after = await pastValues(
    tx,
    scope,
    changed.map((one) => one.after),
  );
  return mapInTurns(
    changed.keys(),
    (index) => openingCost(before[index]!) + openingCost(after[index]!),
    (index) => {
      const { id, version, createdAt, before: replaced } = draftOf(keys, before[index]!);
      return { ...draftOf(keys, after[index]!), id, version, createdAt, before: replaced! };
    },
  );
}

interface Followed {
  /** The secrets that stay in the folders. */
  readonly kept: readonly LivingRow[];
  readonly changed: readonly Changed<LivingRow>[];
}

/** What was renamed or moved, and the personal values that follow. */
async function overriding(
  tx: Transaction,
  keys: KeySet,
  scope: Scope,
  { kept, changed }: Followed,
): Promise<{ moves: readonly TargetMove[]; personal: readonly Draft[] }> {
  const moved = changed.filter(({ before, after }) => secretPlace(before) !== secretPlace(after));
  if (moved.length === 0) return { moves: [], personal: [] };
  const moves = moved.map(({ before, after }) => ({ from: targetOf(before), to: targetOf(after) }));
  const locationOf = placesAfter(moves);
  const afterOf = new Map(moved.map(({ before, after }) => [secretPlace(before), after]));
  const following = kept.filter((row) => row.userId !== null && afterOf.has(secretPlace(row)));
  const room = new ComparedValues('restore folder by folder');
  for (const row of following) room.add(row.valueBytes);
  const limit = new RewriteLimit();
  const personal = await mapInTurns(await pastValues(tx, scope, following), openingCost, (row) => {
    const { environment, path, key, folderId } = afterOf.get(secretPlace(row))!;
    return retargeted({ ...draftOf(keys, row), environment, path, key, folderId }, originOf(row), locationOf, limit);
  });
  return { moves, personal };
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
  const all = await tx.sql<LivingRow>(OF_FOLDERS, [scope.projectId, folderIds]);
  const starts: Target[] = [];
  for (const portion of inReadablePortions(all, (row) => row.valueBytes)) {
    const referrers = await mapInTurns(await pastValues(tx, scope, portion), openingCost, (row) => {
      const { environment, path, key } = row;
      const value = valueOf(keys, row);
      const before = { environment, path, key, value };
      return { id: row.id, isPersonal: row.userId !== null, ...before, before };
    });
    const found = await recordReferences(
      tx,
      scope,
      referrers.filter((referrer) => mayRefer(referrer.value)),
    );
    starts.push(...found.map(({ environment, path, key }) => ({ environment, path, key })));
  }
  await requireAcyclic(tx, scope, starts);
}
