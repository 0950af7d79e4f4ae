import { projectPermissions, unlessTooCostly } from '../../access/index.ts';
import { statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { folderVisibility, seesAnyFolder, type RulePlace } from '../folder/index.ts';
import { abilityOfRunAs, RunAs } from '../import/replication/index.ts';

/** What a webhook may name now: what the actor that it runs as may see. */
export interface VisibleFolders {
  /** Whether there is anything that it may name. */
  readonly seesAny: boolean;
  readonly sees: (place: RulePlace) => boolean;
  readonly seesRotations: (place: RulePlace) => boolean;
}

const ALL: VisibleFolders = { seesAny: true, sees: () => true, seesRotations: () => true };
const NONE: VisibleFolders = { seesAny: false, sees: () => false, seesRotations: () => false };

const readRotation = projectPermissions('secret-rotation').read;

/** @param stored The `run_as` of a webhook; null if an earlier release saved it last, which names all folders. */
export async function visibleFolders(tx: Transaction, scope: Scope, stored: unknown): Promise<VisibleFolders> {
  const runAs = RunAs.nullable().parse(stored);
  if (!runAs) return ALL;
  const ability = await abilityOfRunAs(tx, scope, runAs);
  if (!ability || !seesAnyFolder(ability)) return NONE;
  const isVisible = folderVisibility(ability);
  // Rules of one actor do not delay the webhooks of others.
  const sees = (place: RulePlace) => unlessTooCostly(() => isVisible(place));
  const reads = (place: RulePlace) => unlessTooCostly(() => ability.can(readRotation, place));
  return { seesAny: true, sees, seesRotations: (place) => sees(place) && reads(place) };
}

const NOTHING_VISIBLE =
  'Whoever last saved this webhook may see no folder here any more; somebody who may has to save it again, with its URL or path';
const NOTE = statement(
  'webhooks.nothing_visible',
  `update webhooks set last_status = 'failed', last_run_error_message = $2
   where id = any($1::uuid[]) and last_run_error_message is distinct from $2`,
);

/** Says of webhooks that may name nothing why they are not called. */
export async function noteNothingVisible(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.sql(NOTE, [ids, NOTHING_VISIBLE]);
}
