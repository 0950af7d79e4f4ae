import { authorize, organizationOf } from '../../access/index.ts';
import {
  at,
  inLongTransaction,
  isId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { createRootFolder } from '../folder/index.ts';
import { restoreEnvironmentIn } from '../history/index.ts';
import { createSecretImport, restoreSecretImport } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import {
  environmentPermissions,
  environmentRestored,
  RESTORABLE_DAYS,
  type DeletedEnvironment,
  type Environment,
  type NamedEnvironment,
} from './environment.ts';
import { requireFewEnvironments } from './create.ts';
import { EnvironmentEntity } from './environment.entity.ts';
import { requireUnreservedSlug } from './former-slugs.ts';
import { arrange, lockOrder } from './position.ts';
import { toEnvironment } from './row.ts';

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;
/** The most deleted environments that a list has. */
const MOST_LISTED = 1_000;

interface Deleted {
  id: string;
  rootFolderId: string;
  slug: string;
  name: string;
  deletedAt: string;
  revision: number;
  imports: { folderId: string; environmentId: string; path: string }[];
}

const SELECT = `select environment_id as id, root_folder_id as "rootFolderId", slug, name, deleted_at as "deletedAt", revision::int, imports
  from deleted_environments where organization_id = $1 and project_id = $2 and deleted_at > $3`;
const LIST = statement(
  'deleted_environments.list',
  `${SELECT} order by deleted_at desc, environment_id limit ${MOST_LISTED}`,
);
const FIND = statement('deleted_environments.find', `${SELECT} and environment_id = $4 for update`);
const END = statement('deleted_environments.end', 'delete from deleted_environments where environment_id = $1');

/** The environments of a project that can still be restored, the latest first: at most a thousand. The others can be restored, too. */
export async function listDeletedEnvironments(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<DeletedEnvironment[]> {
  await authorize(ctx, environmentPermissions.read, { projectId });
  const rows = await ctx.sql<Deleted>(LIST, [organizationOf(ctx), projectId, restorableSince(ctx)]);
  return rows.map(({ id, name, slug, deletedAt }) => ({
    id,
    name,
    slug,
    projectId,
    deletedAt: at(deletedAt),
    restorableUntil: new Date(at(deletedAt).getTime() + RESTORABLE_MS),
  }));
}

/**
 * Restores a deleted environment with its ID and slug, as the last of its project: its folders, secrets (with
 * the personal values of all users) and imports, and the imports from it. Dynamic secrets, replications, webhooks,
 * integrations and policies are not restored.
 *
 * @throws DomainError 403 without `environments: create`, or without the permissions to create its contents; 404 for
 * one that was not deleted in the last `RESTORABLE_DAYS` days; 400 `environments_slug_unique` if its slug is used,
 * `environment.slug_reserved` if another environment had it since, `environment.too_many`.
 */
export async function restoreEnvironment(ctx: Context, { projectId, id }: NamedEnvironment): Promise<Environment> {
  await authorize(ctx, environmentPermissions.create, { projectId });
  const organizationId = organizationOf(ctx);
  return inLongTransaction(ctx, async (tx) => {
    await lockNames(tx, 'exclusive', { projectId });
    await lockOrder(tx, organizationId, projectId);
    const [deleted] = isId(id) ? await tx.sql<Deleted>(FIND, [organizationId, projectId, restorableSince(tx), id]) : [];
    if (!deleted) throw notFound('environment');
    await tx.sql(END, [deleted.id]);
    const row = await create(tx, { organizationId, projectId }, deleted);
    await requireUnreservedSlug(tx, row);
    const { revision, deletedAt } = deleted;
    await restoreEnvironmentIn(tx, { projectId, environment: row.slug, revision, deletedAt: at(deletedAt) });
    await tx.sql(PASS_ON, [projectId, JSON.stringify(deleted.imports)]);
    await restoreImports(tx, projectId, deleted);
    touch(tx, { organizationId, projectId });
    const { slug, name } = row;
    record(tx, environmentRestored, { environmentId: id, slug, name, revision }, { projectId });
    return toEnvironment(row);
  });
}

const restorableSince = (ctx: Context): Date => new Date(ctx.now().getTime() - RESTORABLE_MS);

/** The environment and its root folder, under the ids that they had. */
async function create(
  tx: Transaction,
  scope: { organizationId: string; projectId: string },
  { id, name, slug, rootFolderId }: Deleted,
): Promise<EnvironmentEntity> {
  const position = (await arrange(tx, scope.projectId)).length + 1;
  const row = tx.em.create(EnvironmentEntity, { id, ...scope, name, slug, position });
  await tx.em.persist(row).flush();
  createRootFolder(tx, row, rootFolderId);
  await tx.em.flush();
  await requireFewEnvironments(tx, row.projectId);
  return row;
}

/** The imports between two deleted environments return with the second one that is restored. */
const PASS_ON = statement(
  'deleted_environments.pass_on_imports',
  `update deleted_environments d set imports = d.imports || i.added
   from (select other, jsonb_agg(one) as added from jsonb_array_elements($2::jsonb) as one,
       lateral (values (one ->> 'environmentId'), (one ->> 'holderId')) as side (other) group by other) i
   where d.project_id = $1 and d.environment_id = i.other::uuid`,
);

/**
 * Imports follow their sources: a source that got another path meanwhile is the one of before, and not what has its path now.
 * Those that an earlier release has noted have no position.
 */
const PLACES = statement(
  'environment.import_places',
  `select e.slug as environment, f.path, s.slug as "from", now.path as "fromPath", i.id, i.position, i."previousId", i."nextId"
   from (select (one ->> 'folderId')::uuid as "folderId", (one ->> 'environmentId')::uuid as "environmentId", one ->> 'path' as path,
       (one ->> 'sourceId')::uuid as "sourceId", (one ->> 'id')::uuid as id, (one ->> 'position')::integer as position,
       (one ->> 'previousId')::uuid as "previousId", (one ->> 'nextId')::uuid as "nextId", number
     from jsonb_array_elements($2::jsonb) with ordinality as noted (one, number)) i
   join folders f on f.id = i."folderId" and f.project_id = $1 join environments e on e.id = f.environment_id
   join environments s on s.id = i."environmentId" and s.project_id = $1
   left join folders source on source.id = i."sourceId" and source.environment_id = s.id
   cross join lateral (select coalesce(source.path, i.path) as path) now
   where not exists (select from secret_imports known where known.folder_id = f.id
     and known.import_environment_id = s.id and known.import_path = now.path and not known.is_reserved)
   order by i."folderId", i.position, i.number`,
);

interface ImportPlace {
  readonly environment: string;
  readonly path: string;
  readonly from: string;
  readonly fromPath: string;
  readonly id: string | null;
  readonly position: number | null;
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/**
 * The imports in the environment and from it, if their folders exist: each with the checks of a new import, and where it was
 * among the imports of its folder.
 */
async function restoreImports(tx: Transaction, projectId: string, { imports }: Deleted): Promise<void> {
  for (const place of await tx.sql<ImportPlace>(PLACES, [projectId, JSON.stringify(imports)])) {
    const { environment, path, from, fromPath, id, position, previousId, nextId } = place;
    const input = { projectId, environment, path, import: { environment: from, path: fromPath }, isReplication: false };
    if (id === null || position === null) await createSecretImport(tx, input);
    else await restoreSecretImport(tx, input, { id, position, previousId, nextId });
  }
}
