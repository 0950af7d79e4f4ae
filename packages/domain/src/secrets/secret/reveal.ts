import { eachInTurns, filterInTurns, gainsIn } from '../../access/index.ts';
import type { Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { copiedFrom } from './imported.ts';
import { requireNoGainByFields } from './project-rules.ts';
import type { SecretFields } from './row.ts';
import { askedPermissions, readingPermissions } from './secret.ts';

/** A secret before and after a change. */
export interface FieldsChange {
  readonly before: SecretFields;
  readonly after: SecretFields;
  /** If `before` is a former version: the check is then who may read what was written at that time. */
  readonly isPast?: true;
}

/**
 * Rejects (403) changes under which some actor could do with a secret what the caller may not do with it now, and the
 * same for its replicated copies, which have the names and tags of the originals. The names of the project are locked.
 * - Another name or other tags are a grant of every right to all actors whose rules match them.
 * - For another location only reading is checked. A move checks `delete` here and `create` there itself, and a caller
 *   with both could as well delete the secret and create it there for writers in that folder. But it must not disclose
 *   what the caller may not read.
 * - The same applies to copies: their writers do not change the secret.
 */
export async function requireNoReveal(
  tx: Transaction,
  { projectId }: Pick<Scope, 'projectId'>,
  changes: readonly FieldsChange[],
): Promise<void> {
  const visible = await filterInTurns(changes, isOther);
  if (visible.length === 0) return;
  requireNamesLocked(tx, 'shared', { projectId });
  const gains = await gainsIn(tx, projectId);
  const open = await gains.notHeld(visible, (held, change) =>
    permissionsAt(change).every((one) => held.can(one, change.before)),
  );
  await eachInTurns(open, (change) => {
    requireNoGainByFields(gains, permissionsAt(change), change.before, change.after);
  });
  const isRead = ({ before }: FieldsChange) =>
    gains.holds((ability) => readingPermissions.every((one) => ability.can(one, before)));
  const hidden = await filterInTurns(open, (change) => !isRead(change));
  if (hidden.length === 0) return;
  const places = [...new Map(hidden.map(({ after }) => [locationOf(after), after])).values()];
  const copies = await copiedFrom(
    tx,
    projectId,
    places.map(({ environment, secretPath }) => ({ environment, path: secretPath })),
  );
  const copiesAt = new Map(places.map((place, index) => [locationOf(place), copies[index]!]));
  await eachInTurns(hidden, ({ before, after }) => {
    for (const { environment, path: secretPath } of copiesAt.get(locationOf(after))!) {
      const copyOf = (fields: SecretFields): SecretFields => ({ ...fields, environment, secretPath });
      // What comes from elsewhere had no copy there.
      const copied = locationOf(before) === locationOf(after) ? copyOf(before) : before;
      requireNoGainByFields(gains, readingPermissions, copied, copyOf(after));
    }
  });
}

const locationOf = ({ environment, secretPath }: SecretFields): string => environment + secretPath;

const permissionsAt = (change: FieldsChange) =>
  !change.isPast && isOtherByName(change) ? askedPermissions : readingPermissions;

/** Whether rules may see a difference. */
export const isOther = (change: FieldsChange): boolean =>
  locationOf(change.before) !== locationOf(change.after) || isOtherByName(change);

const isOtherByName = ({ before, after }: FieldsChange): boolean =>
  before.secretName !== after.secretName || before.secretTags.toSorted().join() !== after.secretTags.toSorted().join();
