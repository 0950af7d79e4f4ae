import { createHash } from 'node:crypto';
import { LockMode } from '@mikro-orm/core';
import { authorize, organizationOf } from '../../access/index.ts';
import {
  conflict,
  inTransaction,
  newId,
  notFound,
  record,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { follow } from '../../secrets/commit/index.ts';
import { folderAt } from '../../secrets/folder/index.ts';
import { runAsOf } from '../../secrets/import/replication/index.ts';
import { secretPermissions } from '../../secrets/secret/index.ts';
import { EnvironmentEntity } from '../../secrets/environment/index.ts';
import { answer, eventData, sourceOf, toIntegration, withEnvironment } from './answer.ts';
import { beginAnew } from './claim.ts';
import {
  chooseMapping,
  readTarget,
  TARGET_FIELDS,
  type Chosen,
  type IntegrationSettings,
  type TargetField,
  type TargetFields,
} from './destination.ts';
import { lockAuth, lockIntegration, requireAuth, requireIntegration } from './find.ts';
import { integrationPermissions } from './integration-auth.ts';
import { IntegrationEntity } from './integration.entity.ts';
import {
  integrationCreated,
  integrationUpdated,
  type CreateIntegration,
  type IntegrationWithEnvironment,
  type UpdateIntegration,
} from './integration.ts';
import { requestSync } from './queue.ts';
import { destinations } from './registry.ts';
import { requireVisible, type Source } from './source.ts';
import { sealNewHashKey } from './stored.ts';

/**
 * Begins to write a folder's secrets to another service, now and whenever they change, as long as the caller may read
 * all of them.
 *
 * @throws DomainError 404 unknown credentials, environment or folder; 403 without the right, or where the caller may not
 * read all that would be written; 400 for a service that is not offered, and for what it needs and lacks.
 */
export async function createIntegration(ctx: Context, input: CreateIntegration): Promise<IntegrationWithEnvironment> {
  const auth = await requireAuth(ctx, input.integrationAuthId, integrationPermissions.create);
  const { projectId, organizationId, integration } = auth;
  const source = { projectId, environment: input.sourceEnvironment, secretPath: input.secretPath };
  const metadata = input.metadata ?? {};
  const chosen = chooseMapping(destinations.require(integration), metadata);
  const fields = fieldsOf(input);
  readTarget(chosen, fields);
  await requireSource(ctx, source, metadata);
  return inTransaction(ctx, async (tx) => {
    const { environment, folderId } = await findSource(tx, source);
    const used = await lockAuth(tx, auth.id, LockMode.PESSIMISTIC_READ);
    if (used.integration !== integration)
      throw conflict('integration.changed', 'The credentials have just become those of another service: ask again');
    const place = { id: newId(), organizationId, projectId };
    const row = tx.em.create(IntegrationEntity, {
      ...place,
      ...fields,
      integrationAuthId: auth.id,
      integration,
      isActive: input.isActive,
      environmentId: environment.id,
      folderId,
      secretPath: source.secretPath,
      runAs: runAsOf(ctx) ?? null,
      url: input.url ?? null,
      metadata,
      sealed: await sealNewHashKey(tx, place),
      target: targetOf(chosen, fields, place.id),
    });
    await tx.em.persist(row).flush();
    record(tx, integrationCreated, eventData(row, source), { projectId });
    await requestSync(tx, organizationId, row.id);
    await follow(tx, { organizationId, projectId });
    return withEnvironment(toIntegration(row, source.secretPath), environment);
  });
}

/**
 * Changes what is given, and syncs; from then on the caller answers for what is read. Where it then writes elsewhere,
 * what it has put at the old place stays there, and is no longer its own. Whoever only switches it off need not be able
 * to read anything, and answers for nothing.
 *
 * @throws DomainError as creating does.
 */
export async function updateIntegration(ctx: Context, input: UpdateIntegration): Promise<IntegrationWithEnvironment> {
  const { integrationId, environment, secretPath, isActive, metadata } = input;
  const found = await requireIntegration(ctx, integrationId, integrationPermissions.edit);
  if (isSwitchingOff(input)) return switchOff(ctx, found);
  const { projectId, organizationId } = found;
  const present = await sourceOf(ctx, found);
  const source = {
    projectId,
    environment: environment ?? present.environment,
    secretPath: secretPath ?? present.secretPath,
  };
  const settings = { ...found.metadata, ...metadata };
  const chosen = chooseMapping(destinations.require(found.integration), settings);
  const fields = { ...fieldsOf(found), ...named(input) };
  readTarget(chosen, fields);
  await requireSource(ctx, source, settings);
  return inTransaction(ctx, async (tx) => {
    // Credentials come before what uses them, here as where they are changed: nobody waits in a ring.
    await lockAuth(tx, found.integrationAuthId, LockMode.PESSIMISTIC_READ);
    const row = await lockIntegration(tx, found.id);
    // Two changes at the same time: the later one was made with the earlier one unseen.
    if (row.updatedAt.getTime() !== found.updatedAt.getTime())
      throw conflict('integration.changed', 'The integration was changed meanwhile: ask again');
    const place = await findSource(tx, source);
    const target = targetOf(chosen, fields, row.id);
    const isMoved = target !== row.target;
    tx.em.assign(row, {
      ...fields,
      ...(isActive !== undefined && { isActive }),
      environmentId: place.environment.id,
      folderId: place.folderId,
      secretPath: source.secretPath,
      runAs: runAsOf(ctx) ?? null,
      metadata: settings,
      target,
    });
    await tx.em.flush();
    if (isMoved) await beginAnew(tx, row.id);
    await requestSync(tx, organizationId, row.id);
    record(tx, integrationUpdated, eventData(row, source), { projectId });
    return withEnvironment(toIntegration(row, source.secretPath), place.environment);
  });
}

const isSwitchingOff = ({ integrationId: _, isActive, ...others }: UpdateIntegration): boolean =>
  isActive === false && Object.values(others).every((value) => value === undefined);

async function switchOff(ctx: Context, found: IntegrationEntity): Promise<IntegrationWithEnvironment> {
  const source = await sourceOf(ctx, found);
  const row = await inTransaction(ctx, async (tx) => {
    const locked = await lockIntegration(tx, found.id);
    tx.em.assign(locked, { isActive: false });
    await tx.em.flush();
    record(tx, integrationUpdated, eventData(locked, source), { projectId: locked.projectId });
    return locked;
  });
  return answer(ctx, row);
}

/** Asks for all that an integration with these settings will do in the caller's name. */
async function requireSource(ctx: Context, source: Source, settings: IntegrationSettings): Promise<void> {
  await requireVisible(ctx, source);
  const { initialSyncBehavior = 'overwrite-target' } = settings;
  if (initialSyncBehavior === 'overwrite-target') return;
  const { projectId, environment, secretPath } = source;
  const every = { projectId, environment, secretPath, secretName: '*', secretTags: [] };
  await authorize(ctx, secretPermissions.create, every);
  if (initialSyncBehavior === 'prefer-target') await authorize(ctx, secretPermissions.edit, every);
}

async function findSource(tx: Transaction, { projectId, environment: slug, secretPath }: Source) {
  const environment = await tx.em.findOne(EnvironmentEntity, { organizationId: organizationOf(tx), projectId, slug });
  if (!environment) throw notFound('environment', { slug });
  const folder = await folderAt(tx, { projectId, environment: slug, path: secretPath });
  return { environment, folderId: folder.id };
}

/** Where it writes, hashed. Those that write one document have to wait for each other; others do not. */
const targetOf = (chosen: Chosen, fields: TargetFields, id: string): string => {
  const place = chosen.mapping.place(readTarget(chosen, fields) as never);
  const texts = [chosen.destination.slug, place, ...(chosen.mapping.as === 'document' ? [] : [id])];
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
};

type Fields = Partial<Record<TargetField, string | null>>;

const fieldsOf = (input: Fields): TargetFields =>
  Object.fromEntries(TARGET_FIELDS.map((name) => [name, input[name] || null])) as TargetFields;

/** The fields that a change names; an empty text takes one away. */
const named = (input: Fields): Partial<TargetFields> =>
  Object.fromEntries(TARGET_FIELDS.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name] || null]])));
