import { abilityIn, actingAs, organizationOf } from '../../access/index.ts';
import { conflict, newId, statement, type Transaction } from '../../kernel/index.ts';
import { touch, type Scope } from '../commit/index.ts';
import { requireNoPolicyAt } from '../coverage/index.ts';
import { holdFolderAt, type FoundFolder } from '../folder/index.ts';
import { requireEach } from './create.ts';
import { deleteSecrets } from './delete.ts';
import { requireMayKeepWriting } from './keeps-writing.ts';
import { requireCapitals, requireDistinct } from './project-rules.ts';
import { SECRET_COLUMNS, SECRET_TABLES, type SecretRow } from './row.ts';
import { secretPermissions, type SecretPlace } from './secret.ts';
import { updateSecrets } from './update.ts';
import { draftOf, insertSecrets, replaceSecrets } from './write.ts';
import type { Draft } from './draft.ts';

/** A secret of a rotation, as events name it. */
export interface RotatedSecret {
  readonly secretId: string;
  readonly secretKey: string;
  readonly secretVersion: number;
}

const TAKEN = statement(
  'secrets.taken_keys',
  'select key from secrets where folder_id = $1 and user_id is null and key = any($2::text[]) order by key',
);

/**
 * Checks that the caller may create secrets with these names in a folder, whose values others will replace later: also
 * under the change policies that cover it.
 *
 * @returns The folder, which keeps its path until the transaction ends.
 * @throws DomainError 404, 403, 400 `secret.exists`, `secret.not_capital`, `secret.duplicate_key`; ApprovalNeeded.
 */
export async function requireMayRotateInto(
  tx: Transaction,
  { projectId, environment, secretPath }: SecretPlace,
  names: readonly string[],
): Promise<FoundFolder> {
  const ability = await abilityIn(tx, projectId);
  const fields = names.map((secretName) => ({ environment, secretPath, secretName, secretTags: [] }));
  await requireEach(tx, ability, secretPermissions.create, fields);
  requireDistinct(names);
  await requireCapitals(tx, projectId, names);
  const folder = await holdFolderAt(tx, { projectId, environment, path: secretPath });
  await requireNoPolicyAt(tx, { organizationId: organizationOf(tx), projectId }, { environment, path: secretPath });
  const taken = (await tx.sql<{ key: string }>(TAKEN, [folder.id, names])).map(({ key }) => key);
  if (taken.length > 0)
    throw conflict('secret.exists', `These secret names already exist: ${taken.join(', ')}`, { keys: taken });
  return folder;
}

/**
 * Checks that the caller may write secrets with these names without an end, before a rotation writes them again and again as
 * Coffer itself.
 *
 * @param rotationId Of one that has written secrets already, which have tags.
 * @throws DomainError 403 `PermissionBoundaryError`
 */
export async function requireMayKeepRotating(
  tx: Transaction,
  { projectId, environment, secretPath }: SecretPlace,
  names: readonly string[],
  rotationId?: string,
): Promise<void> {
  const rows = rotationId === undefined ? [] : await tx.sql<Tagged>(TAGS, [organizationOf(tx), rotationId]);
  const tags = new Map(rows.map((row) => [row.key, row.tags]));
  await requireMayKeepWriting(
    tx,
    projectId,
    names.map((secretName) => ({ environment, secretPath, secretName, secretTags: tags.get(secretName) ?? [] })),
  );
}

interface Tagged {
  readonly key: string;
  readonly tags: string[];
}
const TAGS = statement(
  'secrets.tags_of_rotation',
  `select s.key, array(select slug from tags where tags.id = any(s.tag_ids)) as tags from secrets s
   where s.organization_id = $1 and s.rotation_id = $2`,
);

const OF_ROTATION = statement(
  'secrets.of_rotation',
  `select ${SECRET_COLUMNS} from ${SECRET_TABLES}
   where s.organization_id = $1 and s.rotation_id = $2 order by s.id for update of s`,
);
const MARK = statement('secrets.mark_rotated', 'update secrets set rotation_id = $2 where id = any($1::uuid[])');

