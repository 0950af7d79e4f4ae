import { abilityWithinReach, filterInTurns, organizationOf } from '../../access/index.ts';
import { isId, statement, type Ability, type Context } from '../../kernel/index.ts';
import { folderVisibility } from '../folder/index.ts';
import { findSecrets, recordSearch } from './search.service.ts';
import type { FoundInProject, SearchEverywhere } from './search.ts';

/** Projects that are looked into: those with a match, the first one first. */
const MOST_PROJECTS = 100;

/** The projects of a member ($2) that have a secret or a folder with a part of its name ($3). */
const PROJECTS = statement(
  'secrets.search_projects',
  `select p.id, p.name from projects p
   where p.organization_id = $1
     and p.id in (select h.project_id from effective_memberships h where h.organization_id = $1 and h.actor_id = $2)
     and (
       exists (select 1 from secrets s where s.project_id = p.id and s.user_id is null and strpos(lower(s.key), lower($3)) > 0)
       or exists (select 1 from folders f where f.project_id = p.id and not f.is_reserved and strpos(lower(f.name), lower($3)) > 0))
   order by p.id is distinct from $4::uuid, lower(p.name), p.id limit $5`,
);

const FOLDERS = statement(
  'secrets.search_folders',
  `select e.slug as environment, f.path from folders f join environments e on e.id = f.environment_id
   where f.organization_id = $1 and f.project_id = $2 and f.parent_id is not null and not f.is_reserved
     and strpos(lower(f.name), lower($3)) > 0
   order by f.path collate "C", e.position limit $4`,
);
/** Folders that are looked at, of which the caller may not see all. */
const MOST_FOLDERS = 2_000;

/**
 * The secrets and folders with a part of their name in all projects that the caller is a member of, as far as it may
 * describe and see them there.
 */
export async function searchEverywhere(
  ctx: Context,
  { search, limit, firstProjectId }: SearchEverywhere,
): Promise<FoundInProject[]> {
  const { actor } = ctx;
  if (!('id' in actor)) return [];
  const projects = await ctx.sql<{ id: string; name: string }>(PROJECTS, [
    organizationOf(ctx),
    actor.id,
    search,
    firstProjectId !== undefined && isId(firstProjectId) ? firstProjectId : null,
    MOST_PROJECTS,
  ]);
  const found: FoundInProject[] = [];
  let left = limit;
  for (const { id: projectId, name: projectName } of projects) {
    if (left <= 0) break;
    const ability = await abilityWithinReach(ctx, projectId);
    if (!ability) continue;
    const all = await foldersIn(ctx, ability, projectId, search);
    // Where both are many, each has half.
    const most = Math.max(left - all.length, Math.ceil(left / 2));
    const secrets = await findSecrets(ctx, ability, { projectId, search, limit: most });
    const folders = all.slice(0, left - secrets.length);
    await recordSearch(ctx, projectId, secrets.length);
    left -= secrets.length + folders.length;
    if (secrets.length + folders.length > 0) found.push({ projectId, projectName, secrets, folders });
  }
  return found;
}

async function foldersIn(
  ctx: Context,
  ability: Ability,
  projectId: string,
  search: string,
): Promise<FoundInProject['folders']> {
  const rows = await ctx.sql<{ environment: string; path: string }>(FOLDERS, [
    organizationOf(ctx),
    projectId,
    search,
    MOST_FOLDERS,
  ]);
  const sees = folderVisibility(ability);
  const seen = await filterInTurns(rows, ({ environment, path }) => sees({ environment, secretPath: path }));
  return [...Map.groupBy(seen, ({ path }) => path)].map(([path, some]) => ({
    path,
    environments: some.map(({ environment }) => environment),
  }));
}
