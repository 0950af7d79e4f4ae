import { abilityIn, authorizeAnywhereById, organizationOf, requireMayRemove } from '../../access/index.ts';
import {
  badRequest,
  conflict,
  isId,
  mapInTurns,
  notFound,
  record,
  statement,
  type Ability,
  type Context,
  type KeySet,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { folderAt, requireVisible, type FoundFolder } from '../folder/index.ts';
import { lockNames } from '../meaning/index.ts';
import { createIn, named, requireEach } from './create.ts';
import type { Origin } from './reference/reference.ts';
import { placesAfter, replaceMoved, retargeted } from './reference/retarget.ts';
import { requireNotPublished } from './published.ts';
import { requireNoReveal } from './reveal.ts';
import {
  FIELD_COLUMNS,
  fieldsOf,
  openingCost,
  openText,
  SECRET_COLUMNS,
  SECRET_TABLES,
  secretColumns,
  type FieldRow,
  type SecretFields,
  type SecretRow,
} from './row.ts';
import {
  secretPermissions,
  secretsCreated,
  secretsDeleted,
  secretsMoved,
  secretsRead,
  type MoveSecrets,
  type NewSecret,
  type Secret,
} from './secret.ts';
import { requireWithin, RewriteLimit, valueWithin } from './value-limit.ts';
import { draftOf, removeSecrets, replaceInPortions } from './write.ts';
import { changingSecrets } from './transaction.ts';

const LOCK_IN_FOLDER = statement(
  'secrets.lock_in_folder',
  `select ${secretColumns(valueWithin('z.folder_id = $2 and z.id = any($3::uuid[])'))} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.id = any($3::uuid[]) and s.user_id is null order by s.id for update of s`,
);

/** The shared secrets with some names in a folder, and all their personal values; for rules. */
const LOCK_BY_KEY = statement(
  'secrets.lock_by_key',
  `select ${FIELD_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.key = any($3::text[]) order by s.id for update of s`,
);

/** The personal values of some names in a folder, with their sizes. */
const LOCK_PERSONAL = statement(
  'secrets.lock_personal',
  `select s.id, octet_length(s.value) as bytes from secrets s
   where s.organization_id = $1 and s.folder_id = $2 and s.key = any($3::text[]) and s.user_id is not null
   order by s.id for update of s`,
);
const PERSONAL = statement(
  'secrets.personal_by_ids',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES} where s.organization_id = $1 and s.id = any($2::uuid[]) order by s.id`,
);

/** The input of a move or copy; all rows are locked. */
interface Both {
  readonly scope: Scope;
  readonly ability: Ability;
  readonly source: FoundFolder;
  readonly destination: FoundFolder;
  /** The shared secrets that were named. */
  readonly rows: SecretRow[];
  readonly keys: KeySet;
}

/**
 * Moves shared secrets with their history (and their personal values) to another folder of the project: all or none.
 * References to them follow, and their own references keep their meaning.
 *
 * @throws DomainError 403 without `delete` here or `create` there (`edit` if one is overwritten, which no rule may
 * forbid to delete), or if the caller could read there what it may not read here; 404 for what is not in the source
 * folder, 400 for existing names unless `shouldOverwrite`.
 */
export function moveSecrets(
  ctx: Context,
  input: MoveSecrets,
): Promise<{ isSourceUpdated: boolean; isDestinationUpdated: boolean }> {
  const move = async (tx: Transaction) => {
    const both = await findBoth(tx, input, [secretPermissions.delete]);
    const { scope, source, destination, rows } = both;
    const [from, to] = [originOfFolder(source), originOfFolder(destination)];
    const changes = rows.map((row) => ({ before: fieldsOf(row), after: fieldsAt(row, to) }));
    await requireNoReveal(tx, scope, changes);
    await requireNotPublished(tx, scope.projectId, () => moveRows(tx, input, both));
    record(
      tx,
      secretsMoved,
      {
        sourceEnvironment: from.environment,
        sourceSecretPath: from.path,
        destinationEnvironment: to.environment,
        destinationSecretPath: to.path,
        secretIds: rows.map((row) => row.id),
      },
      { projectId: scope.projectId },
    );
    return { isSourceUpdated: true, isDestinationUpdated: true };
  };
  return changingSecrets(ctx, input.projectId, move, { takesNames: input.shouldOverwrite });
}

/** Moves the loaded secrets with their personal values, and rewrites references to them. */
async function moveRows(tx: Transaction, input: MoveSecrets, both: Both): Promise<void> {
  const { scope, source, destination, rows, keys } = both;
  const from = originOfFolder(source);
  const to = originOfFolder(destination);
  await makeRoom(tx, input, both);
  const names = rows.map(({ key }) => key);
  const personal = await tx.sql<Sized>(LOCK_PERSONAL, [scope.organizationId, source.id, names]);
  const moves = rows.map(({ key }) => ({ from: { ...from, key }, to: { ...to, key } }));
  const locationOf = placesAfter(moves);
  const moved = (some: readonly SecretRow[]) => {
    const limit = new RewriteLimit();
    return mapInTurns(some, openingCost, (row) =>
      retargeted({ ...draftOf(keys, row), folderId: destination.id, ...to }, from, locationOf, limit),
    );
  };
  const kept = personal.map(({ id }) => id);
  await replaceMoved(tx, scope, await moved(rows), moves, kept);
  await replaceInPortions(tx, scope, personal, async (some) =>
    moved(await tx.sql<SecretRow>(PERSONAL, [scope.organizationId, some])),
  );
}

interface Sized {
  id: string;
  bytes: number;
}

/** Copies shared secrets to another folder of the project, under the names that they have: all or none. */
export function duplicateSecrets(ctx: Context, input: MoveSecrets): Promise<Secret[]> {
  const copy = async (tx: Transaction) => {
    const both = await findBoth(tx, input, [secretPermissions.describeSecret, secretPermissions.readValue]);
    const { destination, rows, keys } = both;
    const { projectId } = input;
    requireWithin(rows, { isAnswered: true });
    await makeRoom(tx, input, both);
    const place = { projectId, environment: destination.environmentSlug, secretPath: destination.path };
    const created = await createIn(tx, place, await mapInTurns(rows, openingCost, (row) => copyOf(keys, row)), null);
    const { environment, secretPath } = place;
    const { sourceEnvironment, sourceSecretPath } = input;
    const read = { environment: sourceEnvironment, secretPath: sourceSecretPath, numberOfSecrets: rows.length };
    record(tx, secretsRead, read, { projectId });
    record(tx, secretsCreated, { environment, secretPath, secrets: created.map(named) }, { projectId });
    return created;
  };
  return changingSecrets(ctx, input.projectId, copy, { takesNames: input.shouldOverwrite });
}

function copyOf(keys: KeySet, row: SecretRow): NewSecret {
  const { value, comment, metadata } = openText(keys, row);
  return {
    secretKey: row.key,
    secretValue: value,
    secretComment: comment,
    secretMetadata: metadata,
    tagIds: row.tags?.map((tag) => tag.id),
    skipMultilineEncoding: row.skipMultilineEncoding,
    ...(row.legacyMetadata && { metadata: row.legacyMetadata }),
    secretReminderNote: row.reminderNote,
    secretReminderRepeatDays: row.reminderRepeatDays,
    ...(row.reminderRecipients && { secretReminderRecipients: row.reminderRecipients }),
  };
}

async function findBoth(tx: Transaction, input: MoveSecrets, permissions: readonly Permission[]): Promise<Both> {
  const { projectId, sourceEnvironment, sourceSecretPath, destinationEnvironment, destinationSecretPath } = input;
  const scope = { organizationId: organizationOf(tx), projectId };
  const places = [
    { environment: sourceEnvironment, secretPath: sourceSecretPath },
    { environment: destinationEnvironment, secretPath: destinationSecretPath },
  ];
  for (const permission of [...permissions, secretPermissions.create])
    await authorizeAnywhereById(tx, permission, { projectId });
  await abilityToSee(tx, projectId, places);
  await lockNames(tx, 'exclusive', scope);
  const source = await folderAt(tx, { projectId, environment: sourceEnvironment, path: sourceSecretPath });
  const destination = await folderAt(tx, {
    projectId,
    environment: destinationEnvironment,
    path: destinationSecretPath,
  });
  const ids = [...new Set(input.secretIds)];
  const rows = ids.every(isId) ? await tx.sql<SecretRow>(LOCK_IN_FOLDER, [scope.organizationId, source.id, ids]) : [];
  // Rights may have changed while the locks were awaited.
  const ability = await abilityToSee(tx, projectId, places);
  for (const permission of permissions) await requireEach(tx, ability, permission, rows.map(fieldsOf), 'id');
  if (rows.length !== ids.length) throw notFound('secret');
  if (source.id === destination.id)
    throw badRequest('secret.same_folder', 'The source and the destination are the same folder');
  requireWithin(rows);
  return { scope, ability, source, destination, rows, keys: await tx.keys.project(scope.organizationId, projectId) };
}

/** The caller's rights, by which all places must be visible. @throws DomainError 403, 404. */
async function abilityToSee(
  tx: Transaction,
  projectId: string,
  places: readonly { environment: string; secretPath: string }[],
): Promise<Ability> {
  const ability = await abilityIn(tx, projectId);
  for (const place of places) requireVisible(ability, place);
  return ability;
}

const originOfFolder = ({ environmentSlug: environment, path }: FoundFolder): Origin => ({ environment, path });

const fieldsAt = (row: FieldRow, { environment, path }: Origin): SecretFields => ({
  ...fieldsOf(row),
  environment,
  secretPath: path,
});

/**
 * Checks `create` at the destination for each secret, and `edit` on those that it overwrites, which are deleted with
 * their personal values: no rule may forbid that.
 */
async function makeRoom(
  tx: Transaction,
  { shouldOverwrite }: MoveSecrets,
  { scope, ability, destination, rows }: Both,
): Promise<void> {
  await requireEach(
    tx,
    ability,
    secretPermissions.create,
    rows.map((row) => fieldsAt(row, { environment: destination.environmentSlug, path: destination.path })),
    'id',
  );
  const there = await tx.sql<FieldRow>(LOCK_BY_KEY, [scope.organizationId, destination.id, rows.map((row) => row.key)]);
  if (there.length === 0) return;
  const taken = there.filter((row) => row.userId === null);
  await requireEach(tx, ability, secretPermissions.edit, taken.map(fieldsOf), 'id');
  const keys = taken.map((row) => row.key);
  if (!shouldOverwrite)
    throw conflict('secret.exists', `These secret names already exist at the destination: ${keys.join(', ')}`, {
      keys,
    });
  await requireMayRemove(ability, secretPermissions.delete, scope.projectId, taken.map(fieldsOf));
  await removeSecrets(
    tx,
    scope,
    there.map((row) => row.id),
  );
  const secrets = taken.map(({ id, key, version }) => ({ secretId: id, secretKey: key, secretVersion: version }));
  const { environmentSlug: environment, path: secretPath } = destination;
  record(tx, secretsDeleted, { environment, secretPath, secrets }, { projectId: scope.projectId });
}
