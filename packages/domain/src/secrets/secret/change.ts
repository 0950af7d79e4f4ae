import { abilityIn, organizationOf, requireMayPlace } from '../../access/index.ts';
import { mapInTurns, statement, type Ability, type Transaction } from '../../kernel/index.ts';
import { writerIn, type Scope } from '../commit/index.ts';
import { requireEach } from './create.ts';
import { findTags, requireCapitals, requireDistinct } from './project-rules.ts';
import { requireNotPublished } from './published.ts';
import { originOf, targetOf } from './reference/find.ts';
import { requireMayRetag } from './keeps-writing.ts';
import { mayRefer } from './reference/reference.ts';
import { placesAfter, replaceMoved, retargeted, type TargetMove } from './reference/retarget.ts';
import { referencesOfWrite, requireReadable } from './reference/store.ts';
import { isOther, requireNoReveal } from './reveal.ts';
import { fieldsOf, openingCost, type SecretRow, type Tag } from './row.ts';
import { secretPermissions, type Secret, type SecretChange } from './secret.ts';
import { RewriteLimit } from './value-limit.ts';
import { draftFields, draftOf, written } from './write.ts';
import type { Draft } from './draft.ts';

/** An existing secret, locked, and its changes. */
export interface Change {
  readonly change: SecretChange;
  readonly row: SecretRow;
}

/**
 * Writes some changes, together with the resulting changes in other secrets; the rows are locked. `edit` is checked on
 * each secret as it is and as it will be; for new names and tags also `requireMayPlace`.
 */
export async function changeIn(tx: Transaction, projectId: string, changes: readonly Change[]): Promise<Secret[]> {
  if (changes.length === 0) return [];
  const mayPublish = ({ change, row }: Change): boolean =>
    row.userId === null &&
    (change.newSecretName !== undefined || (change.secretValue !== undefined && mayRefer(change.secretValue)));
  if (!changes.some(mayPublish)) return replaceIn(tx, projectId, changes);
  return requireNotPublished(tx, projectId, (noted) => {
    for (const { change, row } of changes) if (change.secretValue !== undefined) noted.given(row.id);
    return replaceIn(tx, projectId, changes);
  });
}

async function replaceIn(tx: Transaction, projectId: string, changes: readonly Change[]): Promise<Secret[]> {
  const scope: Scope = { organizationId: organizationOf(tx), projectId };
  const ability = await abilityIn(tx, projectId);
  const tagsOf = await findTags(
    tx,
    projectId,
    changes.flatMap(({ change }) => change.tagIds ?? []),
  );
  const keys = await tx.keys.project(scope.organizationId, projectId);
  const moves = renames(changes);
  const locationOf = placesAfter(moves);
  const limit = new RewriteLimit();
  const drafts = await mapInTurns(
    changes,
    ({ row }) => openingCost(row),
    ({ change, row }) => {
      const draft = changed(draftOf(keys, row), change, change.tagIds && tagsOf(change.tagIds));
      return moves.length > 0 ? retargeted(draft, draft, locationOf, limit) : draft;
    },
  );
  await requireMayChange(tx, scope, ability, changes, drafts);
  await requireReadable(
    tx,
    projectId,
    await referencesOfWrite(changes.map(({ change, row }) => ({ ...originOf(row), value: change.secretValue ?? '' }))),
  );
  await requireCapitals(
    tx,
    projectId,
    changes.flatMap(({ change }) => change.newSecretName ?? []),
  );
  requireDistinct(drafts.map((draft) => `${draft.path}:${draft.key}`));
  await replaceMoved(tx, scope, drafts, moves);
  if (moves.length > 0) await renamePersonal(tx, changes);
  const actor = await writerIn(tx, scope);
  return drafts.map((draft) => written(tx, scope, ability, { draft, actor }));
}

async function requireMayChange(
  tx: Transaction,
  scope: Scope,
  ability: Ability,
  changes: readonly Change[],
  drafts: readonly Draft[],
): Promise<void> {
  const shared = drafts.flatMap((draft, index) =>
    draft.userId === null
      ? {
          before: fieldsOf(changes[index]!.row),
          after: draftFields(draft),
          rotationId: draft.before?.rotationId,
        }
      : [],
  );
  await requireEach(
    tx,
    ability,
    secretPermissions.edit,
    shared.flatMap(({ before, after }) => [before, after]),
  );
  await requireNoReveal(tx, scope, shared);
  const others = shared.filter(isOther);
  await requireMayPlace(ability, secretPermissions, scope.projectId, others);
  await requireMayRetag(tx, scope.projectId, others);
}

const changed = (draft: Draft, change: SecretChange, tags: Tag[] | undefined): Draft => ({
  ...draft,
  key: change.newSecretName ?? draft.key,
  text: {
    value: change.secretValue ?? draft.text.value,
    comment: change.secretComment ?? draft.text.comment,
    metadata: change.secretMetadata ?? draft.text.metadata,
  },
  ...(tags && { tags }),
  ...(change.metadata && { legacyMetadata: change.metadata }),
  ...(change.skipMultilineEncoding !== undefined && { skipMultilineEncoding: change.skipMultilineEncoding }),
  ...(change.secretReminderNote !== undefined && { reminderNote: change.secretReminderNote }),
  ...(change.secretReminderRepeatDays !== undefined && { reminderRepeatDays: change.secretReminderRepeatDays }),
  ...(change.secretReminderRecipients && { reminderRecipients: change.secretReminderRecipients }),
});

const renames = (changes: readonly Change[]): TargetMove[] =>
  changes.flatMap(({ change: { newSecretName }, row }) => {
    const from = targetOf(row);
    return newSecretName && newSecretName !== row.key ? { from, to: { ...from, key: newSecretName } } : [];
  });

const PARK_PERSONAL = statement(
  'secrets.park_personal',
  `update secrets p set key = ':' || w.id from unnest($1::uuid[], $2::uuid[], $3::text[]) as w (id, folder_id, key)
   where p.folder_id = w.folder_id and p.key = w.key and p.user_id is not null`,
);
const RENAME_PERSONAL = statement(
  'secrets.rename_personal',
  `update secrets p set key = s.key from secrets s
   where s.id = any($1::uuid[]) and p.folder_id = s.folder_id and p.key = ':' || s.id and p.user_id is not null`,
);

/** Personal values follow the shared secrets that they override; in two steps, because names may be swapped. */
async function renamePersonal(tx: Transaction, changes: readonly Change[]): Promise<void> {
  const rows = changes.flatMap(({ row }) => (row.userId === null ? row : []));
  const ids = rows.map((row) => row.id);
  await tx.sql(PARK_PERSONAL, [ids, rows.map((row) => row.folderId), rows.map((row) => row.key)]);
  await tx.sql(RENAME_PERSONAL, [ids]);
}
