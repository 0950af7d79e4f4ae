import { abilityIn, organizationOf } from '../../access/index.ts';
import { statement, type Context, type Permission } from '../../kernel/index.ts';
import { fieldsOf, SECRET_COLUMNS, type SecretRow } from './row.ts';
import { targetKey, type Origin, type Target } from './reference/reference.ts';
import type { SecretPlace } from './secret.ts';

/** How many imports of imports are followed. */
const MAX_IMPORT_DEPTH = 10;

interface ImportRow {
  folder_id: string;
  source_folder_id: string | null;
  environment: string;
  environment_id: string;
  environment_name: string;
  path: string;
}

/**
 * All that can be reached from a folder through imports, in one query: the imports of each folder on the way, lowest
 * position first. The depth bounds it, `union` keeps circles from growing it.
 */
const REACHABLE = statement(
  'secret_imports.reachable',
  `with recursive reach (folder_id, depth) as (
     select f.id, 0 from environments e join folders f on f.environment_id = e.id and f.path = $4
     where e.organization_id = $1 and e.project_id = $2 and e.slug = $3
     union
     select f.id, reach.depth + 1 from reach
     join secret_imports i on i.folder_id = reach.folder_id and not i.is_reserved
     join folders f on f.environment_id = i.import_environment_id and f.path = i.import_path
     where reach.depth < ${MAX_IMPORT_DEPTH}
   )
   select distinct on (i.folder_id, i.position) i.folder_id, f.id as source_folder_id, e.slug as environment,
     e.id as environment_id, e.name as environment_name, i.import_path as path
   from reach join secret_imports i on i.folder_id = reach.folder_id and not i.is_reserved
   join environments e on e.id = i.import_environment_id
   left join folders f on f.environment_id = i.import_environment_id and f.path = i.import_path
   order by i.folder_id, i.position`,
);

const FOLDER = statement(
  'secret_imports.folder',
  `select f.id from environments e join folders f on f.environment_id = e.id and f.path = $4
   where e.organization_id = $1 and e.project_id = $2 and e.slug = $3`,
);

const SECRETS_OF = statement(
  'secret_imports.secrets',
  `select ${SECRET_COLUMNS} from secrets s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where s.organization_id = $1 and s.folder_id = any($2::uuid[]) and s.user_id is null
     and ($3::text[] is null or s.key = any($3::text[]))
   order by s.key`,
);

export interface Imported {
  readonly environment: string;
  readonly environmentInfo: { readonly id: string; readonly name: string; readonly slug: string };
  readonly secretPath: string;
  readonly folderId: string | null;
  readonly rows: SecretRow[];
}

/**
 * What each import of a folder brings, in the order of its imports: the source's own secrets, and what the source
 * imports under names that it does not have itself (there the higher position wins). Whatever the reader may not see is
 * left out, also as a shadow over something deeper.
 */
export async function importedSecrets(
  ctx: Context,
  place: SecretPlace,
  isVisible: (row: SecretRow) => boolean,
  names: readonly string[] | null = null,
): Promise<Imported[]> {
  const organizationId = organizationOf(ctx);
  const where = [organizationId, place.projectId, place.environment, place.secretPath];
  const imports = await ctx.sql<ImportRow>(REACHABLE, where);
  if (imports.length === 0) return [];
  const [folder] = await ctx.sql<{ id: string }>(FOLDER, where);
  const sources = [...new Set(imports.flatMap((one) => one.source_folder_id ?? []))];
  const rows = (await ctx.sql<SecretRow>(SECRETS_OF, [organizationId, sources, names])).filter(isVisible);
  const ownOf = Map.groupBy(rows, (row) => row.folder_id);
  const importsOf = Map.groupBy(imports, (one) => one.folder_id);

  // Writing refuses circles; should one have come about all the same, it ends where it would begin again.
  const contents = new Map<string, Map<string, SecretRow>>();
  const contentOf = (folderId: string): Map<string, SecretRow> => {
    const known = contents.get(folderId);
    if (known) return known;
    const content = new Map<string, SecretRow>();
    contents.set(folderId, content);
    for (const { source_folder_id: source } of importsOf.get(folderId) ?? []) {
      if (source !== null) for (const [name, row] of contentOf(source)) content.set(name, row);
    }
    for (const row of ownOf.get(folderId) ?? []) content.set(row.key, row);
    return content;
  };
  contents.set(folder!.id, new Map());

  return (importsOf.get(folder!.id) ?? []).map(({ source_folder_id: source, ...one }) => ({
    environment: one.environment,
    environmentInfo: { id: one.environment_id, name: one.environment_name, slug: one.environment },
    secretPath: one.path,
    folderId: source,
    rows: source === null ? [] : [...contentOf(source).values()],
  }));
}

/** The secret of this name that a folder imports: of several, that of the highest position that the reader may do all this to. */
export async function findImported(
  ctx: Context,
  place: SecretPlace,
  key: string,
  wanted: readonly Permission[],
): Promise<SecretRow | undefined> {
  const ability = await abilityIn(ctx, place.projectId);
  const imported = await importedSecrets(
    ctx,
    place,
    (row) => wanted.every((permission) => ability.can(permission, fieldsOf(row))),
    [key],
  );
  return imported.findLast((one) => one.rows.length > 0)?.rows[0];
}

/** The places among some whose folders import anything. */
const IMPORTING = statement(
  'secret_imports.importing',
  `select w.environment, w.path from unnest($3::text[], $4::text[]) as w (environment, path)
   join environments e on e.organization_id = $1 and e.project_id = $2 and e.slug = w.environment
   join folders f on f.environment_id = e.id and f.path = w.path
   where exists (select 1 from secret_imports i where i.folder_id = f.id and not i.is_reserved)`,
);

/** What stands for some secrets that their folders do not have themselves: of several imports, what the highest brings. */
export async function importedTargets(
  ctx: Context,
  projectId: string,
  targets: readonly Target[],
): Promise<Map<string, SecretRow>> {
  const found = new Map<string, SecretRow>();
  if (targets.length === 0) return found;
  const byPlace = Map.groupBy(targets, ({ environment, path }) => `${environment}:${path}`);
  const places = [...byPlace.values()].map(([first]) => first!);
  const importing = await ctx.sql<Origin>(IMPORTING, [
    organizationOf(ctx),
    projectId,
    places.map(({ environment }) => environment),
    places.map(({ path }) => path),
  ]);
  for (const { environment, path } of importing) {
    const names = byPlace.get(`${environment}:${path}`)!.map(({ key }) => key);
    const imported = await importedSecrets(ctx, { projectId, environment, secretPath: path }, () => true, names);
    for (const { rows } of imported)
      for (const row of rows) found.set(targetKey({ environment, path, key: row.key }), row);
  }
  return found;
}
