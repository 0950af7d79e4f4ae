import { abilityIn, allowsNothing, authorizeAnywhere, filterInTurns, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  explainConstraint,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { lockNames, type NamesLock } from '../meaning/index.ts';
import { changeIn } from './change.ts';
import { createIn, named, requireEach, requireOwner, valuesRead, type Answering } from './create.ts';
import { requireDistinct } from './project-rules.ts';
import { mayRefer } from './reference/reference.ts';
import {
  fieldsOf,
  JOIN_SECRETS_AT,
  mayDescribe,
  SECRET_COLUMNS,
  SECRET_TABLES,
  secretColumns,
  type SecretFields,
  type SecretRow,
} from './row.ts';
import {
  secretPermissions,
  secretsCreated,
  secretsUpdated,
  secretUpdated,
  type Secret,
  type SecretChange,
  type SecretPlace,
  type UpdateSecret,
  type UpdateSecrets,
} from './secret.ts';
import { changingSecrets, type Changing } from './transaction.ts';
import { lockTogether, smallWrite } from './together.ts';
import { requireWithin, valueWithin } from './value-limit.ts';
import { askAhead } from './write.ts';

explainConstraint('secrets_key_unique', 'A secret with this name already exists in the folder');

/** Locks in the order of ids, so that two batches over the same secrets wait for each other instead of deadlocking. */
const NAMED = `unnest($4::text[], $5::text[]) as w (path, key)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = $3
   ${JOIN_SECRETS_AT} $6::uuid`;
const LOCK_FEW = statement('secrets.lock_few', `select ${SECRET_COLUMNS} from ${NAMED} order by s.id for update of s`);
const LOCK_MANY = statement(
  'secrets.lock_many_sized',
  // With its name: one that gets another at this moment is not there any more.
  `with named as materialized (select s.id, s.key from ${NAMED})
   select ${secretColumns(valueWithin('z.id in (select id from named)'))}
   from ${SECRET_TABLES} join named on named.id = s.id and named.key = s.key order by s.id for update of s`,
);
/** So many values have the size of one request, at most. */
const FEW = 16;

/** The secrets with some names, locked: shared ones, or those of a user that they may see (`mayDescribe`). */
export async function lockSecrets(
  tx: Transaction,
  projectId: string,
  environment: string,
  places: readonly { path: string; key: string }[],
  userId: string | null,
): Promise<SecretRow[]> {
  const rows = await tx.sql<SecretRow>(places.length > FEW ? LOCK_MANY : LOCK_FEW, [
    organizationOf(tx),
    projectId,
    environment,
    places.map(({ path }) => path),
    places.map(({ key }) => key),
    userId,
  ]);
  requireWithin(rows, { isAnswered: true });
  if (userId === null) return rows;
  const ability = await abilityIn(tx, projectId);
  return filterInTurns(rows, (row) => mayDescribe(ability, row));
}

/**
 * Updates shared secrets, each with its given fields: all or none. Renaming rewrites references; names may be swapped.
 * Missing keys reject the batch (404), are skipped or created, depending on `mode`.
 */
export function updateSecrets(
  ctx: Context,
  input: UpdateSecrets,
  { isAnswered = true }: Answering = {},
): Promise<Secret[]> {
  const work = async (tx: Transaction) => {
    const { projectId, environment } = input;
    const changes = input.secrets.map((secret) => ({ ...secret, secretPath: secret.secretPath ?? input.secretPath }));
    const first = changes[0]!;
    const place = { projectId, environment, secretPath: first.secretPath, secretName: first.secretKey };
    await authorizeAnywhere(tx, secretPermissions.edit, place);
    const locationOf = ({ secretPath, secretKey }: { secretPath: string; secretKey: string }) =>
      `${secretPath}:${secretKey}`;
    requireDistinct(changes.map(locationOf));
    await lockFor(tx, projectId, changes);
    const places = changes.map((change) => ({ path: change.secretPath, key: change.secretKey }));
    const locking = lockSecrets(tx, projectId, environment, places, null);
    askAhead(tx, { organizationId: organizationOf(tx), projectId });
    const rows = await locking;
    const rowOf = new Map(rows.map((row) => [`${row.path}:${row.key}`, row]));
    const absent = changes.filter((change) => !rowOf.has(locationOf(change)));
    await requireMayEdit(tx, projectId, [
      ...rows.map(fieldsOf),
      ...absent.map((one) => fieldsOfNone(environment, one)),
    ]);
    if (input.mode === 'failOnNotFound' && absent.length > 0)
      throw notFound('secret', { keys: absent.map((change) => change.secretKey) });
    const present = changes.flatMap((change) => {
      const row = rowOf.get(locationOf(change));
      return row ? { change, row } : [];
    });
    const updated = await changeIn(tx, projectId, present);
    const created = input.mode === 'upsert' ? await createAbsent(tx, input, absent) : [];
    const secrets = updated.map((one) => ({ ...named(one), secretPath: one.secretPath }));
    const read = isAnswered && valuesRead(updated, (index) => present[index]!.change.secretValue !== undefined);
    record(tx, secretsUpdated, { environment, secretPath: input.secretPath, secrets, ...read }, { projectId });
    return [...updated, ...created];
  };
  return changingSecrets(ctx, input.projectId, work, { takesNames: input.mode === 'upsert' });
}

/** Updates one secret, or the caller's personal value of it. */
export function updateSecret(ctx: Context, input: UpdateSecret): Promise<Secret> {
  const together =
    input.type === 'personal' || namesLockOf([input])
      ? undefined
      : smallWrite('update', input, [input.secretName], input);
  return updateOne(ctx, input, () => Promise.resolve({ ...input, secretKey: input.secretName }), together);
}

/**
 * Updates one secret with `changeOf`, which is called after the secret is locked. Which of its fields change is known from
 * `place`: the names are locked for some.
 */
export function updateOne(
  ctx: Context,
  place: SecretPlace & Pick<UpdateSecret, 'secretName' | 'type' | 'secretValue' | 'newSecretName' | 'tagIds'>,
  changeOf: (tx: Transaction, row: SecretRow) => Promise<SecretChange>,
  together?: Changing['together'],
): Promise<Secret> {
  const work = async (tx: Transaction) => {
    const { projectId, environment, secretPath, secretName, type } = place;
    const owner = type === 'personal' ? requireOwner(tx) : null;
    await (owner === null
      ? authorizeAnywhere(tx, secretPermissions.edit, { projectId, environment, secretPath, secretName })
      : requireMaySee(tx, projectId));
    if (owner !== null && place.newSecretName)
      throw badRequest('secret.personal_name', 'A personal value has the name of the shared secret');
    await lockFor(tx, projectId, [place]);
    const locking = tx.isShared
      ? lockTogether(tx, place).then((row) => [row])
      : lockSecrets(tx, projectId, environment, [{ path: secretPath, key: secretName }], owner);
    askAhead(tx, { organizationId: organizationOf(tx), projectId });
    const [row] = await locking;
    const fields = row ? fieldsOf(row) : fieldsOfNone(environment, { secretPath, secretKey: secretName });
    if (owner === null) await requireMayEdit(tx, projectId, [fields]);
    if (!row) throw notFound('secret');
    const change = await changeOf(tx, row);
    const [updated] = await changeIn(tx, projectId, [{ change, row }]);
    const read = valuesRead([updated!], () => change.secretValue !== undefined);
    record(tx, secretUpdated, { environment, secretPath, ...named(updated!), ...read }, { projectId });
    return updated!;
  };
  return changingSecrets(ctx, place.projectId, work, { together });
}

/** Who may describe nothing in the project sees no value of its own there: nothing is locked for it, or searched. */
async function requireMaySee(tx: Transaction, projectId: string): Promise<void> {
  const ability = await abilityIn(tx, projectId);
  tx.granted.add(secretPermissions.edit.key);
  if (allowsNothing(ability, secretPermissions.describeSecret)) throw notFound('secret');
}

/**
 * A caller who may not edit at a location learns only that: this is checked before everything else, for existing and
 * missing secrets.
 */
async function requireMayEdit(tx: Transaction, projectId: string, things: readonly SecretFields[]): Promise<void> {
  await requireEach(tx, await abilityIn(tx, projectId), secretPermissions.edit, things);
}

/** What rules see of a name that no secret has. */
const fieldsOfNone = (
  environment: string,
  { secretPath, secretKey }: { secretPath: string; secretKey: string },
): SecretFields => ({ environment, secretPath, secretName: secretKey, secretTags: [] });

type Locking = readonly Pick<SecretChange, 'newSecretName' | 'secretValue' | 'tagIds'>[];

/** Before any row is read. Changes of values alone hold nothing. */
async function lockFor(tx: Transaction, projectId: string, changes: Locking): Promise<void> {
  const how = namesLockOf(changes);
  if (how) await lockNames(tx, how, { projectId });
}

function namesLockOf(changes: Locking): NamesLock | undefined {
  if (changes.some(({ newSecretName, secretValue }) => newSecretName || (secretValue && mayRefer(secretValue))))
    return 'exclusive';
  return changes.some(({ tagIds }) => tagIds) ? 'shared' : undefined;
}

async function createAbsent(
  tx: Transaction,
  input: UpdateSecrets,
  absent: readonly (SecretChange & { secretPath: string })[],
): Promise<Secret[]> {
  const { projectId, environment } = input;
  const all: Secret[] = [];
  for (const [secretPath, changes] of Map.groupBy(absent, (change) => change.secretPath)) {
    const secrets = changes.map((change) => ({
      ...change,
      secretKey: change.newSecretName ?? change.secretKey,
      secretValue: change.secretValue ?? '',
    }));
    const created = await createIn(tx, { projectId, environment, secretPath }, secrets, null);
    record(tx, secretsCreated, { environment, secretPath, secrets: created.map(named) }, { projectId });
    for (const secret of created) all.push(secret);
  }
  return all;
}
