import { filterInTurns, organizationOf } from '../../access/index.ts';
import { statement, type Ability, type Context } from '../../kernel/index.ts';
import { ancestorsOf, nameOf } from './folder.ts';
import { pathsSeenBelow } from './list.ts';
import { folderVisibility } from './place-rules.ts';

const CHILDREN = statement(
  'folder.children_across',
  `select e.slug as environment, f.path from environments e
   join folders p on p.environment_id = e.id and p.path = $4 and not p.is_reserved
   join folders f on f.parent_id = p.id and not f.is_reserved
   where e.organization_id = $1 and e.project_id = $2 and e.slug = any($3::text[]) order by f.path`,
);

/** A folder in some environments. */
export interface FolderAcross {
  readonly name: string;
  /** Slugs, in the order that was asked for. */
  readonly environments: string[];
}

/** The folders in a folder of several environments, by name, as far as `listFolders` shows them in each of these. */
export async function foldersAcross(
  ctx: Context,
  ability: Ability,
  place: { readonly projectId: string; readonly environments: readonly string[]; readonly path: string },
): Promise<FolderAcross[]> {
  const { projectId, environments, path } = place;
  const rows = await ctx.sql<{ environment: string; path: string }>(CHILDREN, [
    organizationOf(ctx),
    projectId,
    environments,
    path,
  ]);
  const sees = folderVisibility(ability);
  const seen = new Set(
    await filterInTurns(rows, (row) => sees({ environment: row.environment, secretPath: row.path })),
  );
  /** The ways to what is seen below, in environments where not all folders are. */
  const ways = new Map<string, ReadonlySet<string>>();
  for (const environment of new Set(rows.flatMap((row) => (seen.has(row) ? [] : row.environment)))) {
    const isSeen = (secretPath: string) => sees({ environment, secretPath });
    ways.set(environment, ancestorsOf(await pathsSeenBelow(ctx, { projectId, environment, path }, isSeen)));
  }
  const shown = rows.filter((row) => seen.has(row) || ways.get(row.environment)!.has(row.path));
  return [...Map.groupBy(shown, (row) => nameOf(row.path))].map(([name, some]) => {
    const where = new Set(some.map(({ environment }) => environment));
    return { name, environments: environments.filter((slug) => where.has(slug)) };
  });
}
