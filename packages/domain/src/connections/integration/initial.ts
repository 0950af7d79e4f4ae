import { inTransaction, type Ability, type Context } from '../../kernel/index.ts';
import { enforcingPolicies } from '../../secrets/coverage/index.ts';
import { SecretName, SecretValue, updateSecrets } from '../../secrets/secret/index.ts';
import type { IntegrationSettings } from './destination.ts';
import { nameAtSource } from './difference.ts';
import { allowed, withRights, type Source } from './source.ts';

/**
 * What the first sync takes from the target into the folder, before it writes: nothing (`overwrite-target`), what the
 * folder does not have (`prefer-source`), or also what it has with another value (`prefer-target`).
 *
 * A value that holds `${` stays out: in the folder it would be a reference, and whoever may write at the target could
 * have any secret of the project sent there.
 */
export function importable(
  present: ReadonlyMap<string, string | undefined>,
  values: ReadonlyMap<string, string>,
  settings: IntegrationSettings,
): { secretKey: string; secretValue: string }[] {
  const { initialSyncBehavior = 'overwrite-target' } = settings;
  if (initialSyncBehavior === 'overwrite-target') return [];
  return [...present].flatMap(([nameThere, valueThere]) => {
    const { data: secretKey } = SecretName.safeParse(nameAtSource(nameThere, settings));
    const { data: secretValue } = SecretValue.safeParse(valueThere);
    if (secretKey === undefined || secretValue === undefined || secretValue.includes('${')) return [];
    const own = values.get(secretKey);
    const isTaken = own === undefined || (initialSyncBehavior === 'prefer-target' && own !== secretValue);
    return isTaken ? [{ secretKey, secretValue }] : [];
  });
}

/**
 * Writes into the folder what was found at the target, with the rights of whoever set the integration up, and under
 * change policies as people are.
 *
 * @throws DomainError as writing secrets does; 400 where a change policy covers the folder.
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
