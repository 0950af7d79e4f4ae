import { abilityIn, organizationOf } from '../../access/index.ts';
import { inTransaction, notFound, record, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { named, requireEach, requireShared } from './create.ts';
import { requireDistinct } from './project-rules.ts';
import { fieldsOf, personalOwner, toSecret, type SecretRow } from './row.ts';
import {
  secretDeleted,
  secretPermissions,
  secretsDeleted,
  type DeleteSecret,
  type DeleteSecrets,
  type Secret,
  type SecretPlace,
} from './secret.ts';
import { lockSecrets } from './update.ts';
import { removeSecrets } from './write.ts';

const PERSONAL_OF = statement(
  'secrets.personal_of',
  `select p.id from secrets s join secrets p on p.folder_id = s.folder_id and p.key = s.key and p.user_id is not null
   where s.id = any($1::uuid[]) order by p.id for update of p`,
);

/** Deletes secrets of one folder: all of them or none. The history keeps their last versions. */
export function deleteSecrets(ctx: Context, input: DeleteSecrets): Promise<Secret[]> {
  return inTransaction(ctx, async (tx) => {
    requireDistinct(input.secrets.map(({ secretKey, type }) => `${secretKey}:${type}`));
    const deleted = await deleteIn(tx, input, input.secrets);
    const { environment, secretPath, projectId } = input;
    record(tx, secretsDeleted, { environment, secretPath, secrets: deleted.map(named) }, { projectId });
    return deleted;
  });
}

/** Deletes one secret (with everybody's personal values over it), or the caller's personal value. */
export function deleteSecret(ctx: Context, { secretName, type, ...place }: DeleteSecret): Promise<Secret> {
  return inTransaction(ctx, async (tx) => {
    const [deleted] = await deleteIn(tx, place, [{ secretKey: secretName, type }]);
    const { environment, secretPath, projectId } = place;
    record(tx, secretDeleted, { environment, secretPath, ...named(deleted!) }, { projectId });
    return deleted!;
  });
}

async function deleteIn(tx: Transaction, place: SecretPlace, secrets: DeleteSecrets['secrets']): Promise<Secret[]> {
  const { projectId, environment, secretPath } = place;
  const ability = await abilityIn(tx, projectId);
  tx.granted.add(secretPermissions.delete.key);
  const rows: SecretRow[] = [];
  for (const type of ['shared', 'personal'] as const) {
    const keys = secrets.filter((secret) => secret.type === type).map((secret) => secret.secretKey);
    if (keys.length === 0) continue;
    if (type === 'personal') for (const secretName of keys) await requireShared(tx, { ...place, secretName });
    const found = await lockSecrets(
      tx,
      projectId,
      environment,
      keys.map((key) => ({ path: secretPath, key })),
      type === 'personal' ? personalOwner(tx) : null,
    );
    const absent = keys.filter((key) => !found.some((row) => row.key === key));
    if (type === 'shared') {
      const nothing = absent.map((secretName) => ({ environment, secretPath, secretName, secretTags: [] }));
      requireEach(tx, ability, secretPermissions.delete, [...found.map(fieldsOf), ...nothing]);
    }
    if (absent.length > 0) throw notFound('secret', { keys: absent });
    rows.push(...found);
  }
  const keys = await tx.keys.project(organizationOf(tx), projectId);
  const deleted = rows.map((row) =>
    toSecret(keys, row, { withValue: row.user_id !== null || ability.can(secretPermissions.readValue, fieldsOf(row)) }),
  );
  const shared = rows.filter((row) => row.user_id === null).map((row) => row.id);
  const personal = await tx.sql<{ id: string }>(PERSONAL_OF, [shared]);
  await removeSecrets(tx, [...new Set([...rows.map((row) => row.id), ...personal.map((row) => row.id)])]);
  return deleted;
}
