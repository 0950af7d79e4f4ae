import type { Ability, Context, KeySet } from '../../kernel/index.ts';
import { folderSight, type PastFolder } from '../folder/index.ts';
import {
  fieldsOf,
  presentFields,
  secretPermissions,
  toSecret,
  type PastSecretRow,
  type Secret,
} from '../secret/index.ts';
import type { Scope } from '../commit/index.ts';

/**
 * What a caller sees of the past. A secret counts as what it was then, and, where it is still there, as what it is now
 * as well: moving a secret to where a caller may not look takes its past along.
 */
export interface Sight {
  readonly seesFolder: (environment: string, folder: PastFolder) => boolean;
  readonly sees: (row: PastSecretRow) => boolean;
  /** The secret, without its value where the caller may not read it. */
  readonly show: (row: PastSecretRow, withValue?: boolean) => Secret;
}

export async function sightOf(
  ctx: Context,
  scope: Scope,
  ability: Ability,
  keys: KeySet,
  rows: readonly PastSecretRow[],
): Promise<Sight> {
  const present = await presentFields(
    ctx,
    scope,
    rows.map((row) => row.id),
  );
  const may = (permission: (typeof secretPermissions)[keyof typeof secretPermissions], row: PastSecretRow) => {
    const now = present.get(row.id);
    return ability.can(permission, fieldsOf(row)) && (!now || ability.can(permission, now));
  };
  const seesFolder = folderSight(ability);
  return {
    seesFolder: (environment, { path }) => seesFolder({ environment, secretPath: path }),
    sees: (row) => may(secretPermissions.describeSecret, row),
    show: (row, withValue = true) =>
      toSecret(keys, row, { withValue: withValue && may(secretPermissions.readValue, row) }),
  };
}
