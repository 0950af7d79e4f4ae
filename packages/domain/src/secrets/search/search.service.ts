import { abilityIn, allowsAll, allowsNothing, filterInTurns, organizationOf } from '../../access/index.ts';
import { eventOf, listOf, perKey, statement, type Ability, type Context } from '../../kernel/index.ts';
import { fieldsOf, secretPermissions, TAGS_OF_SECRET, type SecretRow } from '../secret/index.ts';
import { secretsSearched, type FoundSecret, type SearchSecrets } from './search.ts';

const NAME = `(lower(s.key) collate "C")`;

/** The SQL of what a search is for. */
interface Wanted {
  readonly organization: string;
  readonly project: string;
  readonly search: string;
  readonly most: string;
  /** The name and the ID of the one before. */
  readonly after?: string;
}

/** The SQL of the next secrets in the order of their names in lower case, which an index has. */
const next = (
  columns: string,
  condition: (lowerCase: string) => string,
  { project, search, most, after }: Wanted,
): string =>
  `select ${columns}, ${NAME} as name from secrets s
   where s.project_id = ${project} and s.user_id is null and s.key <> '' and ${condition(`lower(${search})`)}
     ${after === undefined ? '' : `and (${NAME}, s.id) > ${after}`}
   order by ${NAME}, s.id limit ${most}`;

/** Those whose name begins with the text: none is read that is not found. */
const beginning = (wanted: Wanted): string =>
  next('s.*', (text) => `${NAME} >= ${text} and ${NAME} < ${text} || chr(1114111)`, wanted);

/**
 * Those that have it further on: all names of the project are read from the index, and no row but those that are found. With
 * 100,000 secrets a search that finds few takes some tens of milliseconds.
 */
const withPart = (wanted: Wanted): string =>
  `select s.*, n.name from (${next('s.id', (text) => `strpos(lower(s.key), ${text}) > 1`, wanted)}) n join secrets s on s.id = n.id`;

const located = (secrets: (wanted: Wanted) => string, wanted: Wanted): string =>
  `select s.id, s.key, e.slug as environment, f.path, f.is_reserved as "isCopy", ${TAGS_OF_SECRET} as tags, s.name
   from (${secrets(wanted)}) s join folders f on f.id = s.folder_id join environments e on e.id = f.environment_id
   where s.organization_id = ${wanted.organization} order by s.name, s.id`;

const OF_KEY = { organization: 'w.organization_id', project: 'w.project_id', search: 'w.search', most: 'w.most' };
const OF_CALL = {
  ...{ organization: '$1', project: '$2', search: '$3' },
  ...{ after: '($4::text collate "C", $5::uuid)', most: '$6' },
};
/** The first ones, which concurrent calls share: no more is read than is found. */
const FIRST_BEGINNINGS = perKey(
  'secrets.search_first',
  { organization_id: 'uuid', project_id: 'uuid', search: 'text', most: 'integer' },
  `select ${listOf(located(beginning, OF_KEY))} as rows`,
);
const BEGINNINGS = statement('secrets.search_beginnings', located(beginning, OF_CALL));
const PARTS = statement('secrets.search_parts', located(withPart, OF_CALL));
/** Names that begin with the text come first: all of it is typed sooner or later. */
const ORDER = [BEGINNINGS, PARTS];

type FoundRow = Pick<SecretRow, 'id' | 'key' | 'environment' | 'path' | 'tags'> & {
  name: string;
  /** Of a replication. */
  isCopy: boolean;
};

const START = { name: '', id: '00000000-0000-0000-0000-000000000000' };
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
  const { describeSecret } = secretPermissions;
  if (allowsNothing(ability, describeSecret)) return [];
  const seesAll = allowsAll(ability, describeSecret);
  const isFound = (row: FoundRow) =>
    !row.isCopy && (seesAll || ability.can(describeSecret, fieldsOf({ ...row, userId: null })));
  const place = [organizationOf(ctx), projectId, search];
  for (const asked of ORDER) {
    let most = limit - found.length;
    for (let after = START; found.length < limit; most = PORTION) {
      const isFirst = asked === BEGINNINGS && after === START;
      const rows = isFirst
        ? (await ctx.one<{ rows: FoundRow[] }>(FIRST_BEGINNINGS, [...place, most]))!.rows
        : await ctx.sql<FoundRow>(asked, [...place, after.name, after.id, most]);
      found.push(...(await filterInTurns(rows, isFound)));
      if (rows.length < most) break;
      after = rows.at(-1)!;
    }
  }
  return found
    .slice(0, limit)
    .map(({ id, key, environment, path }) => ({ id, secretKey: key, environment, secretPath: path }));
}
