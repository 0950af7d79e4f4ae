import { abilityIn, organizationOf } from '../../access/index.ts';
import { mapInTurns, notFound, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { named, requireEach, requireOwner } from './create.ts';
import { requireDistinct } from './project-rules.ts';
import { fieldsOf, openingCost, toSecret, visibleTo, type SecretFields, type SecretRow } from './row.ts';
import {
  secretDeleted,
  secretPermissions,
  secretsDeleted,
  type DeleteSecret,
  type DeleteSecrets,
  type Secret,
  type SecretPlace,
  type SecretType,
} from './secret.ts';
import { lockSecrets } from './update.ts';
import { removeSecrets } from './write.ts';
import { changingSecrets } from './transaction.ts';

const PERSONAL_OF = statement(
  'secrets.personal_of',
  `select p.id from secrets s join secrets p on p.folder_id = s.folder_id and p.key = s.key and p.user_id is not null
   where s.id = any($1::uuid[]) order by p.id for update of p`,
);

/** Deletes secrets of one folder, all or none. The history keeps their last versions. */
export function deleteSecrets(ctx: Context, input: DeleteSecrets): Promise<Secret[]> {
  return changingSecrets(ctx, input.projectId, async (tx) => {
    requireDistinct(input.secrets.map(({ secretKey, type }) => `${secretKey}:${type}`));
    const deleted = await deleteIn(tx, input, input.secrets);
    const { environment, secretPath, projectId } = input;
    record(tx, secretsDeleted, { environment, secretPath, secrets: deleted.map(named) }, { projectId });
    return deleted;
  });
}

/** Deletes one secret (with everybody's personal values of it), or the caller's personal value. */
export function deleteSecret(ctx: Context, { secretName, type, ...place }: DeleteSecret): Promise<Secret> {
  return changingSecrets(ctx, place.projectId, async (tx) => {
    const [deleted] = await deleteIn(tx, place, [{ secretKey: secretName, type }]);
    const { environment, secretPath, projectId } = place;
    record(tx, secretDeleted, { environment, secretPath, ...named(deleted!) }, { projectId });
    return deleted!;
  });
}

async function deleteIn(tx: Transaction, place: SecretPlace, secrets: DeleteSecrets['secrets']): Promise<Secret[]> {
  const { projectId } = place;
  const organizationId = organizationOf(tx);
  const ability = await abilityIn(tx, projectId);
  tx.granted.add(secretPermissions.delete.key);
  const keysOf = (type: SecretType) => secrets.flatMap((secret) => (secret.type === type ? secret.secretKey : []));
  const shared = await lockAll(tx, place, keysOf('shared'), null, (fields) =>
    requireEach(tx, ability, secretPermissions.delete, fields),
  );
  const own = keysOf('personal');
  const personal = own.length > 0 ? await lockAll(tx, place, own, requireOwner(tx), () => Promise.resolve()) : [];
  const keys = await tx.keys.project(organizationId, projectId);
  const deleted = await mapInTurns([...shared, ...personal], openingCost, (row) =>
    toSecret(keys, row, visibleTo(ability, fieldsOf(row), row.userId)),
  );
  const over = await tx.sql<{ id: string }>(PERSONAL_OF, [shared.map((row) => row.id)]);
  await removeSecrets(tx, { organizationId, projectId }, [
    ...new Set([...shared, ...personal, ...over].map((row) => row.id)),
  ]);
  return deleted;
}

/** The secrets with these names, locked; permissions are also checked for missing ones (404). */
async function lockAll(
  tx: Transaction,
  { projectId, environment, secretPath }: SecretPlace,
  names: readonly string[],
  owner: string | null,
  ask: (fields: SecretFields[]) => Promise<void>,
): Promise<SecretRow[]> {
  if (names.length === 0) return [];
  const places = names.map((key) => ({ path: secretPath, key }));
  const rows = await lockSecrets(tx, projectId, environment, places, owner);
  const found = new Set(rows.map((row) => row.key));
  const absent = names.filter((name) => !found.has(name));
  await ask([
    ...rows.map(fieldsOf),
    ...absent.map((secretName) => ({ environment, secretPath, secretName, secretTags: [] })),
  ]);
  if (absent.length > 0) throw notFound('secret', { keys: absent });
  return rows;
}
