import { abilityIn, filterInTurns, organizationOf } from '../../access/index.ts';
import { at, eventOf, notFound, statement, type Ability, type Context } from '../../kernel/index.ts';
import { folderPermissions, folderVisibility, foldersAcross, rightsToSome } from '../folder/index.ts';
import {
  namedTags,
  personalOwner,
  rotationOf,
  secretPermissions,
  secretsRead,
  TAGS_OF_SECRET,
} from '../secret/index.ts';
import { importedNames, type ImportedNames } from './imported-names.ts';
import type { Overview, ReadOverview } from './overview.ts';

/** What rules look at, of all secrets of the folder, in one value for each environment: many rows cost more than the rest. */
const NAMES = statement(
  'secrets.overview_names',
  `select e.id, e.slug, e.name, e.position, f.id is not null as "hasFolder", n.names, n.tagged,
     case when n.tagged is not null then
       (select json_object_agg(t.id, t.slug) from tags t where t.project_id = e.project_id) end as tags
   from environments e
   left join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
   cross join lateral (
     select json_agg(s.key order by s.key collate "C") as names,
        json_object_agg(s.key, to_json(s.tag_ids)) filter (where s.tag_ids <> '{}') as tagged
     from secrets s where s.folder_id = f.id and s.user_id is null) n
   where e.organization_id = $1 and e.project_id = $2 and ($3::text[] is null or e.slug = any($3::text[]))
   order by e.position, e.id`,
);

interface NamesRow {
  id: string;
  slug: string;
  name: string;
  position: number;
  hasFolder: boolean;
  names: string[] | null;
  /** The IDs of the tags of those that have some. */
  tagged: Record<string, string[]> | null;
  /** The slugs of the tags of the project, by ID. */
  tags: Record<string, string> | null;
}

const DETAILS = statement(
  'secrets.overview_details',
  `select e.slug as environment, s.id, s.key, s.version, s.comment is not null as "hasComment", s.rotation_id as "rotationId",
     s.updated_at as "updatedAt",
     exists (select 1 from secrets p where p.folder_id = s.folder_id and p.key = s.key and p.user_id = $6) as "hasPersonalValue",
     ${TAGS_OF_SECRET} as tags
   from environments e
   join folders f on f.environment_id = e.id and f.path = $4 and not f.is_reserved
   join secrets s on s.folder_id = f.id and s.key = any($5::text[]) and s.user_id is null
   where e.organization_id = $1 and e.project_id = $2 and e.slug = any($3::text[])
   order by e.position, e.id`,
);

interface DetailsRow {
  environment: string;
  id: string;
  key: string;
  version: number;
  hasComment: boolean;
  rotationId: string | null;
  updatedAt: string;
  hasPersonalValue: boolean;
  tags: Parameters<typeof namedTags>[0] | null;
}

/**
 * The keys of a folder with the environments in which they are, a page at a time, and the folders in it: what
 * `listSecrets` and `listFolders` show of each environment, without values, and what the caller may do with it. What only filters and rules need is read of all
 * secrets, the rest of those on the page.
 *
 * @throws DomainError 404 if the caller is not a member of the project, for an unknown environment, and if no environment
 * in which the caller may see one at its path has the folder, unless something below it is shown in another one.
 */
export async function readOverview(ctx: Context, input: ReadOverview): Promise<Overview> {
  const { projectId, secretPath } = input;
  const organizationId = organizationOf(ctx);
  const ability = await abilityIn(ctx, projectId);
  ctx.granted.add(secretPermissions.describeSecret.key);
  const asked = input.environments?.length ? input.environments : null;
  const rows = await ctx.sql<NamesRow>(NAMES, [organizationId, projectId, asked, secretPath]);
  const slugs = rows.map(({ slug }) => slug);
  const unknown = asked?.filter((slug) => !slugs.includes(slug)) ?? [];
  if (unknown.length > 0) throw notFound('environment', { environments: unknown });
  const folders = await foldersAcross(ctx, ability, { projectId, environments: slugs, path: secretPath });
  const isMissing = folders.length === 0 && lacksFolder(ability, rows, secretPath);
  const isWanted = filterOf(input);
  const visible = await visibleIn(ability, rows, secretPath, isMissing ? () => true : isWanted);
  if (isMissing && visible.length === 0) throw notFound('folder', { path: secretPath });

  // Quick, because there is one run in order for each environment.
  const imported = await importedNames(ctx, ability, input, slugs, (key) => isWanted({ key, tags: [] }));
  const own = visible.filter(isWanted).map(({ key }) => key);
  const keys = [...new Set([...own, ...imported.keys])].toSorted();
  const page = keys.slice(input.offset, input.offset + input.limit);
  const existing = rows.flatMap(({ slug, hasFolder }) => (hasFolder ? slug : []));
  const place = { organizationId, projectId, secretPath, existing };
  const secrets = await detailsOf(ctx, ability, place, slugs, page, imported);
  const matches = matcher(input.search);
  const shown = secrets.flatMap(({ environments }) => environments);
  await Promise.all(
    slugs.map((environment) => {
      const numberOfSecrets = shown.filter((one) => one.environment === environment).length;
      return ctx.commitRead(eventOf(secretsRead, { environment, secretPath, numberOfSecrets }, { projectId }), ctx);
    }),
  );
  return {
    environments: rows.map(({ id, slug, name, position, hasFolder }) => ({
      ...{ id, slug, name, position },
      may: rightsIn(ability, { environment: slug, secretPath }, hasFolder),
    })),
    folders: folders.filter(({ name }) => matches(name)),
    secrets,
    totalCount: keys.length,
  };
}

