import type { Ability, Context, KeySet } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { folderVisibility, type PastFolder } from '../folder/index.ts';
import {
  fieldsOf,
  secretPermissions,
  StoredVersions,
  toSecret,
  type PastSecretRow,
  type Secret,
} from '../secret/index.ts';

/** What a caller sees of the past: secrets as `StoredVersions` says, and as what they were at the moment that is shown. */
export interface Visibility {
  readonly seesFolder: (environment: string, folder: PastFolder) => boolean;
  readonly sees: (row: PastSecretRow) => boolean;
  /** A secret that it sees, without its value where the caller may not read it. */
  readonly show: (row: PastSecretRow, withValue?: boolean) => Secret;
}

export async function visibilityOf(
  ctx: Context,
  scope: Scope,
  ability: Ability,
  keys: KeySet,
  rows: readonly PastSecretRow[],
): Promise<Visibility> {
  const stored = await StoredVersions.of(ctx, scope, ability, rows);
  const seesFolder = folderVisibility(ability);
  return {
    seesFolder: (environment, { path }) => seesFolder({ environment, secretPath: path }),
    sees: (row) => stored.may(secretPermissions.describeSecret, row, fieldsOf(row)),
    show: (row, withValue = true) =>
      toSecret(keys, row, {
        withValue: withValue && stored.may(secretPermissions.readValue, row, fieldsOf(row)),
        withDetails: true,
      }),
  };
}
