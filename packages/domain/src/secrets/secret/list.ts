import { abilityIn, organizationOf } from '../../access/index.ts';
import { eventOf, statement, type Ability, type Context, type KeySet } from '../../kernel/index.ts';
import { folderAt, rangeBelow } from '../folder/index.ts';
import { importedSecrets } from './imported.ts';
import { Resolver } from './reference/resolve.ts';
import { fieldsOf, personalOwner, SECRET_COLUMNS, toSecret, type SecretRow } from './row.ts';
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
const LIST = listStatement('secret.list', 'f.path = $4');
const LIST_BELOW = listStatement(
  'secret.list_below',
  '(f.path = $4 or (f.path >= $6 and f.path < $7)) and not f.is_reserved',
);

export interface SecretList {
  secrets: Secret[];
  /** What the folder imports, in the order of its imports; only where asked for. */
  imports?: ImportedSecrets[];
}

/**
 * The secrets of a folder, and of those below it where asked, as far as the caller may see them: one that it may not
 * see is left out, one whose value it may not read is shown without.
 *
 * @throws DomainError 404 where the caller is no member of the project, or the environment or folder does not exist.
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
  if (rows.length === 0) await folderAt(ctx, { projectId, environment, path: secretPath });
  const keys = await ctx.keys.project(organizationId, projectId);
  const visible = rows.filter((row) => mayDescribe(ability, row) && matches(row, input));
  const secrets = await showAll(ctx, keys, ability, visible, input);
  const imports = input.includeImports ? await listImported(ctx, keys, ability, input) : undefined;
  const numberOfSecrets = secrets.length + (imports?.reduce((sum, one) => sum + one.secrets.length, 0) ?? 0);
  await ctx.commitRead(eventOf(secretsRead, { environment, secretPath, numberOfSecrets }, { projectId }), ctx);
  return imports ? { secrets, imports } : { secrets };
}

const mayDescribe = (ability: Ability, row: SecretRow) =>
  row.user_id !== null || ability.can(secretPermissions.describeSecret, fieldsOf(row));
const mayRead = (ability: Ability, row: SecretRow) =>
  row.user_id !== null || ability.can(secretPermissions.readValue, fieldsOf(row));

function matches(row: SecretRow, { tagSlugs, metadataFilter }: ListSecrets): boolean {
  if (tagSlugs?.length && !row.tags?.some((tag) => tagSlugs.includes(tag.slug))) return false;
  // Sealed metadata is no search key: a filter on it would tell its value by trial.
  return (
    metadataFilter?.every(({ key, value }) =>
      row.metadata.some((pair) => pair.key === key && (value === undefined || pair.value === value)),
    ) ?? true
  );
}

async function showAll(
  ctx: Context,
  keys: KeySet,
  ability: Ability,
  rows: readonly SecretRow[],
  how: ListSecrets,
): Promise<Secret[]> {
  const readable = new Set(how.viewSecretValue ? rows.filter((row) => mayRead(ability, row)) : []);
  if (!how.expandSecretReferences || readable.size === 0)
    return rows.map((row) => toSecret(keys, row, { withValue: readable.has(row) }));
  const resolved = new Map<SecretRow, string>();
  await new Resolver(ctx, how.projectId, keys).resolve([...readable], (row, value) => resolved.set(row, value));
  return rows.map((row) => toSecret(keys, row, { withValue: readable.has(row), value: resolved.get(row)! }));
}

async function listImported(
  ctx: Context,
  keys: KeySet,
  ability: Ability,
  input: ListSecrets,
): Promise<ImportedSecrets[]> {
  const chain = await importedSecrets(ctx, input, (row) => mayDescribe(ability, row));
  const shown: ImportedSecrets[] = [];
  for (const { environment, secretPath, folderId, rows } of chain) {
    const secrets = await showAll(
      ctx,
      keys,
      ability,
      rows.filter((row) => matches(row, input)),
      input,
    );
    shown.push({ environment, secretPath, folderId, secrets });
  }
  return shown;
}
