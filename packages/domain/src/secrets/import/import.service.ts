import { abilityIn, authorize, denied, organizationOf, unlessHidden } from '../../access/index.ts';
import {
  badRequest,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { EnvironmentEntity } from '../../projects/environment/index.ts';
import { folderAt, FolderEntity, type FoundFolder } from '../folder/index.ts';
import { findCycle, secretPermissions } from '../secret/index.ts';
import { SecretImportEntity } from './import.entity.ts';
import {
  importCreated,
  importDeleted,
  importPermissions,
  importUpdated,
  type CreateSecretImport,
  type DeleteSecretImport,
  type ImportPlace,
  type SecretImport,
  type SecretImportWithPlace,
  type UpdateSecretImport,
} from './import.ts';

/** Two writers could each close one half of a circle, or take one position: those of one project go one after the other. */
const LOCK = statement('secret_imports.lock', 'select pg_advisory_xact_lock(hashtextextended($1, 18))');

/** An environment takes its imports with it when it goes, so positions may have gaps. */
const LAST = statement(
  'secret_imports.last',
  'select position from secret_imports where folder_id = $1 order by position desc limit 1',
);

/**
 * Lets a folder see another one's secrets under its own.
 *
 * @throws DomainError 403 without `secret-imports: create` here or `describeSecret` on the source, 404 for an unknown
 * folder or source environment, 400 with the circle that the import would close.
 */
export function createSecretImport(ctx: Context, input: CreateSecretImport): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const { folder } = await findPlace(tx, input, importPermissions.create);
    const source = await findSource(tx, input.projectId, input.import.environment, input.import.path);
    await tx.sql(LOCK, [input.projectId]);
    const [last] = await tx.sql<{ position: number }>(LAST, [folder.id]);
    const row = tx.em.create(SecretImportEntity, {
      id: newId(),
      organizationId: folder.organizationId,
      projectId: folder.projectId,
      folderId: folder.id,
      importEnvironmentId: source.id,
      importPath: input.import.path,
      position: (last?.position ?? 0) + 1,
      isReplication: input.isReplication,
    });
    await tx.em.persist(row).flush();
    await requireAcyclic(tx, folder);
    record(tx, importCreated, eventData(row, input, source.slug), { projectId: input.projectId });
    return toImport(row, source);
  });
}

/** The imports of a folder, lowest position first. */
export async function listSecretImports(ctx: Context, input: ImportPlace): Promise<SecretImport[]> {
  const { folder } = await findPlace(ctx, input, importPermissions.read);
  const rows = await ctx.em.find(
    SecretImportEntity,
    { folderId: folder.id, isReserved: false },
    { orderBy: { position: 'asc' } },
  );
  const environments = await environmentsById(
    ctx,
    rows.map((row) => row.importEnvironmentId),
  );
  return rows.map((row) => toImport(row, environments.get(row.importEnvironmentId)!));
}

/** One import with the place where it is; 404 where the caller's organization has no such import. */
export async function getSecretImport(
  ctx: Context,
  { secretImportId }: { secretImportId: string },
): Promise<SecretImportWithPlace> {
  const row = isId(secretImportId)
    ? await ctx.em.findOne(SecretImportEntity, { id: secretImportId, organizationId: organizationOf(ctx) })
    : null;
  if (!row) throw notFound('secret import');
  const folder = await ctx.em.findOneOrFail(FolderEntity, row.folderId);
  const environments = await environmentsById(ctx, [row.importEnvironmentId, folder.environmentId]);
  const environment = environments.get(folder.environmentId)!;
  const ability = await unlessHidden('secret import', abilityIn(ctx, row.projectId));
  ctx.granted.add(importPermissions.read.key);
  const fields = { environment: environment.slug, secretPath: folder.path };
  if (!ability.can(importPermissions.read, fields)) throw denied(ability, importPermissions.read);
  return {
    ...toImport(row, environments.get(row.importEnvironmentId)!),
    environment: pickEnvironment(environment),
    projectId: row.projectId,
    secretPath: folder.path,
  };
}

/** Changes what an import imports, or its position: the others make room. */
export function updateSecretImport(ctx: Context, input: UpdateSecretImport): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const { folder } = await findPlace(tx, input, importPermissions.edit);
    await tx.sql(LOCK, [input.projectId]);
    const row = await findImport(tx, folder, input.secretImportId);
    const present = (await environmentsById(tx, [row.importEnvironmentId])).get(row.importEnvironmentId)!;
    const { environment, path, position } = input.import;
    const isMoved = environment !== undefined || path !== undefined;
    const source = isMoved
      ? await findSource(tx, input.projectId, environment ?? present.slug, path ?? row.importPath)
      : present;
    tx.em.assign(row, {
      importEnvironmentId: source.id,
      importPath: path ?? row.importPath,
      version: row.version + 1,
      updatedAt: tx.now(),
    });
    await tx.em.flush();
    if (position !== undefined) await reposition(tx, folder, row, position);
    if (isMoved) await requireAcyclic(tx, folder);
    record(tx, importUpdated, eventData(row, input, source.slug), { projectId: input.projectId });
    return toImport(row, source);
  });
}

