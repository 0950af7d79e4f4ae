import { abilityIn, denied, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  conflict,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Ability,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { folderAt, type FoundFolder } from '../folder/index.ts';
import { targetsMoved } from './reference/retarget.ts';
import { createIn } from './create.ts';
import { fieldsOf, openText, SECRET_COLUMNS, SECRET_TABLES, type SecretFields, type SecretRow } from './row.ts';
import { secretPermissions, secretsCreated, secretsMoved, type MoveSecrets, type Secret } from './secret.ts';
import { draftOf, removeSecrets, replaceSecrets } from './write.ts';

const LOCK_IN_FOLDER = statement(
  'secrets.lock_in_folder',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.id = any($3::uuid[]) and s.user_id is null order by s.id for update of s`,
);

/** The shared secrets at the destination under the names that are to go there, and all personal values on either side. */
const LOCK_BY_KEY = statement(
  'secrets.lock_by_key',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.folder_id = $2 and s.key = any($3::text[]) order by s.id for update of s`,
);

interface Both {
  readonly source: FoundFolder;
  readonly destination: FoundFolder;
  readonly rows: SecretRow[];
}

/**
 * Moves shared secrets with their history (and the personal values over them) to another folder of the project: all or
 * none. References to them follow, and their own references keep their meaning.
 *
 * @throws DomainError 403 without `delete` here or `create` there (`edit` where one is overwritten), 404 for what is not
 * in the source folder, 400 for names that are taken unless `shouldOverwrite`.
 */
export function moveSecrets(
  ctx: Context,
  input: MoveSecrets,
): Promise<{ isSourceUpdated: boolean; isDestinationUpdated: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const { projectId, shouldOverwrite } = input;
    const ability = await abilityIn(tx, projectId);
    const { source, destination, rows } = await findBoth(tx, input, [secretPermissions.delete], ability);
    if (source.id === destination.id)
      throw badRequest('secret.same_folder', 'Source and destination are the same folder');
    const scope = { organizationId: organizationOf(tx), projectId };
    const there = await tx.sql<SecretRow>(LOCK_BY_KEY, [
      scope.organizationId,
      destination.id,
      rows.map((row) => row.key),
    ]);
    const taken = there.filter((row) => row.user_id === null);
    requireRoom(tx, ability, destination, rows, taken, shouldOverwrite);
    if (there.length > 0)
      await removeSecrets(
        tx,
        there.map((row) => row.id),
      );
    const personal = await tx.sql<SecretRow>(LOCK_BY_KEY, [
      scope.organizationId,
      source.id,
      rows.map((row) => row.key),
    ]);
    const moving = [...rows, ...personal.filter((row) => row.user_id !== null)];
    const keys = await tx.keys.project(scope.organizationId, projectId);
    const to = { environment: destination.environmentSlug, path: destination.path };
    const from = { environment: source.environmentSlug, path: source.path };
    await replaceSecrets(
      tx,
      scope,
      moving.map((row) => ({ ...draftOf(keys, row), folderId: destination.id, ...to })),
    );
    const moves = rows.map((row) => ({ from: { ...from, key: row.key }, to: { ...to, key: row.key } }));
    await targetsMoved(tx, scope, moves, new Map(moving.map((row) => [row.id, from])));
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
      { projectId },
    );
    return { isSourceUpdated: true, isDestinationUpdated: true };
  });
}

/** Copies shared secrets to another folder of the project, under the names that they have: all or none. */
export function duplicateSecrets(ctx: Context, input: MoveSecrets): Promise<Secret[]> {
  return inTransaction(ctx, async (tx) => {
    const { projectId, shouldOverwrite } = input;
    const ability = await abilityIn(tx, projectId);
    const { source, destination, rows } = await findBoth(
      tx,
      input,
      [secretPermissions.describeSecret, secretPermissions.readValue],
      ability,
    );
    if (source.id === destination.id)
      throw badRequest('secret.same_folder', 'Source and destination are the same folder');
    const there = await tx.sql<SecretRow>(LOCK_BY_KEY, [
      organizationOf(tx),
      destination.id,
      rows.map((row) => row.key),
    ]);
    requireRoom(
      tx,
      ability,
      destination,
      rows,
      there.filter((row) => row.user_id === null),
      shouldOverwrite,
    );
    if (there.length > 0)
      await removeSecrets(
        tx,
        there.map((row) => row.id),
      );
    const keys = await tx.keys.project(organizationOf(tx), projectId);
    const place = { projectId, environment: destination.environmentSlug, secretPath: destination.path };
    const copies = rows.map((row) => {
      const text = openText(keys, row);
      return {
        secretKey: row.key,
        secretValue: text.value,
        secretComment: text.comment,
        secretMetadata: text.metadata,
        tagIds: row.tag_ids,
        skipMultilineEncoding: row.skip_multiline_encoding,
        ...(row.legacy_metadata && { metadata: row.legacy_metadata }),
        secretReminderNote: row.reminder_note,
        secretReminderRepeatDays: row.reminder_repeat_days,
      };
    });
    const created = await createIn(tx, place, copies, null);
    record(
      tx,
      secretsCreated,
      {
        environment: place.environment,
        secretPath: place.secretPath,
        secrets: created.map((secret) => ({
          secretId: secret.id,
          secretKey: secret.secretKey,
          secretVersion: secret.version,
        })),
      },
      { projectId },
    );
    return created;
  });
}

async function findBoth(
  tx: Transaction,
  input: MoveSecrets,
  permissions: readonly Permission[],
  ability: Ability,
): Promise<Both> {
  const { projectId, sourceEnvironment, sourceSecretPath, destinationEnvironment, destinationSecretPath } = input;
  for (const permission of permissions) tx.granted.add(permission.key);
  const source = await folderAt(tx, { projectId, environment: sourceEnvironment, path: sourceSecretPath });
  const destination = await folderAt(tx, {
    projectId,
    environment: destinationEnvironment,
    path: destinationSecretPath,
  });
  const ids = [...new Set(input.secretIds)];
  const rows = ids.every(isId) ? await tx.sql<SecretRow>(LOCK_IN_FOLDER, [organizationOf(tx), source.id, ids]) : [];
  for (const row of rows) {
    for (const permission of permissions)
      if (!ability.can(permission, fieldsOf(row))) throw denied(ability, permission, fieldsOf(row));
  }
  if (rows.length !== ids.length) throw notFound('secret');
  return { source, destination, rows };
}

/** Asks `create` at the destination for each secret, and `edit` on those that it overwrites. */
function requireRoom(
  tx: Transaction,
  ability: Ability,
  destination: FoundFolder,
  rows: readonly SecretRow[],
  taken: readonly SecretRow[],
  shouldOverwrite: boolean,
): void {
  tx.granted.add(secretPermissions.create.key);
  for (const row of rows) {
    const fields: SecretFields = {
      ...fieldsOf(row),
      environment: destination.environmentSlug,
      secretPath: destination.path,
    };
    if (!ability.can(secretPermissions.create, fields)) throw denied(ability, secretPermissions.create, fields);
  }
  for (const row of taken)
    if (!ability.can(secretPermissions.edit, fieldsOf(row)))
      throw denied(ability, secretPermissions.edit, fieldsOf(row));
  const keys = taken.map((row) => row.key);
  if (keys.length > 0 && !shouldOverwrite)
    throw conflict('secret.exists', `These keys are taken at the destination: ${keys.join(', ')}`, { keys });
}
