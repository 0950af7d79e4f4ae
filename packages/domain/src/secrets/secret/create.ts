import { abilityIn, authorizeAnywhere, denied, findInTurns, organizationOf } from '../../access/index.ts';
import {
  forbidden,
  newId,
  notFound,
  NotTogether,
  perKey,
  record,
  statement,
  textArray,
  type Ability,
  type Context,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import { writerIn } from '../commit/index.ts';
import { holdFolderAt } from '../folder/index.ts';
import { lockNames } from '../meaning/index.ts';
import { findTags, requireCapitals, requireDistinct } from './project-rules.ts';
import { requireNotPublished } from './published.ts';
import { mayRefer } from './reference/reference.ts';
import { referencesOfWrite, requireReadable } from './reference/store.ts';
import {
  fieldsOf,
  personalOwner,
  SECRET_COLUMNS,
  SHARED_SECRET_AT,
  type SecretFields,
  type SecretRow,
  type Tag,
} from './row.ts';
import {
  secretCreated,
  secretPermissions,
  secretsCreated,
  type CreateSecret,
  type CreateSecrets,
  type NewSecret,
  type Secret,
  type SecretPlace,
} from './secret.ts';
import { askAhead, insertSecrets, written, type Conflicts } from './write.ts';
import type { Draft } from './draft.ts';
import { smallWrite } from './together.ts';
import { changingSecrets, type Changing } from './transaction.ts';

/** Checks a permission on each of some secrets; one failure rejects all. */
export async function requireEach(
  ctx: Context,
  ability: Ability,
  permission: Permission,
  things: readonly SecretFields[],
  namedBy: 'name' | 'id' = 'name',
): Promise<void> {
  ctx.granted.add(permission.key);
  const refused = await findInTurns(things, (fields) => !ability.can(permission, fields));
  // A caller that knows a secret only by its ID does not learn its name.
  if (refused) throw denied(ability, permission, namedBy === 'name' ? refused : undefined);
}

/**
 * Creates shared secrets in one folder: all or none.
 *
 * @throws DomainError 403 without `create` on any of them, or if a value refers to what the caller may not read; 404
 * for an unknown folder or tag; 400 with the duplicate or existing names, or for references that close a cycle.
 */
export function createSecrets(ctx: Context, input: CreateSecrets): Promise<Secret[]> {
  const work = async (tx: Transaction, conflicts: Conflicts) => {
    const created = await createIn(tx, input, input.secrets, null, conflicts);
    const { environment, secretPath, projectId } = input;
    record(tx, secretsCreated, { environment, secretPath, secrets: created.map(named) }, { projectId });
    return created;
  };
  return changingSecrets(ctx, input.projectId, work, {
    listsConflicts: true,
    together: togetherOf(input, input.secrets),
  });
}

/** Creates one secret, or a user's personal value over a shared one. */
export function createSecret(ctx: Context, input: CreateSecret): Promise<Secret> {
  const isPersonal = input.type === 'personal';
  const secrets = [{ ...input, secretKey: input.secretName }];
  const work = async (tx: Transaction, conflicts: Conflicts) => {
    const owner = isPersonal ? await requireShared(tx, input) : null;
    const created = await createIn(tx, input, secrets, owner, conflicts);
    const { environment, secretPath, projectId } = input;
    record(tx, secretCreated, { environment, secretPath, ...named(created[0]!) }, { projectId });
    return created[0]!;
  };
  const together = isPersonal ? undefined : togetherOf(input, secrets);
  return changingSecrets(ctx, input.projectId, work, { listsConflicts: true, together });
}

/** Small secrets that change nothing but themselves are written together with others: one with one, many with many. */
function togetherOf(place: SecretPlace, secrets: readonly NewSecret[]): Changing['together'] {
  if (secrets.some(({ tagIds, secretValue }) => tagIds?.length || mayRefer(secretValue))) return undefined;
  const names = secrets.map(({ secretKey }) => secretKey);
  return smallWrite(names.length === 1 ? 'create' : 'create many', place, names, secrets);
}

const TAKEN = perKey(
  'secrets.taken',
  { organization_id: 'uuid', project_id: 'uuid', environment: 'text', path: 'text', keys: 'text' },
  `select s.id from environments e join folders f on f.environment_id = e.id and f.path = w.path and not f.is_reserved
   join secrets s on s.folder_id = f.id and s.key = any(w.keys::text[]) and s.user_id is null
   where e.organization_id = w.organization_id and e.project_id = w.project_id and e.slug = w.environment limit 1`,
);

/** In a shared transaction: what conflicts is refused by itself. */
async function requireFree(tx: Transaction, place: SecretPlace, names: readonly string[]): Promise<void> {
  const { projectId, environment, secretPath } = place;
  if (await tx.one(TAKEN, [organizationOf(tx), projectId, environment, secretPath, textArray(names)]))
    throw new NotTogether();
}

export const named = (secret: Secret) => ({
  secretId: secret.id,
  secretKey: secret.secretKey,
  secretVersion: secret.version,
});

/** Whether the secrets that a change returns are its answer, with their values: part of another one, they are not. */
export interface Answering {
  readonly isAnswered?: boolean;
}

/** For the event of a change: how many stored values its answer tells, which the caller has not given. */
export function valuesRead(
  answered: readonly Secret[],
  isGiven: (index: number) => boolean = () => false,
): { numberOfValues?: number } {
  const numberOfValues = answered.filter((secret, index) => !secret.secretValueHidden && !isGiven(index)).length;
  return numberOfValues > 0 ? { numberOfValues } : {};
}

/** Creates secrets within a transaction that records its own event. */
export async function createIn(
  tx: Transaction,
  place: SecretPlace,
  secrets: readonly NewSecret[],
  userId: string | null,
  conflicts?: Conflicts,
): Promise<Secret[]> {
  requireDistinct(secrets.map((secret) => secret.secretKey));
  const isReferring = secrets.some(({ secretValue }) => mayRefer(secretValue));
  if (isReferring || secrets.some(({ tagIds }) => tagIds?.length)) {
    const { projectId, environment, secretPath } = place;
    const { secretKey: secretName } = secrets[0]!;
    await authorizeAnywhere(tx, secretPermissions.create, { projectId, environment, secretPath, secretName });
  }
  if (!isReferring) return insertIn(tx, place, secrets, userId, conflicts);
  await lockNames(tx, 'exclusive', place);
  return requireNotPublished(tx, place.projectId, async (noted) => {
    const created = await insertIn(tx, place, secrets, userId, conflicts);
    for (const { id } of created) noted.given(id);
    return created;
  });
}

async function insertIn(
  tx: Transaction,
  place: SecretPlace,
  secrets: readonly NewSecret[],
  userId: string | null,
  conflicts?: Conflicts,
): Promise<Secret[]> {
  const organizationId = organizationOf(tx);
  const { projectId, environment, secretPath } = place;
  const ability = await abilityIn(tx, projectId);
  const tagsOf = await findTags(
    tx,
    projectId,
    secrets.flatMap((secret) => secret.tagIds ?? []),
  );
  const fields = secrets.map(({ secretKey, tagIds }) => ({
    environment,
    secretPath,
    secretName: secretKey,
    secretTags: tagsOf(tagIds).map((tag) => tag.slug),
  }));
  await requireEach(tx, ability, secretPermissions.create, fields);
  const holding = Promise.all([
    holdFolderAt(tx, { projectId, environment, path: secretPath }),
    tx.isShared &&
      requireFree(
        tx,
        place,
        secrets.map(({ secretKey }) => secretKey),
      ),
  ]);
  askAhead(tx, { organizationId, projectId });
  const [folder] = await holding;
  const drafts = secrets.map((secret) =>
    newDraft(secret, folder, environment, secretPath, userId, tagsOf(secret.tagIds)),
  );
  const referring = drafts.filter(({ text }) => mayRefer(text.value));
  const targets = await referencesOfWrite(referring.map((draft) => ({ ...draft, value: draft.text.value })));
  if (targets.length > 0) await requireReadable(tx, projectId, targets);
  // A personal value has the name of the shared one, which may be older than this rule.
  if (userId === null) {
    await requireCapitals(
      tx,
      projectId,
      secrets.map((secret) => secret.secretKey),
    );
  }
  await insertSecrets(tx, { organizationId, projectId }, drafts, conflicts);
  const actor = await writerIn(tx, { organizationId, projectId });
  return drafts.map((draft) => written(tx, { organizationId, projectId }, ability, { draft, actor }));
}

const newDraft = (
  secret: NewSecret,
  folder: { id: string },
  environment: string,
  path: string,
  userId: string | null,
  tags: Tag[],
): Draft => ({
  id: newId(),
  folderId: folder.id,
  environment,
  path,
  userId,
  key: secret.secretKey,
  version: 1,
  text: { value: secret.secretValue, comment: secret.secretComment ?? '', metadata: secret.secretMetadata ?? [] },
  tags,
  legacyMetadata: secret.metadata ?? null,
  skipMultilineEncoding: secret.skipMultilineEncoding ?? false,
  reminderNote: secret.secretReminderNote ?? null,
  reminderRepeatDays: secret.secretReminderRepeatDays ?? null,
  reminderRecipients: secret.secretReminderRecipients ?? null,
  createdAt: null,
});

const SHARED = statement('secret.shared', `select ${SECRET_COLUMNS} from ${SHARED_SECRET_AT} for share of s`);

/**
 * The user whose personal values are written.
 *
 * @throws DomainError 403 for other actors.
 */
export function requireOwner(ctx: Context): string {
  const owner = personalOwner(ctx);
  if (owner !== null) return owner;
  throw forbidden('secret.personal', 'Only users can have personal secrets', { name: 'ForbiddenError' });
}

/** The same, to create a value over a visible shared secret. */
async function requireShared(
  tx: Transaction,
  { projectId, environment, secretPath, secretName }: SecretPlace & { secretName: string },
): Promise<string> {
  const owner = requireOwner(tx);
  for (const permission of [secretPermissions.describeSecret, secretPermissions.create])
    await authorizeAnywhere(tx, permission, { projectId, environment, secretPath, secretName });
  const place = [organizationOf(tx), projectId, environment, secretPath, secretName];
  const [shared] = await tx.sql<SecretRow>(SHARED, place);
  const fields = shared ? fieldsOf(shared) : { environment, secretPath, secretName, secretTags: [] };
  // Rights may have changed while the lock was awaited.
  const ability = await abilityIn(tx, projectId);
  await requireEach(tx, ability, secretPermissions.describeSecret, [fields]);
  if (!shared) throw notFound('secret');
  return owner;
}
