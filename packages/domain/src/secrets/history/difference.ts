import type { PastFolder } from '../folder/index.ts';
import type { Pair, Secret } from '../secret/index.ts';
import type { FolderDifference, PastSecret, SecretDifference } from './history.ts';

const changeOf = ({ before, after }: Pair<unknown>): 'added' | 'changed' | 'removed' =>
  before ? (after ? 'changed' : 'removed') : 'added';

export const secretDifference = (environment: string, pair: Pair<Secret>, fields: string[]): SecretDifference => ({
  change: changeOf(pair),
  environment,
  secretId: (pair.after ?? pair.before)!.id,
  fields,
  before: pair.before ? sideOf(pair.before) : null,
  after: pair.after ? sideOf(pair.after) : null,
});

const sideOf = (secret: Secret): PastSecret => ({ ...secret, tags: secret.tags.map((tag) => tag.slug) });

/** Folders that only moved with a parent are not different, nor is the requested one under another name. */
export function isFolderChanged({ before, after }: Pair<PastFolder>, top: PastFolder | undefined): boolean {
  const hasOtherName = before?.name !== after?.name && (!before || !after || after !== top);
  return hasOtherName || before?.description !== after?.description;
}

export const folderDifference = (environment: string, pair: Pair<PastFolder>): FolderDifference => ({
  change: changeOf(pair),
  environment,
  folderId: (pair.after ?? pair.before)!.id,
  before: pair.before ? { path: pair.before.path, description: pair.before.description } : null,
  after: pair.after ? { path: pair.after.path, description: pair.after.description } : null,
});

export const folderPlace = (folder: PastFolder): string => folder.path;
