export { archiveSecrets } from './archive.ts';
export { newCopy, rowsOfFolder, withMeaning } from './copy.ts';
export { createSecret, createSecrets } from './create.ts';
export { deleteSecret, deleteSecrets } from './delete.ts';
export { contentOfFolder, copiedFrom, importedRows, NO_VALUES, type FolderContent } from './imported.ts';
export { listSecrets, type SecretList } from './list.ts';
export { isOtherVersion, pairs, secretPlace, type Pair } from './difference.ts';
export { exactVersions, type SecretVersionText } from './exact-version.ts';
export { duplicateSecrets, moveSecrets } from './move.ts';
export {
  ComparedValues,
  deletedPersonalAt,
  deletedSecretsAt,
  differing,
  pastValues,
  secretsAt,
  type PastSecretRow,
} from './past.ts';
export { presentNames, slugsNow } from './present-names.ts';
export { requireMayReplaceAll } from './replace.ts';
export {
  deleteRotated,
  releaseRotated,
  renameRotated,
  requireMayKeepRotating,
  requireMayRotateInto,
  writeRotated,
  type RotatedSecret,
} from './rotated.ts';
export { projectIdOf } from './project-rules.ts';
export { requireNotPublished, type Written } from './published.ts';
export { readSecret, readSecretById, requireResolved } from './read.ts';
export { requireMayRename, requireNoCopiesByRename, requireNoGainByReturn, type RenamedFolder } from './rename.ts';
export { withDeletedTags } from './deleted-tags.ts';
export { restoreDeletedSecrets, restorePersonalValues, type PastState } from './restore-deleted.ts';
export { restoreSecrets, type RestoredSecret, type SeenRestored } from './restore.ts';
export {
  fieldsOf,
  JOIN_SECRETS_AT,
  namedTags,
  openingCost,
  personalOwner,
  rotationOf,
  RULED_TAG_IDS,
  SHARED_SECRET_AT,
  TAGS_OF_SECRET,
  toSecret,
  turnCost,
  type SecretRow,
} from './row.ts';
export * from './secret.ts';
export { StoredVersions, TAGS_THEN, type VersionRef } from './stored-versions.ts';
export { requireMayChangeTag, tagSecret, type TagSecret } from './tags.ts';
export { referrersBelow, traceDependents, traceSecret, type Dependent } from './trace.ts';
export { updateSecret, updateSecrets } from './update.ts';
export { valuesRead } from './values-read.ts';
export { listSecretVersions, type SecretVersion } from './versions.ts';
export { findCycle, shownCycle } from './reference/store.ts';
export { referencesIn } from './reference/reference.ts';
export type { Hop } from './reference/tree.ts';
export { environmentRenamed, folderMoved, type FolderMove } from './reference/retarget.ts';
export { RewriteLimit } from './value-limit.ts';
export { changingSecrets } from './transaction.ts';
export type { Draft } from './draft.ts';
export { draftOf, writeCopies } from './write.ts';
