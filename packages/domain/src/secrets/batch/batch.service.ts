import { authorizeAnywhere, organizationOf } from '../../access/index.ts';
import { badRequest, outdated, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { describeCommit } from '../commit/index.ts';
import { holdFolder } from '../folder/index.ts';
import { lockNames } from '../meaning/index.ts';
import {
  changingSecrets,
  createSecrets,
  deleteSecrets,
  JOIN_SECRETS_AT,
  secretPermissions,
  updateSecrets,
  type Secret,
} from '../secret/index.ts';
import type { ChangedSecret, ChangeSecrets, FolderChanges } from './batch.ts';

/**
 * Creates, updates and deletes shared secrets in several environments and folders of a project, and deletes personal ones:
 * all or none, as one commit. Each folder is changed by `deleteSecrets`, `updateSecrets` and `createSecrets`, with their
 * checks. Versions that the caller expects are not compared: see `changeSecretsAsRead`.
 *
 * @throws DomainError 400 `secret.no_changes`, `secret.duplicate_folder`, and what these throw.
 */
export const changeSecrets = (ctx: Context, input: ChangeSecrets): Promise<ChangedSecret[]> =>
  changeAll(ctx, input, () => {});

/**
 * The same, if the secrets have the versions that the caller expects.
 *
 * @throws DomainError 409 `secret.outdated`, which names those that have other versions; a missing one is a 404.
 */
export const changeSecretsAsRead = (ctx: Context, input: ChangeSecrets): Promise<ChangedSecret[]> =>
  changeAll(ctx, input, requireVersions);

async function changeAll(
  ctx: Context,
  { projectId, message, changes }: ChangeSecrets,
  requireCurrent: (places: readonly FolderChanges[], locked: ReadonlyMap<string, number>) => void,
): Promise<ChangedSecret[]> {
  return changingSecrets(ctx, projectId, async (tx) => {
    const places = inOrder(changes);
    for (const op of ['create', 'edit', 'delete'] as const) {
      const place = places.find((one) => one[OPERATIONS[op]].length > 0);
      if (!place) continue;
      const { environment, secretPath, [OPERATIONS[op]]: secrets } = place;
      const { secretKey: secretName } = secrets[0]!;
      await authorizeAnywhere(tx, secretPermissions[op], { projectId, environment, secretPath, secretName });
    }
    const locked = await lockAll(tx, projectId, places);
    if (message) describeCommit(tx, { organizationId: organizationOf(tx), projectId }, message);
    const done: ChangedSecret[] = [];
    const note = (op: ChangedSecret['op'], secrets: readonly Secret[]) =>
      done.push(...secrets.map((secret) => changed(op, secret)));
    for (const { environment, secretPath, delete: secrets } of places)
      if (secrets.length > 0)
        note('delete', await deleteSecrets(tx, { projectId, environment, secretPath, secrets }, UNANSWERED));
    for (const { environment, secretPath, update: secrets } of places)
      if (secrets.length > 0)
        note(
          'update',
          await updateSecrets(tx, { projectId, environment, secretPath, mode: 'failOnNotFound', secrets }, UNANSWERED),
        );
    for (const { environment, secretPath, create: secrets } of places)
      if (secrets.length > 0) note('create', await createSecrets(tx, { projectId, environment, secretPath, secrets }));
    // After all checks of rights: who may not edit a secret does not learn its version.
    requireCurrent(places, locked);
    return withVersions(tx, done);
  });
}

/** The answer has no values. */
const UNANSWERED = { isAnswered: false } as const;

/** The permission that each part of a change takes. */
const OPERATIONS = { create: 'create', edit: 'update', delete: 'delete' } as const;

const changed = (op: ChangedSecret['op'], secret: Secret): ChangedSecret => {
  const { environment, secretPath, secretKey, type, id, version } = secret;
  return { op, environment, secretPath, secretKey, type, id, version };
};

/** The folders in the order of their names. @throws DomainError 400. */
function inOrder(changes: ChangeSecrets['changes']): FolderChanges[] {
  if (changes.every((one) => one.create.length + one.update.length + one.delete.length === 0))
    throw badRequest('secret.no_changes', 'The call changes nothing: name secrets in create, update or delete');
  const byPlace = new Map(changes.map((one) => [`${one.environment}:${one.secretPath}`, one]));
  if (byPlace.size < changes.length)
    throw badRequest('secret.duplicate_folder', 'A batch can name each folder only once: join its changes');
  return [...byPlace].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

const NAMED = `unnest($3::text[], $4::text[], $5::text[]) as w (environment, path, key)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   ${JOIN_SECRETS_AT}`;
const LOCK_SHARED = statement(
  'secrets.lock_batch',
  `select e.slug as environment, f.path, s.key, s.version from ${NAMED} null::uuid order by s.id for update of s`,
);
const LOCK_PERSONAL = statement(
  'secrets.lock_batch_personal',
  `select p.id from ${NAMED} null::uuid
   join secrets p on p.folder_id = s.folder_id and p.key = s.key and p.user_id is not null order by p.id for update of p`,
);

/**
 * Takes all locks in the one order that `lockNames` describes, before anything is read: two batches wait for each other
 * instead of deadlocking, whatever they name. The names are locked exclusively, since creations, deletions and renames of one
 * batch may take and free the same names as those of another.
 *
 * Returns the versions of the named shared secrets.
 */
async function lockAll(
  tx: Transaction,
  projectId: string,
  places: readonly FolderChanges[],
): Promise<ReadonlyMap<string, number>> {
  await lockNames(tx, 'exclusive', { projectId });
  for (const { environment, secretPath, create } of places)
    if (create.length > 0) await holdFolder(tx, { projectId, environment, path: secretPath });
  const lock = <Row extends object>(how: typeof LOCK_SHARED, named: (one: FolderChanges) => readonly string[]) => {
    const names = places.flatMap((one) => named(one).map((key) => ({ ...one, key })));
    return tx.sql<Row>(how, [
      organizationOf(tx),
      projectId,
      names.map(({ environment }) => environment),
      names.map(({ secretPath }) => secretPath),
      names.map(({ key }) => key),
    ]);
  };
  const deleted = (one: FolderChanges) => one.delete.map(({ secretKey }) => secretKey);
  const rows = await lock<{ environment: string; path: string; key: string; version: number }>(LOCK_SHARED, (one) => [
    ...new Set([...deleted(one), ...one.update.map(({ secretKey }) => secretKey)]),
  ]);
  await lock(LOCK_PERSONAL, deleted);
  return new Map(rows.map(({ environment, path, key, version }) => [`${environment}:${path}:${key}`, version]));
}

function requireVersions(places: readonly FolderChanges[], locked: ReadonlyMap<string, number>): void {
  const secrets = places.flatMap(({ environment, secretPath, update, delete: removed }) =>
    [...update, ...removed].flatMap(({ secretKey, expectedVersion }) => {
      const version = locked.get(`${environment}:${secretPath}:${secretKey}`);
      const isOther = expectedVersion !== undefined && version !== expectedVersion;
      return isOther ? [{ environment, secretPath, secretKey, expectedVersion, version }] : [];
    }),
  );
  if (secrets.length === 0) return;
  const names = secrets.map(({ environment, secretPath, secretKey }) => `${secretKey} (${environment}, ${secretPath})`);
  throw outdated(
    'secret.outdated',
    `Others have changed these secrets since you read them: ${names.join(', ')}. Read them again, then repeat the change`,
    { secrets },
  );
}

const VERSIONS = statement('secrets.versions_of_batch', 'select id, version from secrets where id = any($1::uuid[])');

/** References that follow a rename may have changed a secret once more. */
async function withVersions(tx: Transaction, done: readonly ChangedSecret[]): Promise<ChangedSecret[]> {
  const rows = await tx.sql<{ id: string; version: number }>(VERSIONS, [done.map(({ id }) => id)]);
  const versions = new Map(rows.map(({ id, version }) => [id, version]));
  return done.map((one) => ({ ...one, version: versions.get(one.id) ?? one.version }));
}
