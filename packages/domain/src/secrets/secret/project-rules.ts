import { organizationOf, type Gains, projectIdBySlug } from '../../access/index.ts';
import {
  badRequest,
  forbidden,
  isId,
  notFound,
  statement,
  type Context,
  type DomainError,
  type Permission,
  type Transaction,
} from '../../kernel/index.ts';
import type { SecretFields, Tag } from './row.ts';
import { secretPermissions } from './secret.ts';

const TAGS = statement(
  'secrets.tags',
  'select id, slug, color from tags where organization_id = $1 and project_id = $2 and id = any($3::uuid[]) order by slug for key share',
);
const CAPITALS = statement(
  'secrets.capitals',
  'select auto_capitalization as capitals from projects where organization_id = $1 and id = $2',
);

/**
 * Finds the tags of some secrets, ordered by slug, and locks them against renames and deletion; 404 for IDs outside of
 * the project.
 */
export async function findTags(
  tx: Transaction,
  projectId: string,
  tagIds: readonly string[],
): Promise<(ids: readonly string[] | undefined) => Tag[]> {
  const ids = [...new Set(tagIds)];
  if (ids.length === 0) return () => [];
  const tags = ids.every(isId) ? await tx.sql<Tag>(TAGS, [organizationOf(tx), projectId, ids]) : [];
  if (tags.length !== ids.length) throw notFound('tag');
  return (wanted) => {
    const chosen = new Set(wanted);
    return tags.filter((tag) => chosen.has(tag.id));
  };
}

/**
 * Rejects names with lower-case letters in projects that require upper case (400). Needs no query for names in upper
 * case.
 */
export async function requireCapitals(ctx: Context, projectId: string, names: readonly string[]): Promise<void> {
  const small = names.filter((name) => name !== name.toUpperCase());
  if (small.length === 0) return;
  const [project] = await ctx.sql<{ capitals: boolean }>(CAPITALS, [organizationOf(ctx), projectId]);
  if (project?.capitals)
    throw badRequest('secret.not_capital', 'Secret names in this project must be in capital letters', { names: small });
}

/** Rejects a batch with duplicate keys, because it is ambiguous. */
export function requireDistinct(keys: readonly string[]): void {
  const seen = new Set<string>();
  const twice = new Set(keys.filter((key) => seen.size === seen.add(key).size));
  if (twice.size > 0)
    throw badRequest('secret.duplicate_key', `A batch can name each secret only once: ${[...twice].join(', ')}`, {
      keys: [...twice],
    });
}

/**
 * Rejects (403) another location, name or tags under which some actor could do with a secret what the caller may not do
 * with it now, for these permissions: a change must not be a way around rules (see `Gains`).
 */
export function requireNoGainByFields(
  gains: Gains,
  permissions: readonly Permission[],
  before: SecretFields,
  after: SecretFields,
): void {
  const gained = permissions.find((one) => gains.gives(one, before, after));
  if (gained) throw gains.refusal(gained, gainByFields(gained, after), before);
}

function gainByFields(gained: Permission, { secretName }: SecretFields): DomainError {
  const refused = (code: string, what: string) =>
    forbidden(code, `After this change, others could ${what} ${secretName}, which you are not permitted to do now`, {
      name: 'PermissionDenied',
    });
  if (gained === secretPermissions.readValue) return refused('secret.change_reveals', 'read the value of');
  if (gained === secretPermissions.describeSecret) return refused('secret.change_reveals', 'see the details of');
  return refused('secret.change_gains', gained.action);
}

/**
 * The project of a legacy request: by ID, or by slug.
 *
 * @throws DomainError 400 if it has neither, 404 for an unknown slug.
 */
export async function projectIdOf(
  ctx: Context,
  { projectId, projectSlug }: { projectId?: string | undefined; projectSlug?: string | undefined },
): Promise<string> {
  if (projectId !== undefined) return projectId;
  if (projectSlug === undefined)
    throw badRequest('project.unnamed', 'The project is required: workspaceId or workspaceSlug');
  return projectIdBySlug(ctx, projectSlug);
}
