import { abilityIn, filterInTurns, organizationOf, projectPermissions } from '../../access/index.ts';
import {
  answerTooLarge,
  conflict,
  eventOf,
  MAX_ANSWER,
  SMALL_ANSWER,
  statement,
  WorkBudget,
  type Ability,
  type Context,
  type KeySet,
} from '../../kernel/index.ts';
import { folderToList, folderVisibility, rangeBelow } from '../folder/index.ts';
import { importedRows, type Imported } from './imported.ts';
import { placesRead } from './read-places.ts';
import { Resolver } from './reference/resolve.ts';
import {
  mayDescribe,
  mayReadValue,
  personalOwner,
  secretColumns,
  toSecret,
  valueUpTo,
  type ListedRow,
  type SecretRow,
  type Shown,
} from './row.ts';
import {
  secretPermissions,
  secretsRead,
  type ImportedSecrets,
  type ListSecrets,
  type ReadPlace,
  type Secret,
} from './secret.ts';
import { readValues } from './values.ts';

const listStatement = (name: string, folders: string, parameter: number) =>
  statement(
    name,
    `select ${secretColumns(valueUpTo(parameter))} from environments e
     join folders f on f.environment_id = e.id and ${folders}
     join secrets s on s.folder_id = f.id and (s.user_id is null or s.user_id = $5)
     where e.organization_id = $1 and e.project_id = $2 and e.slug = $3
     order by f.path, s.key, s.user_id nulls first`,
  );
const LIST = listStatement('secret.list', 'f.path = $4 and not f.is_reserved', 6);
const LIST_BELOW = listStatement(
  'secret.list_below',
  '(f.path = $4 or (f.path >= $6 and f.path < $7)) and not f.is_reserved',
  8,
);
export interface SecretList {
  secrets: Secret[];
  /** The imports of the folder, in order; only if requested. */
  imports?: ImportedSecrets[];
}

/** How often rows are read whose values change meanwhile. */
const ATTEMPTS = 3;

/**
 * The secrets of a folder, and optionally of its subfolders, as far as the caller may see them: invisible ones are
 * omitted, and those with an unreadable value have none. An unresolved reference is reported with its secret, without
 * failing others. Many large values are read after the process has memory for them.
 *
 * @throws DomainError 404 if the caller is not a member of the project, or the environment or folder does not exist;
 * 400 if its imports, or all values, exceed the limit of a response.
 */
export async function listSecrets(ctx: Context, input: ListSecrets): Promise<SecretList> {
  const { projectId, environment, secretPath } = input;
  let found = await findRows(ctx, input);
  if (found.lacksValues) {
    await ctx.announceAnswer(found.bytes);
    found = await findRows(ctx, input);
  }
  for (let attempt = 1; found.lacksValues && !(await readValues(ctx, found.readable)); attempt++) {
    if (attempt === ATTEMPTS)
      throw conflict('secret.list_changed', 'The secrets were changed while they were read: try again');
    found = await findRows(ctx, input);
  }
  const { visible, sources } = found;
  const resolver = input.expandSecretReferences ? new Resolver(ctx, projectId, found.keys) : undefined;
  const shown = await showAll(found, resolver);
  const secrets = shown.splice(0, visible.length);
  const imports = sources?.map(({ rows: some, ...source }) => ({ ...source, secrets: shown.splice(0, some.length) }));
  const numberOfSecrets = secrets.length + (imports?.reduce((sum, one) => sum + one.secrets.length, 0) ?? 0);
  const isRecursive = input.recursive ? { isRecursive: true } : {};
  const data = { environment, secretPath, ...isRecursive, numberOfSecrets, ...importsRead(imports), ...resolver?.read };
  await ctx.commitRead(eventOf(secretsRead, data, { projectId }), ctx);
  return imports ? { secrets, imports } : { secrets };
}

/** For the event: where what is imported was read. */
function importsRead(imports: readonly ImportedSecrets[] = []): { imports?: ReadPlace[] } {
  const places = imports.flatMap(({ environment, secretPath, secrets: { length: numberOfSecrets } }) =>
    numberOfSecrets > 0 ? { environment, secretPath, numberOfSecrets } : [],
  );
  return places.length > 0 ? { imports: placesRead(places) } : {};
}

/** Those that the caller may describe. */
interface Found {
  readonly keys: KeySet;
  /** Of the folder. */
  readonly visible: readonly ListedRow[];
  /** Its imports, if requested. */
  readonly sources: readonly Imported<ListedRow>[] | undefined;
  /** Of all these, in their order. */
  readonly all: readonly ListedRow[];
  /** Those whose values are part of the answer. */
  readonly readable: readonly ListedRow[];
  /** The size of these values. */
  readonly bytes: number;
  /** Whether some of these values are not read yet. */
  readonly lacksValues: boolean;
}

