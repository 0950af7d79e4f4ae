import { inTransaction, type Ability, type Context, type Transaction } from '../../kernel/index.ts';
import { enforcingPolicies } from '../../secrets/coverage/index.ts';
import { createSecrets, SecretName, SecretValue, updateSecrets } from '../../secrets/secret/index.ts';
import { foldName, nameAtSource, nameAtTarget, type Naming } from './difference.ts';
import { allowed, unlessRefused, withRights, type Source } from './source.ts';
import type { ImportBehavior, SyncOptions } from './sync.ts';

/** A secret of the target that the folder gets. */
export interface Importable {
  readonly secretKey: string;
  readonly secretValue: string;
}

const FIRST: Readonly<Record<SyncOptions['initialSyncBehavior'], ImportBehavior | undefined>> = {
  'overwrite-destination': undefined,
  'import-prioritize-source': 'prioritize-source',
  'import-prioritize-destination': 'prioritize-destination',
};

/** What the first sync imports before it writes, if anything. */
export const firstImport = ({ initialSyncBehavior }: SyncOptions): ImportBehavior | undefined =>
  FIRST[initialSyncBehavior];

/**
 * What is imported from the target into the folder: what the folder lacks (`prioritize-source`), or also what it has
 * with another value (`prioritize-destination`).
 *
 * Values with `${` are not imported: in the folder they would be references, so that anybody who can write at the
 * target could have any secret of the project sent there.
 */
export function importable(
  present: ReadonlyMap<string, string | undefined>,
  values: ReadonlyMap<string, string>,
  naming: Naming,
  behavior: ImportBehavior,
): Importable[] {
  const ownNames = new Map([...values.keys()].map((name) => [foldName(nameAtTarget(name, naming), naming), name]));
  return [...present].flatMap(([nameThere, valueThere]) => {
    const ownName = ownNames.get(foldName(nameThere, naming));
    const { data: secretKey } = SecretName.safeParse(ownName ?? nameAtSource(nameThere, naming));
    const { data: secretValue } = SecretValue.safeParse(valueThere);
    if (secretKey === undefined || secretValue === undefined || secretValue.includes('${')) return [];
    const own = values.get(secretKey);
    const isTaken = own === undefined || (behavior === 'prioritize-destination' && own !== secretValue);
    return isTaken ? [{ secretKey, secretValue }] : [];
  });
}

/** Whose rights an import takes, to each secret that it writes: those that they have as it writes. */
interface Importing {
  /** Of the actor that the sync runs as. */
  readonly runAs: Ability;
  /** Of who has requested it; absent for the first sync, which that actor has set up. */
  readonly requester?: Ability;
}

/**
 * Writes items of the target into the folder, as the actor that the sync runs as, and subject to change policies.
 *
 * @throws DomainError as writing secrets does, such as `secret.exists`; 400 if a change policy covers the folder, and if one of both
 * actors lacks a right.
 */
export const importInto = (
  ctx: Context,
  source: Source,
  rightsIn: (tx: Transaction) => Promise<Importing>,
  secrets: readonly Importable[],
  behavior: ImportBehavior,
): Promise<unknown> =>
  enforcingPolicies(ctx, () =>
    inTransaction(ctx, async (tx) => {
      const { runAs, requester } = await rightsIn(tx);
      const rights = requester ? bothOf(runAs, requester) : runAs;
      const writer = withRights(tx, source.projectId, rights, () => undefined);
      const given = { ...source, secrets: [...secrets] };
      // What was created since the folder was read comes first.
      const work: Promise<unknown> =
        behavior === 'prioritize-source'
          ? createSecrets(writer, given)
          : updateSecrets(writer, { ...given, mode: 'upsert' });
      return requester ? unlessRefused(work) : allowed(work);
    }),
  );

/** What both may do. Its rules are those of both, and decide nothing by themselves: what is decided by one is refused. */
const bothOf = (one: Ability, other: Ability): Ability => ({
  can: (permission, fields) => one.can(permission, fields) && other.can(permission, fields),
  decidedBy: [...one.decidedBy, ...other.decidedBy],
  ...{ rules: [], windows: [], sources: [] },
  rulesFor: (permission) => [...one.rulesFor(permission), ...other.rulesFor(permission)],
});
