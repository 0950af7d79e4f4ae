import { eachPortion, mapInTurns, statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { secretPlace, type Pair } from './difference.ts';
import type { FieldRow } from './row.ts';

/** Why a restoration leaves a secret as it is: a rotation manages it, or takes its name, or its folder is not recreated. */
export type LeftOutReason = 'secret.rotated' | 'secret_rotation.takes_name' | 'folder.name_taken';

export interface LeftOut<Row> extends Pair<Row> {
  readonly reason: LeftOutReason;
}

const NAMES = statement(
  'secrets.names_of_rotations',
  `select r.folder_id as "folderId", mapped.value as key from secret_rotations r, jsonb_each_text(r.secrets_mapping) mapped
   where r.folder_id = any($1::uuid[])`,
);
const MANAGED = statement(
  'secrets.managed',
  'select id from secrets where project_id = $1 and id = any($2::uuid[]) and rotation_id is not null',
);

/**
 * Divides what a restoration would change in some folders, which are locked: without what rotations manage, and what would
 * get a name that a rotation takes, or that of a secret that is left out itself, and what would be in a folder that is not recreated.
 */
export async function withoutRotated<Row extends FieldRow>(
  tx: Transaction,
  { projectId }: Pick<Scope, 'projectId'>,
  { folderIds, unplaced }: { readonly folderIds: readonly string[]; readonly unplaced: ReadonlySet<string> },
  all: readonly Pair<Row>[],
): Promise<{ restored: Pair<Row>[]; left: LeftOut<Row>[] }> {
  const managed = new Set<string>();
  const wanted = all.flatMap(({ after }) => after?.id ?? []);
  await eachPortion(wanted, async (ids) => {
    for (const { id } of await tx.sql<{ id: string }>(MANAGED, [projectId, ids])) managed.add(id);
  });
  const isManaged = ({ before, after }: Pair<Row>) =>
    Boolean(before?.rotationId) || (after !== undefined && managed.has(after.id));
  const isUnplaced = ({ after }: Pair<Row>) => after !== undefined && unplaced.has(after.folderId);
  const arriving = new Map<string, Pair<Row>>();
  await mapInTurns(all, 1, (pair) => {
    const place = pair.after && secretPlace(pair.after);
    const isHere = pair.before && secretPlace(pair.before) === place;
    if (place !== undefined && !isHere && !isManaged(pair) && !isUnplaced(pair)) arriving.set(place, pair);
  });
  const places = (await tx.sql<Pick<FieldRow, 'folderId' | 'key'>>(NAMES, [folderIds])).map(secretPlace);
  for (const pair of all) if (isUnplaced(pair) && pair.before) places.push(secretPlace(pair.before));
  const refused = new Set<Pair<Row>>();
  // Grows: what is left out keeps the name that it has.
  for (const place of places) {
    const pair = arriving.get(place);
    if (!pair || refused.has(pair)) continue;
    refused.add(pair);
    if (pair.before) places.push(secretPlace(pair.before));
  }
  const restored: Pair<Row>[] = [];
  const left: LeftOut<Row>[] = [];
  await mapInTurns(all, 1, (pair) => {
    if (isManaged(pair)) left.push({ ...pair, reason: 'secret.rotated' });
    else if (isUnplaced(pair)) left.push({ ...pair, reason: 'folder.name_taken' });
    else if (refused.has(pair)) left.push({ ...pair, reason: 'secret_rotation.takes_name' });
    else restored.push(pair);
  });
  return { restored, left };
}