function rightsIn(
  ability: Ability,
  place: { environment: string; secretPath: string },
  hasFolder: boolean,
): Overview['environments'][number]['may'] {
  return {
    createSecrets: hasFolder && rightsToSome(ability).can(secretPermissions.create, place),
    createFolders: ability.can(folderPermissions.create, place),
    editFolders: ability.can(folderPermissions.edit, place),
    deleteFolders: ability.can(folderPermissions.delete, place),
  };
}

/** A caller that sees nothing at this path gets the same empty overview for existing and missing folders. */
function lacksFolder(ability: Ability, rows: readonly NamesRow[], secretPath: string): boolean {
  const sees = folderVisibility(ability);
  const visible = rows.filter(({ slug }) => sees({ environment: slug, secretPath }));
  return visible.length > 0 && visible.every(({ hasFolder }) => !hasFolder);
}

function matcher(search = ''): (name: string) => boolean {
  const part = search.trim().toLowerCase();
  return (name) => name.toLowerCase().includes(part);
}

/** A secret of one environment, as far as filters and rules look at it. */
interface NamedSecret {
  readonly key: string;
  readonly tags: readonly string[];
}

/** Whether a secret passes the filters of a call. */
function filterOf({ search, tagSlugs, keys }: ReadOverview): (secret: NamedSecret) => boolean {
  const matches = matcher(search);
  const wanted = tagSlugs?.length ? new Set(tagSlugs) : undefined;
  const named = keys && new Set(keys);
  return ({ key, tags }) =>
    named?.has(key) !== false && matches(key) && (!wanted || tags.some((slug) => wanted.has(slug)));
}

/** The secrets that pass a filter, and that the caller may describe, by environment. */
async function visibleIn(
  ability: Ability,
  rows: readonly NamesRow[],
  secretPath: string,
  isWanted: (secret: NamedSecret) => boolean,
): Promise<NamedSecret[]> {
  const all: NamedSecret[] = [];
  for (const { slug: environment, names, tagged, tags: slugs } of rows) {
    // Names may be those of prototypes.
    const tagsOf = new Map(
      Object.entries(tagged ?? {}).map(([key, ids]) => [key, ids.flatMap((id) => slugs?.[id] ?? [])]),
    );
    const secrets = (names ?? []).map((key): NamedSecret => ({ key, tags: tagsOf.get(key) ?? [] }));
    const visible = await filterInTurns(secrets, (secret) => {
      if (!isWanted(secret)) return false;
      const fields = { environment, secretPath, secretName: secret.key, secretTags: [...secret.tags] };
      return ability.can(secretPermissions.describeSecret, fields);
    });
    for (const secret of visible) all.push(secret);
  }
  return all;
}

/** What is on the page, as it is now: it may have changed since its names were read. */
async function detailsOf(
  ctx: Context,
  ability: Ability,
  place: { organizationId: string; projectId: string; secretPath: string; existing: readonly string[] },
  slugs: readonly string[],
  keys: readonly string[],
  imported: ImportedNames,
): Promise<Overview['secrets']> {
  const { organizationId, projectId, secretPath, existing } = place;
  const fieldsOf = ({ environment, key, tags }: DetailsRow) => ({
    environment,
    secretPath,
    secretName: key,
    secretTags: tags?.map(({ slug }) => slug) ?? [],
  });
  const rows = await ctx.sql<DetailsRow>(DETAILS, [
    organizationId,
    projectId,
    slugs,
    secretPath,
    keys,
    personalOwner(ctx),
  ]);
  const visible = await filterInTurns(rows, (row) => ability.can(secretPermissions.describeSecret, fieldsOf(row)));
  const readable = new Set(
    await filterInTurns(visible, (row) => ability.can(secretPermissions.readValue, fieldsOf(row))),
  );
  const byKey = Map.groupBy(visible, (row) => row.key);
  return keys.flatMap((secretKey) => {
    const environments = (byKey.get(secretKey) ?? []).map((row) => ({
      environment: row.environment,
      id: row.id,
      version: row.version,
      secretValueHidden: !readable.has(row),
      hasPersonalValue: row.hasPersonalValue,
      hasComment: row.hasComment,
      tags: namedTags(row.tags ?? []),
      ...rotationOf(row),
      updatedAt: at(row.updatedAt),
      mayEdit: ability.can(secretPermissions.edit, fieldsOf(row)),
      mayDelete: ability.can(secretPermissions.delete, fieldsOf(row)),
    }));
    const own = new Set(environments.map(({ environment }) => environment));
    const others = imported.of(secretKey).filter(({ environment }) => !own.has(environment));
    if (environments.length + others.length === 0) return [];
    const fields = { secretPath, secretName: secretKey, secretTags: [] };
    const mayCreateIn = existing.filter(
      (environment) => !own.has(environment) && ability.can(secretPermissions.create, { environment, ...fields }),
    );
    return [{ secretKey, environments, imported: others, mayCreateIn }];
  });
}
