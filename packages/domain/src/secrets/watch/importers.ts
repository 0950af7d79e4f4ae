import { nameOf, RESERVED, type PlaceAt } from '../folder/index.ts';
import { statement, type Context } from '../../kernel/index.ts';

/** A folder that imports another one, directly or indirectly. */
export interface Importer {
  readonly environment: string;
  readonly path: string;
}

type Source = Pick<PlaceAt, 'environmentId' | 'path'>;

/** The folders that import, directly or indirectly, from any of some folders. */
export type ImportersOf = (sources: Iterable<Source>) => Importer[];

/** How many imports are followed. */
const DEPTH = 10;

/** An import: who reads what. */
interface Row extends Importer, Source {
  sourceEnvironmentId: string;
  sourcePath: string;
}

// Folders and imports, not pairs of a source and an importer: one folder may import many, and be imported by many.
const IMPORTS = statement(
  'secret_imports.reaching',
  `with recursive reach (environment_id, path, depth) as (
     select environment_id, path collate "C", 0 from unnest($2::uuid[], $3::text[]) as s (environment_id, path)
     union
     select f.environment_id, f.path, r.depth + 1
     from reach r join secret_imports i
       on i.project_id = $1 and i.import_environment_id = r.environment_id and i.import_path = r.path
     join folders f on f.id = i.folder_id
     where r.depth < ${DEPTH - 1}
   )
   select r.environment_id as "sourceEnvironmentId", r.path as "sourcePath",
     f.environment_id as "environmentId", e.slug as environment, f.path
   from (select distinct environment_id, path from reach) r join secret_imports i
     on i.project_id = $1 and i.import_environment_id = r.environment_id and i.import_path = r.path
   join folders f on f.id = i.folder_id join environments e on e.id = f.environment_id
   order by e.slug, f.path`,
);

const keyOf = ({ environmentId, path }: Source) => `${environmentId} ${path}`;

/** Which folders import from some places, or from some of them, today. */
export async function importersOf(ctx: Context, projectId: string, sources: readonly Source[]): Promise<ImportersOf> {
  const unique = [...new Map(sources.map((source) => [keyOf(source), source])).values()];
  if (unique.length === 0) return () => [];
  const rows = await ctx.sql<Row>(IMPORTS, [
    projectId,
    unique.map((source) => source.environmentId),
    unique.map((source) => source.path),
  ]);
  const bySource = Map.groupBy(rows, (row) => keyOf({ environmentId: row.sourceEnvironmentId, path: row.sourcePath }));
  return (some) => reachedFrom(bySource, some);
}

/** Each folder is looked at once, at its shortest distance from any of the sources. */
export function reachedFrom(bySource: ReadonlyMap<string, readonly Row[]>, sources: Iterable<Source>): Importer[] {
  const found = new Map<string, Row>();
  let next = new Set(Array.from(sources, keyOf));
  const followed = new Set(next);
  for (let depth = 0; depth < DEPTH && next.size > 0; depth++) {
    const reached = Array.from(next).flatMap((key) => bySource.get(key) ?? []);
    for (const row of reached) found.set(keyOf(row), row);
    next = new Set(reached.map(keyOf).filter((key) => !followed.has(key)));
    for (const key of next) followed.add(key);
  }
  return Array.from(found.values()).filter(({ path }) => !nameOf(path).startsWith(RESERVED));
}