/** A rotation with the folder of its secrets. */
interface Rotating {
  readonly rotationId: string;
  readonly folder: Pick<FoundFolder, 'id' | 'path' | 'environmentSlug'>;
}

/**
 * Writes the values of a rotation as Coffer itself, as one change: those that differ as next versions, and new secrets
 * for names that it has not written yet. No value contains a reference.
 *
 * @throws DomainError 400 `secret.exists`
 */
export async function writeRotated(
  caller: Transaction,
  scope: Scope,
  { rotationId, folder }: Rotating,
  values: ReadonlyMap<string, string>,
): Promise<RotatedSecret[]> {
  const tx = actingAs(caller, { type: 'platform', organizationId: scope.organizationId });
  const rows = await tx.sql<SecretRow>(OF_ROTATION, [scope.organizationId, rotationId]);
  const keys = await tx.keys.project(scope.organizationId, scope.projectId);
  const changed = rows.flatMap((row) => {
    const { before, ...draft } = draftOf(keys, row);
    const value = values.get(row.key);
    if (value === undefined || value === before?.value) return [];
    return [{ ...draft, before: before && { ...before, rotationId: null }, text: { ...draft.text, value } }];
  });
  const known = new Set(rows.map(({ key }) => key));
  const created = [...values].flatMap(([key, value]) => (known.has(key) ? [] : [newDraft(folder, key, value)]));
  await replaceSecrets(tx, scope, changed);
  if (created.length > 0) {
    await insertSecrets(tx, scope, created);
    await tx.sql(MARK, [created.map(({ id }) => id), rotationId]);
  }
  return [...changed, ...created].map(({ id, key, version }) => ({
    secretId: id,
    secretKey: key,
    secretVersion: version,
  }));
}

const newDraft = ({ id, path, environmentSlug }: Rotating['folder'], key: string, value: string): Draft => ({
  id: newId(),
  folderId: id,
  environment: environmentSlug,
  path,
  userId: null,
  key,
  version: 1,
  text: { value, comment: '', metadata: [] },
  tags: [],
  legacyMetadata: null,
  skipMultilineEncoding: false,
  reminderNote: null,
  reminderRepeatDays: null,
  reminderRecipients: null,
  createdAt: null,
});

const UNMARK = statement(
  'secrets.unmark_rotated',
  'update secrets set rotation_id = null where organization_id = $1 and rotation_id = $2 returning id, key',
);

interface OfRotation {
  readonly rotationId: string;
  readonly place: SecretPlace;
}

/** Lets go of the secrets of a rotation: from then on they are like others. Returns them. */
export function releaseRotated(
  tx: Transaction,
  { rotationId, place: { projectId } }: OfRotation,
): Promise<{ id: string; key: string }[]> {
  const organizationId = organizationOf(tx);
  touch(tx, { organizationId, projectId });
  return tx.sql(UNMARK, [organizationId, rotationId]);
}

/**
 * Gives the secrets of a rotation other names, as the caller.
 *
 * @param names New names by the present ones.
 * @throws DomainError as for renaming secrets.
 */
export async function renameRotated(
  tx: Transaction,
  { rotationId, place }: OfRotation,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  const secrets = await releaseRotated(tx, { rotationId, place });
  const changes = secrets.flatMap(({ key }) => {
    const newSecretName = names.get(key);
    return newSecretName === undefined || newSecretName === key ? [] : [{ secretKey: key, newSecretName }];
  });
  if (changes.length > 0)
    await updateSecrets(tx, { ...place, mode: 'failOnNotFound', secrets: changes }, { isAnswered: false });
  await tx.sql(MARK, [secrets.map(({ id }) => id), rotationId]);
}

/**
 * Deletes the secrets of a rotation, as the caller.
 *
 * @throws DomainError as for deleting secrets.
 */
export async function deleteRotated(tx: Transaction, { rotationId, place }: OfRotation): Promise<void> {
  const secrets = await releaseRotated(tx, { rotationId, place });
  if (secrets.length === 0) return;
  const those = secrets.map(({ key }) => ({ secretKey: key, type: 'shared' as const }));
  await deleteSecrets(tx, { ...place, secrets: those }, { isAnswered: false });
}
