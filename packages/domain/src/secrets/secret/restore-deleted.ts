import { mapInTurns, newId, statement, type Ability, type KeySet, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import type { Draft } from './draft.ts';
import { inReadablePortions, pastValues, type PastSecretRow } from './past.ts';
import { presentFields } from './present-names.ts';
import type { Written } from './published.ts';
import { referencesOfWrite, requireReadable } from './reference/store.ts';
import { requireMayRestore, type Restoring } from './restore-rights.ts';
import { fieldsOf, openingCost, type SecretFields } from './row.ts';
import { StoredVersions, type VersionRef } from './stored-versions.ts';
import { draftOf, insertSecrets } from './write.ts';

const LAST_VERSIONS = statement(
  'secret_versions.last',
  'select secret_id as id, max(version) as version from secret_versions where secret_id = any($1::uuid[]) group by secret_id',
);

/** What rules saw of a secret at the moment that is restored, and what it shall be, in a folder with its current path. */
export interface PastState {
  readonly was: SecretFields;
  readonly wanted: PastSecretRow;
}

export interface By {
  readonly ability: Ability;
  readonly keys: KeySet;
}

export interface Named {
  readonly id: string;
  readonly key: string;
}

/** A deleted secret under the ID and version that it gets. */
export interface Arrival extends Named {
  readonly row: PastSecretRow;
  readonly version: number;
  /** It exists elsewhere. */
  readonly isCopy: boolean;
}

/** Deleted secrets; those that exist `elsewhere` are recreated as copies. */
async function arrivalsOf(
  tx: Transaction,
  rows: readonly PastSecretRow[],
  elsewhere: ReadonlyMap<string, unknown>,
): Promise<Arrival[]> {
  if (rows.length === 0) return [];
  const last = await tx.sql<{ id: string; version: number }>(LAST_VERSIONS, [rows.map((row) => row.id)]);
  const versions = new Map(last.map((row) => [row.id, row.version]));
  return rows.map((row) => {
    const { id, key } = row;
    return elsewhere.has(id)
      ? { row, id: newId(), key, version: 1, isCopy: true }
      : { row, id, key, version: (versions.get(id) ?? row.version) + 1, isCopy: false };
  });
}

interface Deleted {
  readonly states: readonly PastState[];
  /** The IDs of the secrets that were in the restored folders before. */
  readonly here: ReadonlySet<string>;
  readonly written: Written;
}

/**
 * Recreates some deleted secrets, with the checks of `restoreSecrets`; their values are read and written some at a time.
 */
export async function restoreDeletedSecrets(
  tx: Transaction,
  scope: Scope,
  { ability, keys }: By,
  { states, here, written: noted }: Deleted,
): Promise<Arrival[]> {
  const past = states.map(({ wanted }) => wanted);
  const { elsewhere, stored } = await knownOf(tx, scope, ability, { past, here });
  const arrivals = await arrivalsOf(tx, past, elsewhere);
  const restoring = await mapInTurns(states.keys(), 2, (index): Restoring => {
    const { wanted, was } = states[index]!;
    return {
      now: undefined,
      was: [was, ...stored.fieldsOf(wanted)],
      elsewhere: elsewhere.get(wanted.id),
      after: { ...fieldsOf(wanted), secretPath: wanted.path },
    };
  });
  for (const [index, { was: fields }] of restoring.entries()) noted.restored(arrivals[index]!.id, fields);
  await requireMayRestore(tx, scope, ability, { removed: [], restoring });
  for await (const drafts of draftsOf(tx, scope, keys, arrivals)) {
    await requireReadable(tx, scope.projectId, await referencesOfWrite(valuesOf(drafts)));
    await insertSecrets(tx, scope, drafts, { reason: 'These secret names were just created' });
  }
  return arrivals;
}

/**
 * Recreates personal values whose shared secrets have been restored, as their owners have written them. The caller needs no
 * right to them, and is shown nothing of them.
 */
export async function restorePersonalValues(
  tx: Transaction,
  scope: Scope,
  keys: KeySet,
  rows: readonly PastSecretRow[],
): Promise<void> {
  const arrivals = await arrivalsOf(tx, rows, new Map());
  for await (const drafts of draftsOf(tx, scope, keys, arrivals)) await insertSecrets(tx, scope, drafts);
}

/** What arrivals are written as; their values are read some at a time. */
async function* draftsOf(
  tx: Transaction,
  scope: Scope,
  keys: KeySet,
  arrivals: readonly Arrival[],
): AsyncGenerator<Draft[]> {
  for (const portion of inReadablePortions(arrivals, ({ row }) => row.valueBytes)) {
    const rows = await pastValues(
      tx,
      scope,
      portion.map(({ row }) => row),
    );
    yield await mapInTurns(
      rows.keys(),
      (index) => openingCost(rows[index]!),
      (index): Draft => {
        const { before: _, ...draft } = draftOf(keys, rows[index]!);
        const { id, version, isCopy } = portion[index]!;
        return { ...draft, id, version, ...(isCopy && { createdAt: null }) };
      },
    );
  }
}

export const valuesOf = (drafts: readonly Draft[]) =>
  drafts.map(({ environment, path, text }) => ({ environment, path, value: text.value }));

/** The present fields of those that are in other folders now, and the stored versions of all. */
export async function knownOf(
  tx: Transaction,
  scope: Scope,
  ability: Ability,
  { past, here }: { past: readonly VersionRef[]; here: ReadonlySet<string> },
) {
  const elsewhere = await presentFields(
    tx,
    scope,
    past.flatMap(({ id }) => (here.has(id) ? [] : id)),
  );
  return { elsewhere, stored: await StoredVersions.of(tx, scope, ability, past) };
}