/** @throws DomainError 400 if the values are too large for an answer; they are not even read then. */
async function findRows(ctx: Context, input: ListSecrets): Promise<Found> {
  const { projectId, environment, secretPath } = input;
  const organizationId = organizationOf(ctx);
  const ability = await abilityIn(ctx, projectId);
  ctx.granted.add(secretPermissions.describeSecret.key);
  const owner = input.includePersonalOverrides ? personalOwner(ctx) : null;
  const where = [organizationId, projectId, environment, secretPath, owner];
  const maxBytes = input.viewSecretValue ? SMALL_ANSWER : 0;
  const rows = await (input.recursive
    ? ctx.sql<ListedRow>(LIST_BELOW, [...where, ...rangeBelow(secretPath), maxBytes])
    : ctx.sql<ListedRow>(LIST, [...where, maxBytes]));
  if (rows.length === 0) await folderToList(ctx, { projectId, environment, path: secretPath });
  const keys = await ctx.keys.project(organizationId, projectId);
  const visible = await matching(await filterInTurns(rows, (row) => mayDescribe(ability, row)), input);
  const sources = input.includeImports ? await matchingImports(ctx, ability, input, maxBytes) : undefined;
  const all = [...visible, ...(sources ?? []).flatMap((source) => source.rows)];
  const readable = input.viewSecretValue ? await filterInTurns(all, (row) => mayReadValue(ability, row)) : [];
  const bytes = readable.reduce((sum, row) => sum + row.valueBytes, 0);
  if (bytes > MAX_ANSWER) throw answerTooLarge();
  return { keys, visible, sources, all, readable, bytes, lacksValues: readable.some(({ value }) => value === null) };
}

/** The rows that pass the filters. */
async function matching(rows: readonly ListedRow[], input: ListSecrets): Promise<readonly ListedRow[]> {
  const { tagSlugs, metadataFilter } = input;
  if (!tagSlugs?.length && !metadataFilter?.length) return rows;
  const pace = new WorkBudget();
  const found: ListedRow[] = [];
  for (const row of rows) {
    if (matches(row, input)) found.push(row);
    await pace.spendAndRest(1 + (row.metadata?.length ?? 0) * (metadataFilter?.length ?? 0));
  }
  return found;
}

function matches(row: ListedRow, { tagSlugs, metadataFilter }: ListSecrets): boolean {
  if (tagSlugs?.length && !row.tags?.some((tag) => tagSlugs.includes(tag.slug))) return false;
  // Sealed metadata cannot be searched: a filter would disclose its value by trial.
  return (
    metadataFilter?.every(({ key, value }) =>
      row.metadata?.some((pair) => pair.key === key && (value === undefined || pair.value === value)),
    ) ?? true
  );
}

async function showAll({ keys, all, readable }: Found, resolver: Resolver | undefined): Promise<Secret[]> {
  const withValues = new Set(readable) as ReadonlySet<SecretRow>;
  const resolved = new Map<object, Pick<Shown, 'value' | 'errors'>>();
  if (resolver && withValues.size > 0)
    await resolver.resolve([...withValues], (row, value, errors) => resolved.set(row, { value, errors }));
  const pace = new WorkBudget();
  // A folder may import one source many times.
  const shown = new Map<ListedRow, Secret>();
  for (const row of all) {
    if (shown.has(row)) continue;
    const withValue = withValues.has(row as SecretRow);
    shown.set(row, toSecret(keys, row as SecretRow, { withValue, withDetails: true, ...resolved.get(row) }));
    // It may be large, and is not needed any more.
    row.value = null;
    pace.spend(SHOWING_COST + row.valueBytes / BYTES_OF_COST);
    if (pace.shouldYield) await pace.rest();
  }
  return all.map((row) => shown.get(row)!);
}

/** The cost of opening and returning a secret, and of so many bytes of its value. */
const SHOWING_COST = 20;
const BYTES_OF_COST = 1_000;

/**
 * The contribution of each import, in order. A source of which the caller sees nothing is named to those who may read the
 * imports of the folder, and whether it exists is said to nobody else.
 */
async function matchingImports(
  ctx: Context,
  ability: Ability,
  input: ListSecrets,
  maxBytes: number,
): Promise<Imported<ListedRow>[]> {
  const { environment, secretPath } = input;
  const chain = await importedRows(ctx, input, (row) => mayDescribe(ability, row), { maxBytes });
  // Compiled only where it matters.
  let sees: ReturnType<typeof folderVisibility> | undefined;
  const isSeen = (one: Imported<ListedRow>) =>
    one.rows.length > 0 ||
    (sees ??= folderVisibility(ability))({ environment: one.environment, secretPath: one.secretPath });
  const seen = new Set(await filterInTurns(chain, isSeen));
  const isNamed = ability.can(projectPermissions('secret-imports').read, { environment, secretPath });
  const shown = isNamed ? chain : [...seen];
  const passing = new Set(await matching([...new Set(shown.flatMap(({ rows }) => rows))], input));
  return shown.map((one) => ({
    ...one,
    folderId: seen.has(one) ? one.folderId : null,
    rows: one.rows.filter((row) => passing.has(row)),
  }));
}
