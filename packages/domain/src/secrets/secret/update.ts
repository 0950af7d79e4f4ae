import { abilityIn, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  explainConstraint,
  inTransaction,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { targetsMoved } from './reference/retarget.ts';
import { createIn, draftFields, named, requireEach, requireShared } from './create.ts';
import { findTags, requireCapitals, requireDistinct } from './project-rules.ts';
import { fieldsOf, SECRET_COLUMNS, type SecretRow, type Tag } from './row.ts';
import {
  secretPermissions,
  secretsUpdated,
  secretUpdated,
  type Secret,
  type SecretChange,
  type UpdateSecret,
  type UpdateSecrets,
} from './secret.ts';
import { draftOf, replaceSecrets, written, type Draft, type Scope } from './write.ts';

explainConstraint('secrets_key_unique', 'A secret with this name exists in the folder');
explainConstraint('secrets_personal_unique', 'You have a personal secret with this name in the folder');

/** Locks in the order of ids, so that two batches over the same secrets wait for each other instead of deadlocking. */
const LOCK_MANY = statement(
  'secrets.lock_many',
  `select ${SECRET_COLUMNS} from unnest($4::text[], $5::text[]) as w (path, key)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = $3
   join folders f on f.environment_id = e.id and f.path = w.path
   join secrets s on s.folder_id = f.id and s.key = w.key and s.user_id is not distinct from $6::uuid
   order by s.id for update of s`,
);

export function lockSecrets(
  tx: Transaction,
  projectId: string,
  environment: string,
  places: readonly { path: string; key: string }[],
  userId: string | null,
): Promise<SecretRow[]> {
  return tx.sql<SecretRow>(LOCK_MANY, [
    organizationOf(tx),
    projectId,
    environment,
    places.map(({ path }) => path),
    places.map(({ key }) => key),
    userId,
  ]);
}

/**
 * Changes shared secrets, each as far as it is named: all of them or none. Renaming rewrites what refers to them. Keys
 * that are not there refuse the batch (404), are passed over or created, as `mode` says.
 */
export function updateSecrets(ctx: Context, input: UpdateSecrets): Promise<Secret[]> {
  return inTransaction(ctx, async (tx) => {
    const { projectId, environment } = input;
    await requireMember(tx, projectId);
    const changes = input.secrets.map((secret) => ({ ...secret, secretPath: secret.secretPath ?? input.secretPath }));
    requireDistinct(changes.map((change) => `${change.secretPath}:${change.secretKey}`));
    const rows = await lockSecrets(
      tx,
      projectId,
      environment,
      changes.map((change) => ({ path: change.secretPath, key: change.secretKey })),
      null,
    );
    const rowOf = new Map(rows.map((row) => [`${row.path}:${row.key}`, row]));
    const present = changes.filter((change) => rowOf.has(`${change.secretPath}:${change.secretKey}`));
    const absent = changes.filter((change) => !present.includes(change));
    const updated = await changeIn(
      tx,
      projectId,
      present.map((change) => ({ change, row: rowOf.get(`${change.secretPath}:${change.secretKey}`)! })),
    );
    if (absent.length > 0 && input.mode === 'failOnNotFound') {
      await requireMayEdit(tx, projectId, environment, absent);
      throw notFound('secret', { keys: absent.map((change) => change.secretKey) });
    }
    const created = input.mode === 'upsert' ? await createAbsent(tx, input, absent) : [];
    const all = [...updated, ...created];
    record(
      tx,
      secretsUpdated,
      {
        environment,
        secretPath: input.secretPath,
        secrets: all.map((one) => ({ ...named(one), secretPath: one.secretPath })),
      },
      { projectId },
    );
    return all;
  });
}

/** Changes one secret, or the caller's personal value over it. */
export function updateSecret(ctx: Context, input: UpdateSecret): Promise<Secret> {
  return inTransaction(ctx, async (tx) => {
    const { projectId, environment, secretPath, secretName, type, ...change } = input;
    await requireMember(tx, projectId);
    const owner = type === 'personal' ? await requireShared(tx, input) : null;
    if (owner !== null && change.newSecretName)
      throw badRequest('secret.personal_name', 'A personal value has the name of the shared one');
    const [row] = await lockSecrets(tx, projectId, environment, [{ path: secretPath, key: secretName }], owner);
    if (!row) {
      await requireMayEdit(tx, projectId, environment, [{ secretPath, secretKey: secretName }]);
      throw notFound('secret');
    }
    const [updated] = await changeIn(tx, projectId, [{ change: { ...change, secretKey: secretName }, row }]);
    record(tx, secretUpdated, { environment, secretPath, ...named(updated!) }, { projectId });
    return updated!;
  });
}

/** Nothing is looked for in a project that the caller does not belong to; what it may edit is asked secret by secret. */
async function requireMember(tx: Transaction, projectId: string): Promise<void> {
  await abilityIn(tx, projectId);
  tx.granted.add(secretPermissions.edit.key);
}

/** Whoever may not edit at a place is told so, and not what lies there. */
async function requireMayEdit(
  tx: Transaction,
  projectId: string,
  environment: string,
  absent: readonly { secretPath: string; secretKey: string }[],
): Promise<void> {
  const ability = await abilityIn(tx, projectId);
  requireEach(
    tx,
    ability,
    secretPermissions.edit,
    absent.map(({ secretPath, secretKey }) => ({ environment, secretPath, secretName: secretKey, secretTags: [] })),
  );
}

async function createAbsent(
  tx: Transaction,
  input: UpdateSecrets,
  absent: readonly (SecretChange & { secretPath: string })[],
): Promise<Secret[]> {
  const created: Secret[] = [];
  for (const [secretPath, changes] of Map.groupBy(absent, (change) => change.secretPath)) {
    const secrets = changes.map((change) => ({
      ...change,
      secretKey: change.newSecretName ?? change.secretKey,
      secretValue: change.secretValue ?? '',
    }));
    created.push(...(await createIn(tx, { ...input, secretPath }, secrets, null)));
  }
  return created;
}

interface Change {
  readonly change: SecretChange;
  readonly row: SecretRow;
}

/** Writes some changes; the rows are locked. `edit` is asked on each secret as it is, and again as it will be. */
async function changeIn(tx: Transaction, projectId: string, changes: readonly Change[]): Promise<Secret[]> {
  if (changes.length === 0) return [];
  const scope: Scope = { organizationId: organizationOf(tx), projectId };
  const ability = await abilityIn(tx, projectId);
  const tagsOf = await findTags(
    tx,
    projectId,
    changes.flatMap(({ change }) => change.tagIds ?? []),
  );
  const keys = await tx.keys.project(scope.organizationId, projectId);
  const drafts = changes.map(({ change, row }) =>
    changed(draftOf(keys, row), change, change.tagIds && tagsOf(change.tagIds)),
  );
  const shared = drafts.filter((draft) => draft.userId === null);
  requireEach(tx, ability, secretPermissions.edit, [
    ...changes.filter(({ row }) => row.user_id === null).map(({ row }) => fieldsOf(row)),
    ...shared.map(draftFields),
  ]);
  await requireCapitals(
    tx,
    projectId,
    changes.flatMap(({ change }) => change.newSecretName ?? []),
  );
  requireDistinct(drafts.map((draft) => `${draft.path}:${draft.key}`));
  await replaceSecrets(tx, scope, drafts);
  await followRenames(tx, scope, changes);
  return drafts.map((draft) =>
    written(tx, scope, draft, draft.userId !== null || ability.can(secretPermissions.readValue, draftFields(draft))),
  );
}

const changed = (draft: Draft, change: SecretChange, tags: Tag[] | undefined): Draft => ({
  ...draft,
  key: change.newSecretName ?? draft.key,
  text: {
    value: change.secretValue ?? draft.text.value,
    comment: change.secretComment ?? draft.text.comment,
    metadata: change.secretMetadata ?? draft.text.metadata,
  },
  ...(tags && { tags }),
  ...(change.metadata && { legacyMetadata: change.metadata }),
  ...(change.skipMultilineEncoding !== undefined && { skipMultilineEncoding: change.skipMultilineEncoding }),
  ...(change.secretReminderNote !== undefined && { reminderNote: change.secretReminderNote }),
  ...(change.secretReminderRepeatDays !== undefined && { reminderRepeatDays: change.secretReminderRepeatDays }),
  ...(change.secretReminderRecipients && { reminderRecipients: change.secretReminderRecipients }),
});

const RENAME_PERSONAL = statement(
  'secrets.rename_personal',
  `update secrets p set key = s.key from secrets s
   where s.id = any($1::uuid[]) and p.folder_id = s.folder_id and p.user_id is not null and p.key = $2`,
);

/** References and personal values follow a shared secret to its new name. */
async function followRenames(tx: Transaction, scope: Scope, changes: readonly Change[]): Promise<void> {
  const renamed = changes.filter(
    ({ change, row }) => row.user_id === null && change.newSecretName && change.newSecretName !== row.key,
  );
  if (renamed.length === 0) return;
  for (const { row } of renamed) await tx.sql(RENAME_PERSONAL, [[row.id], row.key]);
  const moves = renamed.map(({ change, row }) => ({
    from: { environment: row.environment, path: row.path, key: row.key },
    to: { environment: row.environment, path: row.path, key: change.newSecretName! },
  }));
  await targetsMoved(tx, scope, moves);
}
