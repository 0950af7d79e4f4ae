import { isDeepStrictEqual } from 'node:util';
import { authorize, authorizeChange, organizationOf, readableAtAll, filterInTurns } from '../../access/index.ts';
import { sealedRowOf } from '../../crypto/index.ts';
import { requireCredentials, type Configuration } from '../../family/index.ts';
import {
  badRequest,
  conflict,
  eventOf,
  explainConstraint,
  fewIn,
  inTransaction,
  newId,
  parseDuration,
  record,
  statement,
  type Context,
  type Metadata,
} from '../../kernel/index.ts';
import { folderAt, folderToList, holdFolderAt } from '../folder/index.ts';
import { lockNames } from '../meaning/index.ts';
import { tryProvider } from './call.ts';
import { DynamicSecretEntity } from './dynamic-secret.entity.ts';
import {
  dynamicSecretCreated,
  dynamicSecretPermissions,
  dynamicSecretRead,
  dynamicSecretsListed,
  dynamicSecretUpdated,
  type CreateDynamicSecret,
  type DynamicSecret,
  type DynamicSecretOption,
  type DynamicSecretPlace,
  type DynamicSecretRef,
  type DynamicSecretWithInputs,
  type UpdateDynamicSecret,
} from './dynamic-secret.ts';
import {
  dynamicSecretOf,
  eventData,
  fieldsOf,
  findDynamicSecret,
  findForEither,
  LISTED_COLUMNS,
  lockDynamicSecret,
  locationOf,
  TABLES,
  toDynamicSecret,
  type DynamicSecretRow,
  type ListedDynamicSecret,
} from './find.ts';
import type { AnyProvider } from './provider.ts';
import { providers } from './registry.ts';
import { mergeInputs, openInputs, openInputsOf, sealInputs } from './stored.ts';
import { requireTemplate } from './username.ts';

explainConstraint('dynamic_secrets_name_unique', 'A dynamic secret with this name already exists in the folder');
explainConstraint(
  'dynamic_secret_leases_stand',
  'The project or folder contains dynamic secrets with leases. Revoke the leases first',
);

/** The providers that are offered. */
export const dynamicSecretOptions = ({ settings: { apps } }: Pick<Context, 'settings'>): DynamicSecretOption[] =>
  providers.members.map((provider) => ({
    name: provider.title,
    provider: provider.type,
    missingSetting: provider.missingSetting?.(apps),
  }));

/** A list of them with all of their metadata fits into an answer. */
const requireFew = fewIn('folder', {
  table: 'dynamic_secrets',
  most: 400,
  code: 'dynamic_secret.too_many',
  of: 'dynamic secrets',
});

const LIST = statement(
  'dynamic_secret.list',
  `select ${LISTED_COLUMNS} from ${TABLES} where d.folder_id = $1 order by d.name collate "C"`,
);

const {
  'read-root-credential': mayRead,
  'create-root-credential': mayCreate,
  'edit-root-credential': mayEdit,
  'delete-root-credential': mayDelete,
  lease: mayLease,
} = dynamicSecretPermissions;
const PLACING = { create: mayCreate, edit: mayEdit, delete: mayDelete };

/**
 * Makes a dynamic secret, once its provider has found the credential to work.
 *
 * @throws DomainError 404 unknown project or folder, 403, 400 where the target refuses the credential or the inputs do
 * not go together, or the name is taken, and `dynamic_secret.too_many`.
 */
export async function createDynamicSecret(ctx: Context, input: CreateDynamicSecret): Promise<DynamicSecret> {
  const { name, provider: chosen, metadata, maxTTL = null, usernameTemplate = null } = input;
  const place = { ...(await locationOf(ctx, input)), metadata };
  await authorize(ctx, mayCreate, place);
  const named = { ...place, path: place.secretPath };
  const { organizationId, projectId } = await folderAt(ctx, named);
  const provider = providers.require(chosen.type);
  const { inputs } = chosen as { inputs: Configuration };
  requireFitting(provider, { inputs, usernameTemplate, maxTTL, defaultTTL: input.defaultTTL });
  await tryProvider(ctx, { organizationId, projectId, provider, inputs }, (given, io) => provider.check(given, io));
  const row = { id: newId(), organizationId, projectId };
  return inTransaction(ctx, async (tx) => {
    // The provider may have taken long, and another folder may have the name by now.
    const folder = await holdFolderAt(tx, named);
    const made = tx.em.create(DynamicSecretEntity, {
      ...row,
      folderId: folder.id,
      name,
      type: provider.type,
      defaultTTL: input.defaultTTL,
      maxTTL,
      usernameTemplate,
      metadata,
      inputs: await sealInputs(tx, row, inputs),
      createdAt: tx.now(),
      updatedAt: tx.now(),
    });
    await tx.em.persist(made).flush();
    await requireFew(tx, folder.id);
    const stored = await dynamicSecretOf(tx, row.organizationId, row.id);
    record(tx, dynamicSecretCreated, eventData(stored), { projectId: row.projectId });
    return toDynamicSecret(stored);
  });
}

/**
 * The dynamic secrets of a folder, by name: those whose inputs the caller may read, or of which it may have a lease.
 */
export async function listDynamicSecrets(ctx: Context, input: DynamicSecretPlace): Promise<DynamicSecret[]> {
  const place = await locationOf(ctx, input);
  const { projectId, environment, secretPath } = place;
  const filters = await eitherOf(ctx, projectId);
  const folder = await folderToList(ctx, { projectId, environment, path: secretPath });
  const rows = folder ? await ctx.sql<ListedDynamicSecret>(LIST, [folder.id]) : [];
  const seen = await filterInTurns(rows, (row) => filters.some((may) => may({ ...fieldsOf(row) })));
  const data = { environment, secretPath, numberOfDynamicSecrets: seen.length };
  await ctx.commitRead(eventOf(dynamicSecretsListed, data, { projectId }), ctx);
  return seen.map(toDynamicSecret);
}

