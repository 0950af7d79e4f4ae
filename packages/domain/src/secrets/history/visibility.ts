import type { Ability, Context, KeySet } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { pastFolderVisibility, type PastFolder } from '../folder/index.ts';
import {
  fieldsOf,
  secretPermissions,
  StoredVersions,
  toSecret,
  type PastSecretRow,
  type Secret,
} from '../secret/index.ts';
import type { Past } from './past.ts';

/**
 * What a caller may see of the past: secrets by `StoredVersions` and by their state at the shown moment; folders by
 * `pastFolderVisibility`.
 */
export interface Visibility {
  readonly seesFolder: (folder: PastFolder) => boolean;
  readonly sees: (row: PastSecretRow) => boolean;
  /** A secret that it sees, without its value where the caller may not read it. */
  readonly show: (row: PastSecretRow, withValue?: boolean) => Secret;
}

export async function visibilityOf(
  ctx: Context,
  scope: Scope,
  ability: Ability,
  keys: KeySet,
  { environment, folders, secrets }: Past,
): Promise<Visibility> {
  const stored = await StoredVersions.of(ctx, scope, ability, secrets);
  return {
    seesFolder: await pastFolderVisibility(ctx, ability, environment, folders),
    sees: (row) => stored.may(secretPermissions.describeSecret, row, fieldsOf(row)),
    show: (row, withValue = true) =>
      toSecret(keys, row, {
        withValue: withValue && stored.may(secretPermissions.readValue, row, fieldsOf(row)),
        withDetails: true,
      }),
  };
}
