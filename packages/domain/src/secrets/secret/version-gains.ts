import { abilityIn, allowsAll, type Gains, findInTurns } from '../../access/index.ts';
import type { Permission, Transaction } from '../../kernel/index.ts';
import type { PresentNames } from './present-names.ts';
import type { SecretFields } from './row.ts';
import { readingPermissions } from './secret.ts';
import { StoredVersions, type VersionRef } from './stored-versions.ts';

/** The visible versions under other names. */
export interface VersionGain {
  readonly permission: Permission;
  /** What gets another name. */
  readonly names: PresentNames;
}

/** How a rename changes the fields of a resource; the same fields if it does not. */
export type Renaming = (names: PresentNames) => SecretFields;

/**
 * The stored versions that some actor could see after a rename and the caller may not see now (see `Gains`). A version
 * is visible with all of its authorizations (see `StoredVersions`): its former fields do not change, the others are
 * given by `after`.
 */
export async function versionGain(
  tx: Transaction,
  projectId: string,
  gains: Gains,
  refs: readonly VersionRef[],
  after: Renaming,
): Promise<VersionGain | undefined> {
  const asked = refs.length > 0 ? await gains.notHeld(readingPermissions, allowsAll) : [];
  if (asked.length === 0) return undefined;
  const stored = await StoredVersions.of(tx, { projectId }, await abilityIn(tx, projectId), refs);
  const known = new Set<string>();
  const gainBy = (ref: VersionRef): VersionGain | undefined => {
    const names = stored.namesOf(ref);
    if (!names) return undefined;
    const before = [names.written, ...names.present.map(({ fields }) => fields)];
    const next = [names.written, ...names.present.map(after)];
    // Versions of the same names have the same answer.
    const key = JSON.stringify([before, next]);
    if (known.has(key)) return undefined;
    known.add(key);
    const changed = next.flatMap((fields, index) => (fields === before[index] ? [] : index));
    for (const permission of asked) {
      if (gains.holds((ability) => before.every((fields) => ability.can(permission, fields)))) continue;
      const gained = changed.find((index) => {
        const others = next.filter((_, other) => other !== index);
        return gains.giving(permission, before[index]!, next[index]!, ...others).length > 0;
      });
      if (gained !== undefined) return { permission, names: names.present[gained - 1]! };
    }
    return undefined;
  };
  let found: VersionGain | undefined;
  await findInTurns(refs, (ref) => (found = gainBy(ref)) !== undefined);
  return found;
}
