import { z } from 'zod';
import { abilityIn, filterInTurns, grant, organizationOf } from '../../access/index.ts';
import { isId, statement, Uuid, type Context } from '../../kernel/index.ts';
import { ancestorsOf, folderPermissions } from './folder.ts';
import { folderVisibility } from './place-rules.ts';

/** The folders of a project, by the slugs of their environments. */
export const EnvironmentFolderTree = z.record(
  z.string().describe('The slug of an environment'),
  z.object({
    id: Uuid,
    name: z.string(),
    slug: z.string(),
    folders: z.array(
      z.object({ id: Uuid, name: z.string(), path: z.string(), parentId: Uuid.nullable(), envId: Uuid }),
    ),
  }),
);
export type EnvironmentFolderTree = z.output<typeof EnvironmentFolderTree>;

interface Row {
  id: string;
  name: string;
  path: string;
  parentId: string | null;
  envId: string;
  environment: string;
  environmentName: string;
}

const TREE = statement(
  'folder.environment_tree',
  `select f.id, f.name, f.path, f.parent_id as "parentId", f.environment_id as "envId", e.slug as environment, e.name as "environmentName"
   from environments e join folders f on f.environment_id = e.id
   where e.organization_id = $1 and e.project_id = $2 and not f.is_reserved order by e.position, f.path`,
);

/**
 * The folders of every environment of a project, including root folders: visible ones, and the parents of visible ones.
 * Environments without visible folders are omitted.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function environmentFolderTree(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<EnvironmentFolderTree> {
  const sees = folderVisibility(await abilityIn(ctx, projectId));
  grant(ctx, folderPermissions.read);
  const rows = isId(projectId) ? await ctx.sql<Row>(TREE, [organizationOf(ctx), projectId]) : [];
  const tree: EnvironmentFolderTree = {};
  for (const [slug, folders] of Map.groupBy(rows, ({ environment }) => environment)) {
    const paths = folders.map(({ path }) => path);
    const seen = new Set(await filterInTurns(paths, (path) => sees({ environment: slug, secretPath: path })));
    const ways = ancestorsOf([...seen]);
    const shown = folders.filter(({ path }) => seen.has(path) || ways.has(path));
    const [first] = shown;
    if (first)
      tree[slug] = {
        id: first.envId,
        name: first.environmentName,
        slug,
        folders: shown.map(({ id, name, path, parentId, envId }) => ({ id, name, path, parentId, envId })),
      };
  }
  return tree;
}
