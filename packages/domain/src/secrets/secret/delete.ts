import { abilityIn, authorizeAnywhere, organizationOf } from '../../access/index.ts';
import {
  mapInTurns,
  notFound,
  NotTogether,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { named, requireEach, requireOwner, valuesRead, type Answering } from './create.ts';
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
import { lockToDelete, smallWrite } from './together.ts';
import { changingSecrets, type Changing } from './transaction.ts';
import { askAhead, removeSecrets } from './write.ts';

/** The personal values in place of shared secrets. */
const PERSONAL_OF = statement(
  'secrets.personal_of',
  `select p.id from unnest($1::uuid[], $2::text[]) as w (folder_id, key)
   join secrets p on p.folder_id = w.folder_id and p.key = w.key and p.user_id is not null order by p.id for update of p`,
);

/** Deletes secrets of one folder, all or none. The history keeps their last versions. */
export function deleteSecrets(
  ctx: Context,
  input: DeleteSecrets,
  { isAnswered = true }: Answering = {},
): Promise<Secret[]> {
  const work = async (tx: Transaction) => {
    requireDistinct(input.secrets.map(({ secretKey, type }) => `${secretKey}:${type}`));
    const deleted = await deleteIn(tx, input, input.secrets);
    const { environment, secretPath, projectId } = input;
    const data = { environment, secretPath, secrets: deleted.map(named), ...(isAnswered && valuesRead(deleted)) };
    record(tx, secretsDeleted, data, { projectId });
    return deleted;
  };
  return changingSecrets(ctx, input.projectId, work, { together: togetherOf(input, input.secrets) });
}

/** Deletes one secret (with everybody's personal values of it), or the caller's personal value. */
export function deleteSecret(ctx: Context, { secretName, type, ...place }: DeleteSecret): Promise<Secret> {
  const secrets = [{ secretKey: secretName, type }];
  const work = async (tx: Transaction) => {
    const [deleted] = await deleteIn(tx, place, secrets);
    const { environment, secretPath, projectId } = place;
    const data = { environment, secretPath, ...named(deleted!), ...valuesRead([deleted!]) };
    record(tx, secretDeleted, data, { projectId });
    return deleted!;
  };
  return changingSecrets(ctx, place.projectId, work, { together: togetherOf(place, secrets) });
}

/** Shared secrets are deleted together with others: one with one, some with some. */
function togetherOf(place: SecretPlace, secrets: DeleteSecrets['secrets']): Changing['together'] {
  if (secrets.some(({ type }) => type === 'personal')) return undefined;
  const names = secrets.map(({ secretKey }) => secretKey);
  return smallWrite(names.length === 1 ? 'delete' : 'delete many', place, names, names);
}

async function deleteIn(tx: Transaction, place: SecretPlace, secrets: DeleteSecrets['secrets']): Promise<Secret[]> {
  const { projectId } = place;
  const organizationId = organizationOf(tx);
  await abilityIn(tx, projectId);
  tx.granted.add(secretPermissions.delete.key);
  const keysOf = (type: SecretType) => secrets.flatMap((secret) => (secret.type === type ? secret.secretKey : []));
  const [secretName] = keysOf('shared');
  if (secretName !== undefined) {
    const { environment, secretPath } = place;
    await authorizeAnywhere(tx, secretPermissions.delete, { projectId, environment, secretPath, secretName });
  }
  const shared = await lockAll(tx, place, keysOf('shared'), null, async (fields) =>
    requireEach(tx, await abilityIn(tx, projectId), secretPermissions.delete, fields),
  );
  const own = keysOf('personal');
  const personal = own.length > 0 ? await lockAll(tx, place, own, requireOwner(tx), () => Promise.resolve()) : [];
  const keys = await tx.keys.project(organizationId, projectId);
  // Rights may have changed while the locks were awaited.
  const ability = await abilityIn(tx, projectId);
  const deleted = await mapInTurns([...shared, ...personal], openingCost, (row) =>
    toSecret(keys, row, visibleTo(ability, fieldsOf(row), row.userId)),
  );
  const scope = { organizationId, projectId };
  const areOverridden = await removeSecrets(tx, scope, idsOf([...shared, ...personal]));
  if (areOverridden) await removePersonal(tx, scope, shared);
  return deleted;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** Deletes the personal values in place of shared secrets that are deleted: nobody can write another one meanwhile. */
async function removePersonal(tx: Transaction, scope: Scope, shared: readonly SecretRow[]): Promise<void> {
  // Who has locked one of them would be waited for by everybody.
  if (tx.isShared) throw new NotTogether();
  const [folders, names] = [shared.map(({ folderId }) => folderId), shared.map(({ key }) => key)];
  await removeSecrets(tx, scope, idsOf(await tx.sql<{ id: string }>(PERSONAL_OF, [folders, names])));
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
  const locking = tx.isShared
    ? lockToDelete(tx, { projectId, environment, secretPath }, names)
    : lockSecrets(tx, projectId, environment, places, owner);
  askAhead(tx, { organizationId: organizationOf(tx), projectId });
  const rows = await locking;
  const found = new Set(rows.map((row) => row.key));
  const absent = names.filter((name) => !found.has(name));
  await ask([
    ...rows.map(fieldsOf),
    ...absent.map((secretName) => ({ environment, secretPath, secretName, secretTags: [] })),
  ]);
  if (absent.length > 0) throw notFound('secret', { keys: absent });
  return rows;
}
