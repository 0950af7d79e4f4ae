import type { Context } from '../../kernel/index.ts';
import { EnvironmentEntity } from '../../secrets/environment/index.ts';
import { FolderEntity } from '../../secrets/folder/index.ts';
import { mayKnowNames } from './named-places.ts';
import type { Source } from './source.ts';
import type { SecretSyncEntity } from './sync.entity.ts';

/** A sync with its current source: a renamed folder has its new path. */
export interface Placed<Row> {
  readonly row: Row;
  readonly environment: EnvironmentEntity;
  readonly source: Source;
  /** Whether the folder exists. */
  readonly hasFolder: boolean;
}

/** The syncs whose environment was not deleted since they were read. */
export async function placesOf<Row extends SecretSyncEntity>(
  ctx: Context,
  rows: readonly Row[],
): Promise<Placed<Row>[]> {
  const environments = await ctx.em.find(EnvironmentEntity, { id: [...new Set(rows.map((row) => row.environmentId))] });
  const folderIds = [...new Set(rows.flatMap(({ folderId }) => folderId ?? []))];
  const folders = await ctx.em.find(FolderEntity, { id: folderIds });
  const environmentOf = new Map(environments.map((environment) => [environment.id, environment]));
  const pathOf = new Map(folders.map(({ id, path }) => [id, path]));
  return rows.flatMap((row) => {
    const environment = environmentOf.get(row.environmentId);
    if (!environment) return [];
    const path = row.folderId ? pathOf.get(row.folderId) : undefined;
    const source = { projectId: row.projectId, environment: environment.slug, secretPath: path ?? row.secretPath };
    return { row, environment, source, hasFolder: path !== undefined };
  });
}

/** The reason of a failure for the caller: it may contain names of secrets. */
export async function messageFor(
  ctx: Context,
  { row, source }: Placed<SecretSyncEntity>,
  message: string | null | undefined,
): Promise<string | null> {
  if (message === null || message === undefined) return null;
  return (await mayKnowNames(ctx, source, row.namedPlaces)) ? message : HIDDEN_REASON;
}

const HIDDEN_REASON = 'The last sync failed. The reason is visible to callers who may see the secrets of this folder';
