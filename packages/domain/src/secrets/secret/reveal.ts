import { eachInTurns, filterInTurns, gainsIn } from '../../access/index.ts';
import type { Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { copiedFrom } from './imported.ts';
import { requireNoGainByFields } from './project-rules.ts';
import type { SecretFields } from './row.ts';
import { askedPermissions, readingPermissions } from './secret.ts';

/** A secret as it is, and as it is to be. */
export interface FieldsChange {
  readonly before: SecretFields;
  readonly after: SecretFields;
  /** Where `before` is what it once was: what is asked then is who reads what was written at that time. */
  readonly isPast?: true;
}

/**
 * Refuses (403) changes under which somebody could do with a secret what the caller may not do with it now, and the same of
 * the copies that replications make of these secrets: they have the names and tags of what they are copies of. The names
 * of the project are held.
 *
 * - Another name or other tags are a grant of every right to everybody whose rules speak of them.
 * - Another place alone is asked about reading. A move asks for `delete` here and `create` there itself, and who holds both
 *   could as well delete the secret and create it there, for whoever edits and deletes in that folder. What it could not
 *   do so is to show what it may not read.
 * - So are copies: whoever changes them changes nothing of the secret.
 */
export async function requireNoReveal(
  tx: Transaction,
  { projectId }: Pick<Scope, 'projectId'>,
  changes: readonly FieldsChange[],
): Promise<void> {
  const visible = changes.filter(isOther);
  if (visible.length === 0) return;
  requireNamesLocked(tx, 'shared', { projectId });
  const gains = await gainsIn(tx, projectId);
  await eachInTurns(visible, (change) => {
    requireNoGainByFields(gains, permissionsAt(change), change.before, change.after);
  });
  const isRead = ({ before }: FieldsChange) =>
    gains.holds((ability) => readingPermissions.every((one) => ability.can(one, before)));
  const hidden = await filterInTurns(visible, (change) => !isRead(change));
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
