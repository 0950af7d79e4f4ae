import {
  abilityIn,
  authorize,
  authorizeSlugChange,
  organizationOf,
  projectPermissions,
  requireMayRemove,
  unlessHidden,
} from '../../access/index.ts';
import {
  givenFields,
  inLongTransaction,
  inTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { requireNoPolicyIn, watchEnvironmentRemoval } from '../coverage/index.ts';
import { endVersions, requireRemovable } from '../folder/index.ts';
import { requireMayEndImportsFrom } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import { publishersIn, requireMayEndSourcesIn } from '../publication/index.ts';
import { archiveSecrets, environmentRenamed, requireMayRename, requireNotPublished } from '../secret/index.ts';
import { noteDeletion } from '../watch/index.ts';
import { createEnvironmentRow } from './create.ts';
import { EnvironmentEntity } from './environment.entity.ts';
import {
  environmentCreated,
  environmentDeleted,
  environmentPermissions,
  environmentUpdated,
  type CreateEnvironment,
  type Environment,
  type NamedEnvironment,
  type UpdateEnvironment,
} from './environment.ts';
import { requireUnreservedSlug, reserveSlug } from './former-slugs.ts';
import { arrange, lockOrder } from './position.ts';
import { toEnvironment } from './row.ts';

/**
 * Makes an environment with its root folder.
 *
 * @throws DomainError 400 `environments_slug_unique` where the slug is taken, `environment.slug_reserved` where it is reserved,
 * `environment.too_many`.
 */
export async function createEnvironment(
  ctx: Context,
  { projectId, name, slug, position }: CreateEnvironment,
): Promise<Environment> {
  await authorize(ctx, environmentPermissions.create, { projectId });
  const organizationId = organizationOf(ctx);
  return inTransaction(ctx, async (tx) => {
    await lockOrder(tx, organizationId, projectId);
    const last = (await arrange(tx, projectId)).length + 1;
    const row = await createEnvironmentRow(tx, { organizationId, projectId, name, slug, position: last });
    await requireUnreservedSlug(tx, row);
    record(tx, environmentCreated, { environmentId: row.id, slug, name }, { projectId });
    return toEnvironment(row, position === undefined ? last : await moveTo(tx, row, position));
  });
}

/**
 * Updates the name, slug or position of an environment; absent fields are unchanged. References to its secrets follow
 * the slug; rules, which contain slugs, do not.
 *
 * @throws DomainError 400 if the slug exists or is reserved, and if a change policy of the environment applies to the caller; 403 also
 * if the caller could do more under the new slug, or could not create its contents there, and if a rule forbids the
 * caller to create or delete environments.
 */
export async function updateEnvironment(
  ctx: Context,
  { projectId, id, name, slug, position }: UpdateEnvironment,
): Promise<Environment> {
  await authorize(ctx, environmentPermissions.edit, { projectId });
  const organizationId = organizationOf(ctx);
  return inTransaction(ctx, async (tx) => {
    if (slug !== undefined) await lockNames(tx, 'exclusive', { projectId });
    await lockOrder(tx, organizationId, projectId);
    const row = await findEnvironment(tx, { projectId, id });
    const previousSlug = row.slug;
    if (slug !== undefined && slug !== previousSlug) {
      const folders = await lockFolders(tx, row.id);
      const place = (environment: string) => (secretPath: string) => ({ environment, secretPath });
      const [from, to] = [place(previousSlug), place(slug)];
      await requireMayRename(
        tx,
        projectId,
        folders.map((folder) => ({ id: folder.id, from: from(folder.path), to: to(folder.path) })),
      );
      await authorizeSlugChange(tx, environmentPermissions, { projectId, before: previousSlug, after: slug });
      await requireNoPolicyIn(tx, row, previousSlug);
    }
    tx.em.assign(row, { ...(name !== undefined && { name }), ...(slug !== undefined && { slug }) });
    if (row.slug === previousSlug) await tx.em.flush();
    else
      await requireNotPublished(tx, projectId, async () => {
        await tx.em.flush();
        await requireUnreservedSlug(tx, row);
        await reserveSlug(tx, row, previousSlug);
        await environmentRenamed(tx, { organizationId, projectId }, { from: previousSlug, to: row.slug });
      });
    touch(tx, { organizationId, projectId });
    const environment = toEnvironment(row, position ? await moveTo(tx, row, position) : row.position);
    record(
      tx,
      environmentUpdated,
      {
        ...{ environmentId: row.id, slug: row.slug, previousSlug, name: row.name, position: environment.position },
        changed: givenFields({ name, slug, position }),
      },
      { projectId },
    );
    return environment;
  });
}

const DELETE = statement('environment.delete', 'delete from environments where id = $1');

/**
 * Deletes an environment with its folders and their contents, its integrations, and every import from it. It can be
 * restored for 30 days (see restore.ts); after that its secrets stay in their history.
 *
 * @param requireMayEnd Checks more of its contents before the transaction, and again in it: see `requireMayFreeTargets`.
 * @throws DomainError 403 also if a rule forbids the deletion of some of its contents, of imports from it elsewhere or of its
 * webhooks, or if the caller may not delete its integrations; 400 if a change policy of it, or of a folder that imports from it, applies to the caller.
 */
export async function deleteEnvironment(
  ctx: Context,
  { projectId, id }: NamedEnvironment,
  requireMayEnd: (
    ctx: Context,
    place: { projectId: string; environmentId: string },
  ) => Promise<(tx: Transaction) => Promise<void>>,
): Promise<Environment> {
  await authorize(ctx, environmentPermissions.delete, { projectId });
  const { id: environmentId } = await findEnvironment(ctx, { projectId, id });
  const requireMayStillEnd = await requireMayEnd(ctx, { projectId, environmentId });
  return inLongTransaction(ctx, async (tx) => {
    await lockNames(tx, 'shared', { projectId });
    await lockOrder(tx, organizationOf(ctx), projectId);
    const row = await findEnvironment(tx, { projectId, id });
    const environment = toEnvironment(row);
    const folders = await lockFolders(tx, environment.id);
    await requireRemovable(
      await abilityIn(tx, projectId),
      folders.map(({ path }) => ({ environment: environment.slug, secretPath: path })),
    );
    await watchEnvironmentRemoval(tx, { organizationId: organizationOf(tx), ...environment });
    await requireMayEndImportsFrom(tx, row);
    await requireMayEndWebhooks(tx, row);
    await requireMayEndSourcesIn(tx, { projectId, environmentId: environment.id });
    await requireMayStillEnd(tx);
    touch(tx, { organizationId: organizationOf(tx), projectId });
    await archiveSecrets(
      tx,
      { organizationId: organizationOf(tx), projectId },
      { folderIds: folders.map((folder) => folder.id) },
    );
    await noteDeletion(tx, environment.id);
    await endVersions(
      tx,
      { organizationId: organizationOf(tx), projectId },
      folders.map((folder) => folder.id),
    );
    const left = await publishersIn(tx, { projectId, environmentId: environment.id });
    await tx.sql(DELETE, [environment.id]);
    await reserveSlug(tx, row, environment.slug);
    await arrange(tx, projectId);
    record(
      tx,
      environmentDeleted,
      {
        environmentId: environment.id,
        slug: environment.slug,
        name: environment.name,
        ...(left.length > 0 && { left }),
      },
      { projectId },
    );
    return environment;
  });
}

const WEBHOOKS = statement('environment.webhooks', 'select from webhooks where environment_id = $1 limit 1');

/** @throws DomainError 403 if a rule forbids the caller to delete webhooks, and the environment, whose row is locked, has some. */
async function requireMayEndWebhooks(tx: Transaction, { id, projectId }: EnvironmentEntity): Promise<void> {
  const webhooks = await tx.sql<Record<string, never>>(WEBHOOKS, [id]);
  await requireMayRemove(await abilityIn(tx, projectId), projectPermissions('webhooks').delete, projectId, webhooks);
}

/** An environment of a project. */
export async function getEnvironment(ctx: Context, { projectId, id }: NamedEnvironment): Promise<Environment> {
  await authorize(ctx, environmentPermissions.read, { projectId });
  return toEnvironment(await findEnvironment(ctx, { projectId, id }));
}

/** An environment by its ID; 404 also in a project of which the caller is not a member. */
export async function getEnvironmentById(ctx: Context, { id }: { id: string }): Promise<Environment> {
  const row = isId(id) ? await ctx.em.findOne(EnvironmentEntity, { id, organizationId: organizationOf(ctx) }) : null;
  if (!row) throw notFound('environment');
  await unlessHidden('environment', authorize(ctx, environmentPermissions.read, { projectId: row.projectId }));
  return toEnvironment(row);
}

async function moveTo(tx: Transaction, { id, projectId }: EnvironmentEntity, position: number): Promise<number> {
  return (await arrange(tx, projectId, { id, position })).indexOf(id) + 1;
}

async function findEnvironment(ctx: Context, { projectId, id }: NamedEnvironment): Promise<EnvironmentEntity> {
  const row = isId(id)
    ? await ctx.em.findOne(EnvironmentEntity, { id, projectId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound('environment');
  return row;
}

const LOCK = statement('environment.lock', 'select id from environments where id = $1 for update');
const LOCK_FOLDERS = statement(
  'environment.lock_folders',
  'select id, path from folders where environment_id = $1 and not is_reserved order by path for update',
);

/** Locks an environment and all its folders against additions. */
async function lockFolders(tx: Transaction, environmentId: string): Promise<{ id: string; path: string }[]> {
  await tx.sql(LOCK, [environmentId]);
  return tx.sql(LOCK_FOLDERS, [environmentId]);
}
