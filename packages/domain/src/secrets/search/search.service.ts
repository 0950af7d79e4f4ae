import { abilityIn, allowsNothing, filterInTurns, organizationOf } from '../../access/index.ts';
import { eventOf, statement, type Ability, type Context } from '../../kernel/index.ts';
import { fieldsOf, secretPermissions, TAGS_OF_SECRET, type SecretRow } from '../secret/index.ts';
import { secretsSearched, type FoundSecret, type SearchSecrets } from './search.ts';

const NAME = `(lower(s.key) collate "C")`;
const WANTED = 'lower($3)';

/**
 * A statement for the next secrets in the order of their names in lower case. The index has these names, so that no row is
 * read but those that are found: with 100,000 secrets a search that finds few takes some tens of milliseconds.
 */
const finding = (name: string, condition: string) =>
  statement(
    name,
    `select s.id, s.user_id as "userId", s.key, e.slug as environment, f.path, f.is_reserved as "isCopy", ${TAGS_OF_SECRET} as tags, n.name
     from (
       select s.id, ${NAME} as name from secrets s
       where s.project_id = $2 and s.user_id is null and s.key <> '' and ${condition}
         and (${NAME}, s.id) > ($4::text collate "C", $5::uuid)
       order by ${NAME}, s.id limit $6
     ) n
     join secrets s on s.id = n.id join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
     where s.organization_id = $1 order by n.name, n.id`,
  );

/** Names that begin with the text come first: all of it is typed sooner or later. */
const ORDER = [
  finding(
    'secrets.search_beginnings',
    `${NAME} >= ${WANTED} and ${NAME} < ${WANTED} || chr(1114111) and strpos(lower(s.key), ${WANTED}) = 1`,
  ),
  finding('secrets.search_parts', `strpos(lower(s.key), ${WANTED}) > 1`),
];

type FoundRow = Pick<SecretRow, 'id' | 'userId' | 'key' | 'environment' | 'path' | 'tags'> & {
  name: string;
  /** Of a replication. */
  isCopy: boolean;
};

const FIRST = { name: '', id: '00000000-0000-0000-0000-000000000000' };
/** Rows of a statement, where the caller may not describe all of the first ones. */
const PORTION = 2_000;

/**
 * The shared secrets with a part of their name, in all environments and folders of a project, as far as the caller may
 * describe them.
 *
 * @throws DomainError 404 if the caller is not a member of the project.
 */
export async function searchSecrets(ctx: Context, input: SearchSecrets): Promise<FoundSecret[]> {
  const ability = await abilityIn(ctx, input.projectId);
  ctx.granted.add(secretPermissions.describeSecret.key);
  const shown = await findSecrets(ctx, ability, input);
  await recordSearch(ctx, input.projectId, shown.length);
  return shown;
}

export const recordSearch = (ctx: Context, projectId: string, numberOfSecrets: number): Promise<void> =>
  ctx.commitRead(eventOf(secretsSearched, { numberOfSecrets }, { projectId }), ctx);

/** The same without its event. `ability`: of the caller in the project. */
export async function findSecrets(
  ctx: Context,
  ability: Ability,
  { projectId, search, limit }: SearchSecrets,
): Promise<FoundSecret[]> {
  const found: FoundRow[] = [];
  if (allowsNothing(ability, secretPermissions.describeSecret)) return [];
  for (const next of ORDER) {
    let most = limit - found.length;
    for (let after = FIRST; found.length < limit; most = PORTION) {
      const where = [organizationOf(ctx), projectId, search, after.name, after.id, most];
      const rows = await ctx.sql<FoundRow>(next, where);
      found.push(
        ...(await filterInTurns(
          rows,
          (row) => !row.isCopy && ability.can(secretPermissions.describeSecret, fieldsOf(row)),
        )),
      );
      if (rows.length < most) break;
      after = rows.at(-1)!;
    }
  }
  return found
    .slice(0, limit)
    .map(({ id, key, environment, path }) => ({ id, secretKey: key, environment, secretPath: path }));
}
