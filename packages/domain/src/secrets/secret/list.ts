import { abilityIn, filterInTurns, organizationOf } from '../../access/index.ts';
import {
  badRequest,
  eventOf,
  statement,
  WorkBudget,
  type Ability,
  type Context,
  type KeySet,
} from '../../kernel/index.ts';
import { folderAt, folderVisibility, rangeBelow } from '../folder/index.ts';
import { importedSecrets, type Imported } from './imported.ts';
import { Resolver } from './reference/resolve.ts';
import {
  mayDescribe,
  mayReadValue,
  personalOwner,
  SECRET_COLUMNS,
  toSecret,
  type SecretRow,
  type Shown,
} from './row.ts';
import { secretPermissions, secretsRead, type ImportedSecrets, type ListSecrets, type Secret } from './secret.ts';

const listStatement = (name: string, folders: string) =>
  statement(
    name,
    `select ${SECRET_COLUMNS} from environments e
     join folders f on f.environment_id = e.id and ${folders}
     join secrets s on s.folder_id = f.id and (s.user_id is null or s.user_id = $5)
     where e.organization_id = $1 and e.project_id = $2 and e.slug = $3
     order by f.path, s.key, s.user_id nulls first`,
  );
const LIST = listStatement('secret.list', 'f.path = $4 and not f.is_reserved');
const LIST_BELOW = listStatement(
  'secret.list_below',
  '(f.path = $4 or (f.path >= $6 and f.path < $7)) and not f.is_reserved',
);

export interface SecretList {
  secrets: Secret[];
  /** The imports of the folder, in order; only if requested. */
  imports?: ImportedSecrets[];
}

/**
 * The secrets of a folder, and optionally of its subfolders, as far as the caller may see them: invisible ones are
 * omitted, and those with an unreadable value have none. An unresolved reference is reported with its secret, without
 * failing others.
 *
 * @throws DomainError 404 if the caller is not a member of the project, or the environment or folder does not exist;
 * 400 if its imports exceed the limit of a response.
 */
export async function listSecrets(ctx: Context, input: ListSecrets): Promise<SecretList> {
  const { projectId, environment, secretPath } = input;
  const organizationId = organizationOf(ctx);
  const ability = await abilityIn(ctx, projectId);
  ctx.granted.add(secretPermissions.describeSecret.key);
  const owner = input.includePersonalOverrides ? personalOwner(ctx) : null;
  const where = [organizationId, projectId, environment, secretPath, owner];
  const rows = await (input.recursive
    ? ctx.sql<SecretRow>(LIST_BELOW, [...where, ...rangeBelow(secretPath)])
    : ctx.sql<SecretRow>(LIST, where));
  // A caller that sees nothing there gets the same empty list for existing and missing folders.
  if (rows.length === 0 && folderVisibility(ability)({ environment, secretPath }))
    await folderAt(ctx, { projectId, environment, path: secretPath });
  const keys = await ctx.keys.project(organizationId, projectId);
  const visible = await filterInTurns(rows, (row) => mayDescribe(ability, row) && matches(row, input));
  const sources = input.includeImports ? await matchingImports(ctx, ability, input) : undefined;
  const all = [...visible, ...(sources ?? []).flatMap((source) => source.rows)];
  const shown = await showAll(keys, ability, all, input, new Resolver(ctx, projectId, keys));
  const secrets = shown.splice(0, visible.length);
  const imports = sources?.map(({ rows: some, ...source }) => ({ ...source, secrets: shown.splice(0, some.length) }));
  const numberOfSecrets = secrets.length + (imports?.reduce((sum, one) => sum + one.secrets.length, 0) ?? 0);
  await ctx.commitRead(eventOf(secretsRead, { environment, secretPath, numberOfSecrets }, { projectId }), ctx);
  return imports ? { secrets, imports } : { secrets };
}

function matches(row: SecretRow, { tagSlugs, metadataFilter }: ListSecrets): boolean {
  if (tagSlugs?.length && !row.tags?.some((tag) => tagSlugs.includes(tag.slug))) return false;
  // Sealed metadata cannot be searched: a filter would disclose its value by trial.
  return (
    metadataFilter?.every(({ key, value }) =>
      row.metadata?.some((pair) => pair.key === key && (value === undefined || pair.value === value)),
    ) ?? true
  );
}

/** Those that the caller may describe. */
async function showAll(
  keys: KeySet,
  ability: Ability,
  rows: readonly SecretRow[],
  how: ListSecrets,
  resolver: Resolver,
): Promise<Secret[]> {
  const readable = new Set(how.viewSecretValue ? await filterInTurns(rows, (row) => mayReadValue(ability, row)) : []);
  const resolved = new Map<SecretRow, Pick<Shown, 'value' | 'errors'>>();
  if (how.expandSecretReferences && readable.size > 0)
    await resolver.resolve([...readable], (row, value, errors) => resolved.set(row, { value, errors }));
  const pace = new WorkBudget();
  const shown: Secret[] = [];
  for (const row of rows) {
    shown.push(toSecret(keys, row, { withValue: readable.has(row), withDetails: true, ...resolved.get(row) }));
    pace.spend(SHOWING_COST);
    if (pace.shouldYield) await pace.rest();
  }
  return shown;
}

/** The cost of opening and returning a secret. */
const SHOWING_COST = 20;

/** Maximum number of imported secrets in one response: a folder may import one source many times. */
const MAX_IMPORTED = 100_000;

/** The contribution of each import, in order, if requested. */
async function matchingImports(ctx: Context, ability: Ability, input: ListSecrets): Promise<Imported[]> {
  const chain = await importedSecrets(ctx, input, (row) => mayDescribe(ability, row));
  const matching = chain.map((one) => ({ ...one, rows: one.rows.filter((row) => matches(row, input)) }));
  if (matching.reduce((sum, { rows }) => sum + rows.length, 0) > MAX_IMPORTED)
    throw badRequest('secret_import.too_many', `The imports contain more than ${MAX_IMPORTED} secrets`);
  return matching;
}
