import { abilityIn, filterInTurns, projectPermissions } from '../../access/index.ts';
import { statement, type Context } from '../../kernel/index.ts';
import {
  folderAt,
  folderPermissions,
  rangeBelow,
  requireVisible,
  type FolderUses,
  type ReadFolderUses,
} from '../folder/index.ts';
import { importPermissions } from '../import/index.ts';
import { referrersBelow } from '../secret/index.ts';

/** Of each kind. */
const MOST = 1_000;

const IMPORTERS = statement(
  'tree.importers',
  `select e.slug as environment, f.path as "secretPath", i.import_path as "importPath" from secret_imports i
   join folders f on f.id = i.folder_id join environments e on e.id = f.environment_id
   where i.project_id = $1 and i.import_environment_id = $2 and not i.is_reserved
     and (i.import_path = $3 or starts_with(i.import_path, $3 || '/'))
     and not (f.environment_id = $2 and (f.path = $3 or (f.path >= $4 and f.path < $5)))
   order by e.slug, f.path, i.position limit ${MOST}`,
);
const SYNCS = statement(
  'tree.syncs',
  `select s.id, s.name, s.destination, f.path as "secretPath" from secret_syncs s join folders f on f.id = s.folder_id
   where s.project_id = $1 and f.environment_id = $2 and s.name is not null
     and (f.path = $3 or (f.path >= $4 and f.path < $5))
   order by s.name, s.id limit ${MOST}`,
);

const syncPermissions = projectPermissions('secret-syncs');

/**
 * What names a folder, or one below it, from outside, as far as the caller may read it: for whoever wants to rename, move or
 * delete the folder.
 *
 * @throws DomainError 403 for a folder that the caller does not see; 404 if there is none.
 */
export async function readFolderUses(
  ctx: Context,
  { projectId, environment, path }: ReadFolderUses,
): Promise<FolderUses> {
  const ability = await abilityIn(ctx, projectId);
  requireVisible(ability, { environment, secretPath: path });
  ctx.granted.add(folderPermissions.read.key);
  const { environmentId } = await folderAt(ctx, { projectId, environment, path });
  const place = [projectId, environmentId, path, ...rangeBelow(path)];
  const references = await referrersBelow(ctx, { projectId, environment, path }, MOST);
  const imports = await ctx.sql<FolderUses['imports'][number]>(IMPORTERS, place);
  const syncs = await ctx.sql<FolderUses['syncs'][number]>(SYNCS, place);
  return {
    references: references.map(({ environment: slug, secretPath, secretName: secretKey }) => ({
      environment: slug,
      secretPath,
      secretKey,
    })),
    imports: await filterInTurns(imports, (one) =>
      ability.can(importPermissions.read, { environment: one.environment, secretPath: one.secretPath }),
    ),
    syncs: await filterInTurns(syncs, ({ secretPath }) =>
      ability.can(syncPermissions.read, { environment, secretPath }),
    ),
  };
}
