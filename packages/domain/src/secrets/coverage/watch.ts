import { findPolicies } from '../../access/approval-policy/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { CapturedChange, ImportSide, Op, SecretAttributes, Spot } from './capture.ts';
import { coveredPath, isWatched, requireMayLeave, requireNoPolicyIn, watch } from './coverage.ts';

/** A version of a secret that is about to be written; for requests, the content that is shown. */
export interface WrittenSecret extends Spot, SecretAttributes {
  readonly id: string;
  readonly userId: string | null;
  readonly key: string;
  readonly version: number;
  readonly text: {
    readonly value: string;
    readonly comment: string;
    readonly metadata: readonly { key: string; value: string; isEncrypted: boolean }[];
  };
  readonly tags: readonly { readonly id: string }[];
  /** Only its references are rewritten, and keep their targets. */
  readonly isFollowing?: true;
  readonly before?: (Spot & { readonly key: string }) | undefined;
}

/** Call it before new secrets, or new versions, are written. Personal values need no approvals. */
export async function watchWrites(
  tx: Transaction,
  scope: Scope,
  op: Exclude<Op, 'delete'>,
  drafts: readonly WrittenSecret[],
): Promise<void> {
  if (!(await isWatched(tx, scope))) return;
  const shared = drafts.filter((draft) => draft.userId === null);
  const direct = shared.filter((draft) => !draft.isFollowing);
  await watch(
    tx,
    scope,
    shared.map((draft) => writeOf(op, draft)),
    direct.flatMap((draft) => [...(draft.before ? [draft.before] : []), draft]),
  );
}

const writeOf = (op: Op, draft: WrittenSecret): CapturedChange => ({
  kind: 'secret',
  op,
  thingId: op === 'create' ? null : draft.id,
  createdId: op === 'create' ? draft.id : null,
  baseVersion: op === 'create' ? null : draft.version - 1,
  spot: { environment: draft.environment, path: coveredPath(draft.path) },
  name: draft.key,
  tagIds: draft.tags.map((tag) => tag.id).toSorted(),
  isFollowing: draft.isFollowing ?? false,
  content: {
    before: draft.before
      ? { environment: draft.before.environment, path: coveredPath(draft.before.path), key: draft.before.key }
      : null,
    after: {
      value: draft.text.value,
      comment: draft.text.comment,
      metadata: draft.text.metadata,
      legacyMetadata: draft.legacyMetadata,
      skipMultilineEncoding: draft.skipMultilineEncoding,
      reminderNote: draft.reminderNote,
      reminderRepeatDays: draft.reminderRepeatDays,
      reminderRecipients: draft.reminderRecipients,
    },
  },
});

const SHARED = statement(
  'coverage.shared_secrets',
  `select s.id, s.key, s.version, s.tag_ids as "tagIds", e.slug as environment, f.path
   from secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where s.id = any($1::uuid[]) and s.user_id is null`,
);

interface SharedRow extends Spot {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly tagIds: string[];
}

