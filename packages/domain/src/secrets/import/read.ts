import { abilityIn, denied, organizationOf, unlessHidden } from '../../access/index.ts';
import { isId, notFound, type Context } from '../../kernel/index.ts';
import { FolderEntity } from '../folder/index.ts';
import { SecretImportEntity } from './import.entity.ts';
import { importPermissions, type ImportPlace, type SecretImport, type SecretImportWithPlace } from './import.ts';
import { findPlace } from './place.ts';
import { environmentsById, pickEnvironment, toImport } from './row.ts';

/** The imports of a folder, lowest position first. */
export async function listSecretImports(ctx: Context, input: ImportPlace): Promise<SecretImport[]> {
  const folder = await findPlace(ctx, input, importPermissions.read);
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

/** One import with its location; 404 if the caller's organization has no such import. */
export async function getSecretImport(
  ctx: Context,
  { secretImportId }: { secretImportId: string },
): Promise<SecretImportWithPlace> {
  const where = { id: secretImportId, organizationId: organizationOf(ctx), isReserved: false };
  const row = isId(secretImportId) ? await ctx.em.findOne(SecretImportEntity, where) : null;
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
