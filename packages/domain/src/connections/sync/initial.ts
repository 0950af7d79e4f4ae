import { inTransaction, type Ability, type Context } from '../../kernel/index.ts';
import { enforcingPolicies } from '../../secrets/coverage/index.ts';
import { SecretName, SecretValue, updateSecrets } from '../../secrets/secret/index.ts';
import { nameAtSource } from './difference.ts';
import { allowed, withRights, type Source } from './source.ts';
import type { SyncOptions } from './sync.ts';

/**
 * What the first sync imports from the target into the folder, before it writes: nothing (`overwrite-destination`),
 * what the folder lacks (`import-prioritize-source`), or also what it has with another value
 * (`import-prioritize-destination`).
 *
 * Values with `${` are not imported: in the folder they would be references, so that anybody who can write at the
 * target could have any secret of the project sent there.
 */
export function importable(
  present: ReadonlyMap<string, string | undefined>,
  values: ReadonlyMap<string, string>,
  options: SyncOptions,
): { secretKey: string; secretValue: string }[] {
  const { initialSyncBehavior } = options;
  if (initialSyncBehavior === 'overwrite-destination') return [];
  return [...present].flatMap(([nameThere, valueThere]) => {
    const { data: secretKey } = SecretName.safeParse(nameAtSource(nameThere, options));
    const { data: secretValue } = SecretValue.safeParse(valueThere);
    if (secretKey === undefined || secretValue === undefined || secretValue.includes('${')) return [];
    const own = values.get(secretKey);
    const isTaken =
      own === undefined || (initialSyncBehavior === 'import-prioritize-destination' && own !== secretValue);
    return isTaken ? [{ secretKey, secretValue }] : [];
  });
}

/**
 * Writes items of the target into the folder, as the actor that the sync runs as, and subject to change policies.
 *
 * @throws DomainError as writing secrets does; 400 if a change policy covers the folder.
 */
export const importInto = (
  ctx: Context,
  source: Source,
  rights: Ability,
  secrets: ReturnType<typeof importable>,
): Promise<unknown> =>
  enforcingPolicies(ctx, () =>
    inTransaction(ctx, (tx) => {
      const writer = withRights(tx, source.projectId, rights, () => undefined);
      return allowed(updateSecrets(writer, { ...source, mode: 'upsert', secrets }));
    }),
  );
