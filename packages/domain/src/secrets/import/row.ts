import type { Context } from '../../kernel/index.ts';
import { EnvironmentEntity } from '../environment/index.ts';
import type { SecretImportEntity } from './import.entity.ts';
import type { ImportPlace, SecretImport } from './import.ts';

export async function environmentsById(ctx: Context, ids: readonly string[]): Promise<Map<string, EnvironmentEntity>> {
  const rows = ids.length === 0 ? [] : await ctx.em.find(EnvironmentEntity, { id: { $in: [...new Set(ids)] } });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The environment that an import imports from. */
export const sourceEnvironment = async (ctx: Context, { importEnvironmentId: id }: SecretImportEntity) =>
  (await environmentsById(ctx, [id])).get(id)!;

/** The source of an import, as rules use it. */
export const sourceOf = ({ projectId, importPath }: SecretImportEntity, { slug }: EnvironmentEntity) => ({
  projectId,
  environment: slug,
  secretPath: importPath,
});

/** An import, as change policies capture it. */
export const watched = ({ id, version }: SecretImportEntity, { environment, path }: ImportPlace) => ({
  id,
  version,
  environment,
  path,
});

/** The current or future state of an import, as change policies capture it. */
export const side = (row: SecretImportEntity, { slug }: EnvironmentEntity) => ({
  environment: slug,
  path: row.importPath,
  position: row.position,
  isReplication: row.isReplication,
});

export const eventData = (row: SecretImportEntity, place: ImportPlace, importEnvironment: string) => ({
  environment: place.environment,
  secretPath: place.path,
  secretImportId: row.id,
  importEnvironment,
  importPath: row.importPath,
  position: row.position,
});

export const pickEnvironment = ({ id, name, slug }: EnvironmentEntity) => ({ id, name, slug });

export const toImport = (row: SecretImportEntity, source: EnvironmentEntity): SecretImport => ({
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
