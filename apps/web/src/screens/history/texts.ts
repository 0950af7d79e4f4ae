import type { ReactNode } from 'react';
import { count } from '../../ui/count.ts';
import { rich } from '../../ui/rich.ts';

export const texts = {
  commit: 'Commit',
  revision: 'Revision',
  message: 'Message',
  anotherInstant: 'Another instant',
  stateAt: 'State at',
  comparedWithStateAt: 'Compared with the state at',
  emptyNow: 'Empty: now',
  showDifference: 'Show the difference',
  restoreToFirstInstant: 'Restore to the first instant…',
  whatHasChangedIn: (environment: string, path: string) => `What has changed in ${environment} ${path}`,
  new: 'new',
  changed: 'changed',
  deleted: 'deleted',
  name: 'name',
  folder: 'folder',
  value: 'value',
  comment: 'comment',
  metadata: 'metadata',
  reminder: 'reminder',
  nothingDiffers: 'Nothing differs.',
  folderAt: (environment: string, path: ReactNode) => rich`folder ${environment} ${path}`,
  showValues: 'Show values',
  differences: 'Differences',
  fields: 'Fields',
  andSecrets: (secrets: number) => `… and ${count(secrets, { one: 'more secret', other: 'more secrets' })}.`,
  differencesThatYouMayNotSee: (differences: number) =>
    `${count(differences, { one: 'difference', other: 'differences' })} that you may not see.`,
  youMayNotRead: '(you may not read it)',
  allChangesOfFolder: 'All changes of a folder, and how to restore it to an earlier state.',
  withFoldersBelowIt: 'With the folders below it',
  commits: 'Commits',
  nothingHasHappenedHere: 'Nothing has happened here yet.',
  unknown: 'unknown',
  changesOfRevision: (revision: number) => `Changes of revision ${revision}`,
  changes: 'Changes',
  restoreToHereRevision: (revision: number) => `Restore to here…, revision ${revision}`,
  restoreToHere: 'Restore to here…',
  newer: 'Newer',
  older: 'Older',
  commitCount: (commits: number) => count(commits, { one: 'commit', other: 'commits' }),
  restoredSecretsChanged: (secrets: number, left: number) =>
    `Restored: ${count(secrets, { one: 'secret', other: 'secrets' })} changed.${
      left > 0 ? ` ${count(left, { one: 'secret', other: 'secrets' })} of secret rotations left as they are.` : ''
    }`,
  restoreToRevision: (environment: string, path: string, moment: string) =>
    `Restore ${environment} ${path} to revision ${moment}`,
  restoreTo: (environment: string, path: string, value: string) => `Restore ${environment} ${path} to ${value}`,
  withAllFoldersBelow: 'With all folders below it. This would change:',
  forHistory: 'For the history; optional',
  restore: 'Restore',
};
