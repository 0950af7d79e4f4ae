import { filterInTurns } from '../../access/index.ts';
import { mapInTurns, type Ability, type Context, type KeySet, type AnswerRoom } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { pastFolderVisibility, type PastFolder } from '../folder/index.ts';
import {
  fieldsOf,
  pastValues,
  secretPermissions,
  StoredVersions,
  toSecret,
  turnCost,
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
  /** Some secrets that it sees, in their order: with those values that the caller may read, or without values. */
  readonly show: (rows: readonly PastSecretRow[], room?: AnswerRoom) => Promise<Secret[]>;
}

export async function visibilityOf(
  ctx: Context,
  scope: Scope,
  ability: Ability,
  keys: KeySet,
  { environment, folders, secrets }: Past,
): Promise<Visibility> {
  const stored = await StoredVersions.of(ctx, scope, ability, secrets);
  const readsValue = (row: PastSecretRow) => stored.may(secretPermissions.readValue, row, fieldsOf(row));
  const show: Visibility['show'] = async (rows, room) => {
    const readable = room ? await filterInTurns(rows, readsValue) : [];
    for (const row of readable) room!.take(row.valueBytes);
    const valued = await pastValues(ctx, scope, readable);
    const withValues = new Map(readable.map((row, index) => [row, valued[index]!]));
    return mapInTurns(
      rows,
      (row) => turnCost(withValues.has(row) ? row.valueBytes : 0),
      (row) => {
        const withValue = withValues.has(row);
        return toSecret(keys, withValues.get(row) ?? { ...row, value: NOTHING }, { withValue, withDetails: true });
      },
    );
  };
  return {
    seesFolder: await pastFolderVisibility(ctx, ability, environment, folders),
    sees: (row) => stored.may(secretPermissions.describeSecret, row, fieldsOf(row)),
    show,
  };
}

const NOTHING = Buffer.alloc(0);
