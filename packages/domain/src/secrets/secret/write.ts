import {
  at,
  badRequest,
  conflict,
  eachPortion,
  mapInTurns,
  portionsOf,
  statement,
  type Ability,
  type KeySet,
  type Transaction,
} from '../../kernel/index.ts';
import { commitIn, touch, writerIn, type Scope, type SecretActor } from '../commit/index.ts';
import { isWatched, watchRemovals, watchWrites } from '../coverage/index.ts';
import { lockNames } from '../meaning/index.ts';
import { archiveReplaced, removeArchived, type Archived } from './archived.ts';
import type { Draft } from './draft.ts';
import { INSERT, INSERT_FREE, recordOf, UPDATE, type SecretRecord, type Writing } from './record.ts';
import { needsStoring, storeReferences, type Referrer } from './reference/store.ts';
import {
  contentFor,
  namedTags,
  openText,
  rotationOf,
  turnCost,
  usesOf,
  visibleTo,
  type SecretFields,
  type SecretRow,
} from './row.ts';
import type { Secret } from './secret.ts';

const rotated = () =>
  badRequest(
    'secret.rotated',
    'A secret rotation manages this secret: its value, name and folder change with the rotation, and it is deleted with it',
  );

/** @throws DomainError 400 for a value, name or folder that only a rotation may change. */
function requireNotRotated(drafts: readonly Draft[]): void {
  const isChanged = ({ key, path, environment, text, before }: Draft) =>
    before?.rotationId &&
    (key !== before.key || path !== before.path || environment !== before.environment || text.value !== before.value);
  if (drafts.some(isChanged)) throw rotated();
}

/** The clear size of a draft. */
const sizeOf = ({ text }: Draft): number =>
  text.metadata.reduce(
    (sum, { key, value }) => sum + key.length + value.length,
    text.value.length + text.comment.length,
  );

/** A portion of drafts for a statement, sealed while other requests are let through. */
async function recordsOf(
  tx: Transaction,
  scope: Scope,
  portion: readonly Draft[],
  commitId: string | null,
): Promise<SecretRecord[]> {
  const { organizationId, projectId } = scope;
  const uses = portion.reduce((sum, { text }) => sum + usesOf(text), 0);
  const keys = await tx.keys.sealing(organizationId, projectId, uses);
  const actor = JSON.stringify(await writerIn(tx, scope));
  const writings = new Map<string, Writing>();
  const writingOf = ({ folderId, userId }: Draft): Writing => {
    const name = `${folderId} ${userId}`;
    let writing = writings.get(name);
    // Commits do not record personal values.
    if (!writing)
      writings.set(name, (writing = { folderId, userId, actor, commitId: userId === null ? commitId : null }));
    return writing;
  };
  return mapInTurns(
    portion,
    (draft) => turnCost(sizeOf(draft)),
    (draft) => recordOf(keys, projectId, draft, writingOf(draft)),
  );
}

/** Notes that shared secrets are written in these folders. */
const commitTo = (tx: Transaction, scope: Scope, drafts: readonly Draft[]): string =>
  commitIn(
    tx,
    scope,
    drafts.flatMap((draft) => (draft.userId === null ? draft.folderId : [])),
  );

