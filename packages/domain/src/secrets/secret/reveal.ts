import { gainsIn } from '../../access/index.ts';
import type { Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireNamesLocked } from '../meaning/index.ts';
import { copiedFrom } from './imported.ts';
import { requireNoNewVisibility } from './project-rules.ts';
import type { SecretFields } from './row.ts';
import { readingPermissions } from './secret.ts';

/** A secret as it is, and as it is to be. */
export interface FieldsChange {
  readonly before: SecretFields;
  readonly after: SecretFields;
}

/**
 * Refuses (403) what `requireNoNewVisibility` refuses, and the same of the copies that replications make of these secrets: they
 * have the names and tags of what they are copies of. The names of the project are held.
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
  const isRead = ({ before }: FieldsChange) =>
    gains.holds((ability) => readingPermissions.every((one) => ability.can(one, before)));
  const hidden = visible.filter((change) => !isRead(change));
  if (hidden.length === 0) return;
  for (const { before, after } of hidden) requireNoNewVisibility(gains, before, after);
  const places = [...new Map(hidden.map(({ after }) => [locationOf(after), after])).values()];
  const copies = await copiedFrom(
    tx,
    projectId,
    places.map(({ environment, secretPath }) => ({ environment, path: secretPath })),
  );
  const copiesAt = new Map(places.map((place, index) => [locationOf(place), copies[index]!]));
  for (const { before, after } of hidden)
    for (const { environment, path: secretPath } of copiesAt.get(locationOf(after))!) {
      const copyOf = (fields: SecretFields): SecretFields => ({ ...fields, environment, secretPath });
      // What comes from elsewhere had no copy there.
      requireNoNewVisibility(gains, locationOf(before) === locationOf(after) ? copyOf(before) : before, copyOf(after));
    }
}

const locationOf = ({ environment, secretPath }: SecretFields): string => environment + secretPath;

/** Whether rules may see a difference. */
const isOther = ({ before, after }: FieldsChange): boolean =>
  locationOf(before) !== locationOf(after) ||
  before.secretName !== after.secretName ||
  before.secretTags.toSorted().join() !== after.secretTags.toSorted().join();