/** @throws DomainError 403 if the caller has no permission on any of them. */
async function eitherOf(ctx: Context, projectId: string) {
  const asked = await Promise.allSettled([mayLease, mayRead].map((one) => readableAtAll(ctx, one, { projectId })));
  const filters = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const refused = asked.find((one) => one.status === 'rejected');
  if (filters.length === 0) throw refused?.reason;
  return filters;
}

/**
 * A dynamic secret, with its inputs for callers who may read them. Credentials are never returned.
 *
 * @throws DomainError 404, 403.
 */
export async function getDynamicSecret(ctx: Context, input: DynamicSecretRef): Promise<DynamicSecretWithInputs> {
  const { row, may } = await findForEither(ctx, input, [mayRead, mayLease]);
  const provider = providers.require(row.type);
  const inputs = may ? openInputsOf(provider, await openInputs(ctx, provider, row)) : null;
  await ctx.commitRead(eventOf(dynamicSecretRead, eventData(row), { projectId: row.projectId }), ctx);
  return { ...toDynamicSecret(row), inputs };
}

/**
 * Updates the given fields. New inputs are checked at the target before they are stored.
 *
 * @throws DomainError 404, 403 also for a name or metadata that the caller may not give it, 400 as creating does; if a
 * stored credential would be sent to another target; and if leases exist at a target that would change.
 */
export async function updateDynamicSecret(ctx: Context, input: UpdateDynamicSecret): Promise<DynamicSecret> {
  const { data } = input;
  const row = await findDynamicSecret(ctx, input, mayEdit);
  const { metadata = row.metadata, usernameTemplate = row.usernameTemplate, newName = row.name } = data;
  await authorizeUpdate(ctx, row, { name: newName, metadata });
  const provider = providers.require(row.type);
  const before = await openInputs(ctx, provider, row);
  const inputs = data.inputs ? mergeInputs(provider, before, data.inputs) : before;
  const named = Object.fromEntries(Object.keys(data.inputs ?? {}).map((name) => [name, inputs[name]]));
  requireCredentials(provider.sealedFields, before, named, 'dynamic_secret.credential_needed');
  const maxTTL = data.maxTTL === undefined ? row.maxTtl : data.maxTTL;
  const defaultTTL = data.defaultTTL ?? row.defaultTtl;
  requireFitting(provider, { inputs, usernameTemplate, maxTTL, defaultTTL });
  const isElsewhere = provider.target(inputs as never) !== provider.target(before as never);
  const { organizationId, projectId } = row;
  if (!isDeepStrictEqual(inputs, before))
    await tryProvider(ctx, { organizationId, projectId, provider, inputs }, (given, io) => provider.check(given, io));
  return inTransaction(ctx, async (tx) => {
    await lockNames(tx, 'shared', { projectId: row.projectId });
    const now = await lockDynamicSecret(tx, row.id);
    if (now?.version !== row.version)
      throw conflict('dynamic_secret.changed', 'The dynamic secret was changed concurrently: try again');
    // Its place may have another name by now.
    await authorizeUpdate(tx, await dynamicSecretOf(tx, organizationId, row.id), { name: newName, metadata });
    if (isElsewhere && now.leases > 0)
      throw conflict(
        'dynamic_secret.leases_elsewhere',
        'The dynamic secret has leases in its present target system. Revoke the leases first',
      );
    const entity = await tx.em.findOneOrFail(DynamicSecretEntity, row.id);
    tx.em.assign(entity, {
      name: newName,
      version: row.version + 1,
      defaultTTL,
      maxTTL,
      usernameTemplate,
      metadata,
      ...(data.inputs && { inputs: await sealInputs(tx, sealedRowOf(row), inputs) }),
      updatedAt: tx.now(),
    });
    await tx.em.flush();
    const stored = await dynamicSecretOf(tx, organizationOf(tx), row.id);
    const changed = Object.keys(data).filter((name) => data[name as keyof typeof data] !== undefined);
    record(tx, dynamicSecretUpdated, { ...eventData(stored), changed }, { projectId: row.projectId });
    return toDynamicSecret(stored);
  });
}

/** Rules cannot use its name, but leases are requested by it. @throws DomainError 403 as `authorizeChange`. */
function authorizeUpdate(
  ctx: Context,
  row: DynamicSecretRow,
  changes: { readonly name: string; readonly metadata: Metadata },
): Promise<void> {
  const before = { ...fieldsOf(row), name: row.name };
  return authorizeChange(ctx, PLACING, { projectId: row.projectId, before, after: { ...before, ...changes } });
}

interface Saved {
  readonly inputs: Configuration;
  readonly usernameTemplate: string | null;
  readonly defaultTTL: string;
  readonly maxTTL: string | null;
}

/** @throws DomainError 400 for what does not go together. */
function requireFitting(provider: AnyProvider, { inputs, usernameTemplate, defaultTTL, maxTTL }: Saved): void {
  if (maxTTL !== null && parseDuration(defaultTTL)! > parseDuration(maxTTL)!)
    throw badRequest(
      'dynamic_secret.ttl',
      `defaultTTL is ${defaultTTL}; it must not exceed maxTTL, which is ${maxTTL}`,
    );
  provider.validate?.(inputs as never);
  if (usernameTemplate === null) return;
  const rules = provider.username?.(inputs as never);
  if (!rules)
    throw badRequest(
      'dynamic_secret.username_template',
      `${provider.title} does not generate user names: omit usernameTemplate`,
    );
  requireTemplate(usernameTemplate, rules);
}
