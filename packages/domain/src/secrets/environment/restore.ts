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
import { createSecretImport } from '../import/index.ts';
import { lockNames } from '../meaning/index.ts';
import {
  environmentPermissions,
  environmentRestored,
  RESTORABLE_DAYS,
  type DeletedEnvironment,
  type Environment,
  type NamedEnvironment,
} from './environment.ts';
import { EnvironmentEntity } from './environment.entity.ts';
import { arrange, lockOrder } from './position.ts';
import { toEnvironment } from './row.ts';

const RESTORABLE_MS = RESTORABLE_DAYS * 86_400_000;

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
const LIST = statement('deleted_environments.list', `${SELECT} order by deleted_at desc, environment_id`);
const FIND = statement('deleted_environments.find', `${SELECT} and environment_id = $4 for update`);
const END = statement('deleted_environments.end', 'delete from deleted_environments where environment_id = $1');

/** The environments of a project that can still be restored, the latest first. */
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
 * one that was not deleted in the last `RESTORABLE_DAYS` days; 400 `environments_slug_unique` if its slug is used.
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

/** Imports follow their sources: a source that got another path meanwhile is the one of before, and not what has its path now. */
const PLACES = statement(
  'environment.import_places',
  `select e.slug as environment, f.path, s.slug as "from", now.path as "fromPath"
   from (select (one ->> 'folderId')::uuid as "folderId", (one ->> 'environmentId')::uuid as "environmentId", one ->> 'path' as path,
       (one ->> 'sourceId')::uuid as "sourceId", position
     from jsonb_array_elements($2::jsonb) with ordinality as noted (one, position)) i
   join folders f on f.id = i."folderId" and f.project_id = $1 join environments e on e.id = f.environment_id
   join environments s on s.id = i."environmentId" and s.project_id = $1
   left join folders source on source.id = i."sourceId" and source.environment_id = s.id
   cross join lateral (select coalesce(source.path, i.path) as path) now
   where not exists (select from secret_imports known where known.folder_id = f.id
     and known.import_environment_id = s.id and known.import_path = now.path and not known.is_reserved)
   order by i.position`,
);

/** The imports in the environment and from it, if their folders exist: each with the checks of a new import. */
async function restoreImports(tx: Transaction, projectId: string, { imports }: Deleted): Promise<void> {
  const places = await tx.sql<{ environment: string; path: string; from: string; fromPath: string }>(PLACES, [
    projectId,
    JSON.stringify(imports),
  ]);
  for (const { environment, path, from, fromPath } of places)
    await createSecretImport(tx, {
      projectId,
      environment,
      path,
      import: { environment: from, path: fromPath },
      isReplication: false,
    });
}