/** Stores the current versions of secrets before they are replaced. */
async function archive(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<void> {
  const commitId = commitIn(tx, scope, []);
  commitIn(tx, scope, foldersOf(await archiveReplaced(tx, ids, commitId)));
}

const foldersOf = (kept: readonly Archived[]): string[] => kept.map(({ folderId }) => folderId);

/** Those whose references differ from the stored ones. */
async function referrersOf(drafts: readonly Draft[]): Promise<Referrer[]> {
  const all = await mapInTurns(
    drafts,
    (draft) => turnCost(draft.text.value.length) / 10,
    (draft) => {
      const one = referrer(draft);
      return needsStoring(one) ? one : undefined;
    },
  );
  return all.filter((one) => one !== undefined);
}

/** What is thrown where secrets of the same names exist. */
export interface Conflicts {
  /** With a list of the names. */
  readonly reason?: string;
  /** As PostgreSQL refuses the first of them, which ends the transaction, but costs less while there is none. */
  readonly areUnlisted?: boolean;
}

/**
 * Writes new secrets, in statements of limited size.
 *
 * @throws DomainError 400 `secret.exists`, or `secrets_key_unique` if unlisted.
 */
export async function insertSecrets(
  tx: Transaction,
  scope: Scope,
  drafts: readonly Draft[],
  { reason = 'These secret names already exist', areUnlisted = false }: Conflicts = {},
): Promise<void> {
  await watchAll(tx, scope, 'create', drafts);
  const referrers = await referrersOf(drafts);
  if (referrers.length > 0) await lockNames(tx, 'exclusive', scope);
  const written = new Set<string>();
  // In one order, so that two writers of the same names wait for each other instead of deadlocking.
  const inOrder = drafts.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  const how = areUnlisted ? INSERT : INSERT_FREE;
  for (const portion of portionsOf(inOrder, sizeOf))
    for (const { id } of await insert(tx, scope, portion, commitTo(tx, scope, portion), how)) written.add(id);
  const taken = areUnlisted ? [] : drafts.filter(({ id }) => !written.has(id)).map(({ key }) => key);
  if (taken.length > 0) throw conflict('secret.exists', `${reason}: ${taken.join(', ')}`, { keys: taken });
  if (referrers.length > 0) await storeReferences(tx, scope, referrers);
}

/**
 * Asks for what every write of a project's secrets needs, in the packet of the statement that was started before. Call it
 * once a lock is asked for: the policies are read under it.
 */
export function askAhead(tx: Transaction, scope: Scope): void {
  // Whoever needs the answers gets their errors.
  for (const asked of [isWatched(tx, scope), writerIn(tx, scope)]) asked.catch(() => undefined);
}

/** Requires that no policy refuses these writes. The writer is loaded at the same time, for what is stored then. */
async function watchAll(tx: Transaction, scope: Scope, op: 'create' | 'update', drafts: readonly Draft[]) {
  await Promise.all([eachPortion(drafts, (portion) => watchWrites(tx, scope, op, portion)), writerIn(tx, scope)]);
}

async function insert(
  tx: Transaction,
  scope: Scope,
  portion: readonly Draft[],
  commitId: string | null,
  how = INSERT_FREE,
): Promise<{ id: string }[]> {
  const records = await recordsOf(tx, scope, portion, commitId);
  return tx.write(how, records, [scope.organizationId, scope.projectId, tx.now()]);
}

/** `first` is sent in the same packet. */
async function update(
  tx: Transaction,
  scope: Scope,
  portion: readonly Draft[],
  commitId: string | null,
  first?: () => Promise<void>,
): Promise<void> {
  const records = await recordsOf(tx, scope, portion, commitId);
  await Promise.all([first?.(), tx.write(UPDATE, records, [tx.now()])]);
}

/** Names contain no colon: while secrets swap their names or folders, each is stored under its ID. */
const PARK = statement('secrets.park', `update secrets set key = ':' || id where id = any($1::uuid[])`);

/**
 * Writes the next versions of secrets, in statements of limited size; the current ones are kept in the history.
 */
export async function replaceSecrets(tx: Transaction, scope: Scope, drafts: readonly Draft[]): Promise<void> {
  if (drafts.length === 0) return;
  requireNotRotated(drafts);
  await watchAll(tx, scope, 'update', drafts);
  const referrers = await referrersOf(drafts);
  if (referrers.length > 0) await lockNames(tx, 'exclusive', scope);
  const renamed = drafts.flatMap(({ id, key, path, environment, before }) =>
    key !== before?.key || path !== before.path || environment !== before.environment ? id : [],
  );
  const keep = (portion: readonly Draft[]) =>
    archive(
      tx,
      scope,
      portion.map((draft) => draft.id),
    );
  const areParked = renamed.length > 1;
  if (areParked) {
    await eachPortion(drafts, keep);
    await eachPortion(renamed, (portion) => tx.sql(PARK, [portion]));
  }
  for (const portion of portionsOf(drafts, sizeOf))
    await update(tx, scope, portion, commitTo(tx, scope, portion), areParked ? undefined : () => keep(portion));
  if (referrers.length > 0) await storeReferences(tx, scope, referrers);
}

/** The same for secrets to which nothing refers, so that not all of them need to be there at once. */
export async function replaceInPortions(
  tx: Transaction,
  scope: Scope,
  sized: readonly { readonly id: string; readonly bytes: number }[],
  draftsOf: (ids: readonly string[]) => Promise<Draft[]>,
): Promise<void> {
  for (const portion of portionsOf(sized, ({ bytes }) => bytes))
    await replaceSecrets(tx, scope, await draftsOf(portion.map(({ id }) => id)));
}

/**
 * Deletes secrets; their last versions are kept in the history. Returns whether shared ones among them had personal values.
 *
 * @throws DomainError 400 `secret.rotated` for one that a rotation manages.
 */
export async function removeSecrets(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<boolean> {
  await eachPortion(ids, (portion) => watchRemovals(tx, scope, portion));
  let areOverridden = false;
  await eachPortion(ids, async (portion) => {
    const commitId = commitIn(tx, scope, []);
    const removed = await removeArchived(tx, portion, commitId);
    if (removed.some(({ isRotated }) => isRotated)) throw rotated();
    if (removed.some(({ isOverridden }) => isOverridden)) areOverridden = true;
    commitIn(tx, scope, foldersOf(removed));
  });
  return areOverridden;
}

/**
 * Writes the copies of a replication, in folders without commits: new copies, next versions, and deletions. Only the
 * holder of the lock on the import's row writes there; the names of the project are locked.
 */
export async function writeCopies(
  tx: Transaction,
  scope: Scope,
  { created, updated, removed }: { created: readonly Draft[]; updated: readonly Draft[]; removed: readonly string[] },
): Promise<void> {
  await eachPortion(created, (portion) => watchWrites(tx, scope, 'create', portion));
  await eachPortion(updated, (portion) => watchWrites(tx, scope, 'update', portion));
  await eachPortion(removed, async (portion) => {
    await watchRemovals(tx, scope, portion);
    await removeArchived(tx, portion, null);
  });
  const replaced = updated.map((draft) => draft.id);
  await eachPortion(replaced, (portion) => archiveReplaced(tx, portion, null));
  for (const portion of portionsOf(updated, sizeOf)) await update(tx, scope, portion, null);
  for (const portion of portionsOf(created, sizeOf)) await insert(tx, scope, portion, null);
  const referrers = await referrersOf([...created, ...updated]);
  if (referrers.length > 0) await storeReferences(tx, scope, referrers);
  touch(tx, scope);
}

/** A draft after it is written, for the response to its writer: with what the writer may read. */
export const written = (
  tx: Transaction,
  { projectId }: Scope,
  ability: Ability,
  { draft, actor }: { draft: Draft; actor: SecretActor },
): Secret => ({
  id: draft.id,
  projectId,
  environment: draft.environment,
  secretPath: draft.path,
  folderId: draft.folderId,
  version: draft.version,
  type: draft.userId === null ? 'shared' : 'personal',
  secretKey: draft.key,
  ...contentFor(visibleTo(ability, draftFields(draft), draft.userId), {
    value: () => draft.text.value,
    details: () => ({
      secretComment: draft.text.comment,
      secretReminderNote: draft.reminderNote,
      secretReminderRepeatDays: draft.reminderRepeatDays,
      secretReminderRecipients: draft.reminderRecipients && [...draft.reminderRecipients],
      skipMultilineEncoding: draft.skipMultilineEncoding,
      metadata: draft.legacyMetadata,
      secretMetadata: draft.text.metadata,
      tags: namedTags(draft.tags),
      actor,
    }),
  }),
  ...rotationOf(draft.before ?? {}),
  createdAt: draft.createdAt ?? tx.now(),
  updatedAt: tx.now(),
});

/** What rules see of a secret that is being written. */
export const draftFields = (draft: Draft): SecretFields => ({
  environment: draft.environment,
  secretPath: draft.path,
  secretName: draft.key,
  secretTags: draft.tags.map((tag) => tag.slug),
});

const referrer = ({ id, environment, path, key, userId, text, before }: Draft): Referrer => ({
  id,
  environment,
  path,
  key,
  isPersonal: userId !== null,
  value: text.value,
  before,
});

/** The next version of a stored secret, with unchanged content. */
export function draftOf(keys: KeySet, row: SecretRow): Draft {
  const text = openText(keys, row);
  const place = { environment: row.environment, path: row.path, key: row.key };
  return {
    ...place,
    id: row.id,
    folderId: row.folderId,
    userId: row.userId,
    version: row.version + 1,
    text,
    tags: row.tags ?? [],
    legacyMetadata: row.legacyMetadata,
    skipMultilineEncoding: row.skipMultilineEncoding,
    reminderNote: row.reminderNote,
    reminderRepeatDays: row.reminderRepeatDays,
    reminderRecipients: row.reminderRecipients,
    createdAt: at(row.createdAt),
    before: { ...place, value: text.value, rotationId: row.rotationId },
  };
}