/** Removes an import; those above it move down by one. */
export function deleteSecretImport(ctx: Context, input: DeleteSecretImport): Promise<SecretImport> {
  return inTransaction(ctx, async (tx) => {
    const { folder } = await findPlace(tx, input, importPermissions.delete);
    await tx.sql(LOCK, [input.projectId]);
    const row = await findImport(tx, folder, input.secretImportId);
    const source = (await environmentsById(tx, [row.importEnvironmentId])).get(row.importEnvironmentId)!;
    const deleted = toImport(row, source);
    record(tx, importDeleted, eventData(row, input, source.slug), { projectId: input.projectId });
    await tx.em.remove(row).flush();
    await renumber(tx, folder.id);
    return deleted;
  });
}

async function findPlace(
  ctx: Context,
  input: ImportPlace,
  permission: (typeof importPermissions)[keyof typeof importPermissions],
): Promise<{ folder: FoundFolder }> {
  const { projectId, environment, path } = input;
  await authorize(ctx, permission, { projectId, environment, secretPath: path });
  return { folder: await folderAt(ctx, { projectId, environment, path }) };
}

/** The environment that is imported from; whoever imports must be allowed to see what secrets lie there. */
async function findSource(tx: Transaction, projectId: string, slug: string, path: string): Promise<EnvironmentEntity> {
  const source = await tx.em.findOne(EnvironmentEntity, { projectId, organizationId: organizationOf(tx), slug });
  if (!source) throw notFound('environment', { slug });
  await authorize(tx, secretPermissions.describeSecret, {
    projectId,
    environment: slug,
    secretPath: path,
    secretName: '*',
    secretTags: [],
  });
  return source;
}

async function findImport(tx: Transaction, folder: FoundFolder, id: string): Promise<SecretImportEntity> {
  const row = isId(id) ? await tx.em.findOne(SecretImportEntity, { id, folderId: folder.id, isReserved: false }) : null;
  if (!row) throw notFound('secret import');
  return row;
}

const RENUMBER = statement(
  'secret_imports.renumber',
  `update secret_imports i set position = n.position
   from (select id, row_number() over (order by position) as position from secret_imports where folder_id = $1) n
   where i.id = n.id and i.position <> n.position`,
);
const PLACE_AT = statement(
  'secret_imports.place_at',
  `update secret_imports i set position = n.position
   from (select id, row_number() over (order by case when id = $2 then $3::numeric else position * 2 end) as position from secret_imports where folder_id = $1) n
   where i.id = n.id and i.position <> n.position`,
);

const renumber = (tx: Transaction, folderId: string) => tx.sql(RENUMBER, [folderId]);

/** Puts an import at a position, the last one where there are fewer, and the others in their order around it. */
async function reposition(
  tx: Transaction,
  folder: FoundFolder,
  row: SecretImportEntity,
  position: number,
): Promise<void> {
  const rank = position > row.position ? position * 2 + 1 : position * 2 - 1;
  await tx.sql(PLACE_AT, [folder.id, row.id, rank]);
  await tx.em.refresh(row);
}

const EDGES = statement(
  'secret_imports.edges',
  `select e.slug || f.path as "from", s.slug || i.import_path as "to" from secret_imports i
   join folders f on f.id = i.folder_id join environments e on e.id = f.environment_id
   join environments s on s.id = i.import_environment_id
   where i.project_id = $1 and not i.is_reserved`,
);

/** Refuses a folder that would in the end import itself, however many folders are in between. */
async function requireAcyclic(tx: Transaction, folder: FoundFolder): Promise<void> {
  const rows = await tx.sql<{ from: string; to: string }>(EDGES, [folder.projectId]);
  const edges = new Map(
    [...Map.groupBy(rows, (row) => row.from)].map(([from, group]) => [from, group.map((row) => row.to)]),
  );
  const cycle = findCycle(edges, [folder.environmentSlug + folder.path]);
  if (cycle)
    throw badRequest('secret_import.cycle', `This folder would import itself: ${cycle.join(' → ')}`, { cycle });
}

async function environmentsById(ctx: Context, ids: readonly string[]): Promise<Map<string, EnvironmentEntity>> {
  const rows = ids.length === 0 ? [] : await ctx.em.find(EnvironmentEntity, { id: { $in: [...new Set(ids)] } });
  return new Map(rows.map((row) => [row.id, row]));
}

const pickEnvironment = ({ id, name, slug }: EnvironmentEntity) => ({ id, name, slug });

const eventData = (row: SecretImportEntity, place: ImportPlace, importEnvironment: string) => ({
  environment: place.environment,
  secretPath: place.path,
  secretImportId: row.id,
  importEnvironment,
  importPath: row.importPath,
  position: row.position,
});

const toImport = (row: SecretImportEntity, source: EnvironmentEntity): SecretImport => ({
  id: row.id,
  version: row.version,
  importPath: row.importPath,
  position: row.position,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  folderId: row.folderId,
  isReplication: row.isReplication,
  isReplicationSuccess: row.isReplicationSuccess ?? null,
  replicationStatus: row.replicationStatus ?? null,
  lastReplicated: row.lastReplicated ?? null,
  isReserved: row.isReserved,
  importEnv: pickEnvironment(source),
});