/** Comes before secrets are deleted. */
export async function watchRemovals(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<void> {
  if (!(await isWatched(tx, scope))) return;
  const all = await tx.sql<SharedRow>(SHARED, [ids]);
  // Copies follow their folder or import, which is captured; their content needs no approval.
  const rows = tx.actor.type === 'platform' ? all : all.filter(({ path }) => path === coveredPath(path));
  await watch(tx, scope, rows.map(removalOf), rows);
}

function removalOf(row: SharedRow): CapturedChange {
  const spot = { environment: row.environment, path: coveredPath(row.path) };
  return {
    kind: 'secret',
    op: 'delete',
    thingId: row.id,
    createdId: null,
    baseVersion: row.version,
    spot,
    name: row.key,
    tagIds: row.tagIds.toSorted(),
    isFollowing: false,
    content: { before: { ...spot, key: row.key }, after: null },
  };
}

const FOLDER = statement(
  'coverage.folder',
  `select f.path, t.version from folders t join folders f on f.environment_id = t.environment_id
   where t.id = $1 and (f.path = t.path or starts_with(f.path, t.path || '/')) and not f.is_reserved order by f.path`,
);

/** The places in or below a folder ($3) to which references and imports lead, and follow it: folders or not. */
const FOLLOWED = statement(
  'coverage.followed',
  `select r.path from secret_references r
   where r.project_id = $1 and r.environment = $2 and (r.path = $3 or starts_with(r.path, $3 || '/'))
   union
   select i.import_path from secret_imports i join environments e on e.id = i.import_environment_id
   where i.project_id = $1 and e.project_id = $1 and e.slug = $2 and not i.is_reserved
     and (i.import_path = $3 or starts_with(i.import_path, $3 || '/'))`,
);

/** Comes before a folder is deleted with everything below it. */
export async function watchFolderRemoval(
  tx: Transaction,
  tree: Scope & { readonly slug: string },
  { id, path }: { readonly id: string; readonly path: string },
): Promise<void> {
  if (!(await isWatched(tx, tree))) return;
  const environment = tree.slug;
  const below = await tx.sql<FolderBelow>(FOLDER, [id]);
  const change = folderChange({ id, below, spot: { environment, path }, op: 'delete' }, path, null);
  await watch(
    tx,
    tree,
    [change],
    below.map((one) => ({ environment, path: one.path })),
  );
}

/** Comes before a folder is renamed, and with it everything below it, and whatever leads there. */
export async function watchFolderMove(
  tx: Transaction,
  tree: Scope & { readonly slug: string },
  { id, from, to }: { readonly id: string; readonly from: string; readonly to: string },
): Promise<void> {
  const environment = tree.slug;
  const below = await tx.sql<FolderBelow>(FOLDER, [id]);
  const followed = await tx.sql<{ path: string }>(FOLLOWED, [tree.projectId, environment, from]);
  const paths = new Set([...below, ...followed].map(({ path }) => path));
  const departures = Array.from(paths, (path) => ({
    from: { environment, path },
    to: { environment, path: to + path.slice(from.length) },
  }));
  await requireMayLeave(tx, tree, departures, await findPolicies(tx, 'access', tree.projectId));
  if (!(await isWatched(tx, tree))) return;
  const change = folderChange({ id, below, spot: { environment, path: to }, op: 'update' }, from, to);
  await watch(
    tx,
    tree,
    [change],
    departures.flatMap((one) => [one.from, one.to]),
  );
}

interface FolderBelow {
  readonly path: string;
  readonly version: number;
}

const folderChange = (
  { id, below, spot, op }: { id: string; below: readonly FolderBelow[]; spot: Spot; op: 'update' | 'delete' },
  before: string,
  after: string | null,
): CapturedChange => ({
  kind: 'folder',
  op,
  thingId: id,
  createdId: null,
  baseVersion: below[0]?.version ?? null,
  spot,
  name: spot.path.slice(spot.path.lastIndexOf('/') + 1),
  tagIds: [],
  isFollowing: false,
  content: { before, after, folders: after === null ? below.length : null },
});

const IMPORTERS = statement(
  'coverage.importers',
  `select e.slug as environment, f.path from secret_imports i join folders f on f.id = i.folder_id
   join environments e on e.id = f.environment_id
   where i.import_environment_id = $1 and f.environment_id <> $1 order by e.slug, f.path`,
);

/**
 * Call it before an environment is deleted: the imports from it end as well, in any folder.
 *
 * @throws ApprovalNeeded if a policy of the environment, or of one of these folders, applies to the caller.
 */
export async function watchEnvironmentRemoval(
  tx: Transaction,
  tree: Scope & { readonly id: string; readonly slug: string },
): Promise<void> {
  await requireNoPolicyIn(tx, tree, tree.slug);
  if (await isWatched(tx, tree)) await watch(tx, tree, [], await tx.sql<Spot>(IMPORTERS, [tree.id]));
}

const TAGGED = statement(
  'coverage.tagged',
  `select distinct e.slug as environment, f.path from secrets s join folders f on f.id = s.folder_id
   join environments e on e.id = f.environment_id
   where s.project_id = $1 and s.tag_ids @> array[$2::uuid] and s.tag_ids <> '{}' and s.user_id is null`,
);

/**
 * Comes before a tag gets another slug or is deleted: rules and readers take a secret by its tags. No request can ask for
 * that, so it is refused where a secret that has the tag is in a covered folder.
 *
 * @throws ApprovalNeeded
 */
export async function watchTag(tx: Transaction, tag: Scope & { readonly id: string }): Promise<void> {
  if (await isWatched(tx, tag)) await watch(tx, tag, [], await tx.sql<Spot>(TAGGED, [tag.projectId, tag.id]));
}

/** An import that is about to be made, changed or removed, in the folder at its spot. */
export interface ImportWatch extends Spot {
  readonly id: string;
  /** The existing import; absent for a new one. */
  readonly version?: number;
  readonly before: ImportSide | null;
  readonly after: ImportSide | null;
}

/** Comes with each change of an import. */
export async function watchImport(tx: Transaction, scope: Scope, watched: ImportWatch): Promise<void> {
  if (!(await isWatched(tx, scope))) return;
  const { id, version, environment, path, before, after } = watched;
  const op = before === null ? 'create' : after === null ? 'delete' : 'update';
  const spot = { environment, path };
  const change: CapturedChange = {
    kind: 'import',
    op,
    thingId: op === 'create' ? null : id,
    createdId: null,
    baseVersion: version ?? null,
    spot,
    name: null,
    tagIds: [],
    isFollowing: false,
    content: { before, after },
  };
  await watch(tx, scope, [change], [spot]);
}
