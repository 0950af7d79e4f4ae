import { nameOf, RESERVED, type PlaceAt } from '../folder/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** A folder that imports another one, directly or indirectly. */
export interface Importer {
  readonly environment: string;
  readonly path: string;
}

interface Row extends Importer {
  sourceEnvironmentId: string;
  sourcePath: string;
}

const IMPORTERS = statement(
  'secret_imports.importers',
  `with recursive reach (source_environment_id, source_path, environment_id, path, depth) as (
     select environment_id, path collate "C", environment_id, path collate "C", 0
     from unnest($2::uuid[], $3::text[]) as s (environment_id, path)
     union
     select r.source_environment_id, r.source_path, f.environment_id, f.path, r.depth + 1
     from reach r join secret_imports i
       on i.project_id = $1 and i.import_environment_id = r.environment_id and i.import_path = r.path
     join folders f on f.id = i.folder_id
     where r.depth < 10
   )
   select distinct r.source_environment_id as "sourceEnvironmentId", r.source_path as "sourcePath",
     e.slug as environment, r.path
   from reach r join environments e on e.id = r.environment_id where r.depth > 0
   order by e.slug, r.path`,
);

const keyOf = ({ environmentId, path }: Pick<PlaceAt, 'environmentId' | 'path'>) => `${environmentId} ${path}`;

/** Which folders import from some places today. */
export async function importersOf(
  ctx: Context,
  projectId: string,
  sources: readonly Pick<PlaceAt, 'environmentId' | 'path'>[],
): Promise<(source: PlaceAt) => readonly Importer[]> {
  const unique = [...new Map(sources.map((source) => [keyOf(source), source])).values()];
  if (unique.length === 0) return () => [];
  const rows = await ctx.sql<Row>(IMPORTERS, [
    projectId,
    unique.map((source) => source.environmentId),
    unique.map((source) => source.path),
  ]);
  const found = Map.groupBy(
    rows.filter(({ path }) => !nameOf(path).startsWith(RESERVED)),
    (row) => keyOf({ environmentId: row.sourceEnvironmentId, path: row.sourcePath }),
  );
  return (source) => found.get(keyOf(source)) ?? [];
}
