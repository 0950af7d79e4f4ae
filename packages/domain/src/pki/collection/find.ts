import { isId, notFound, statement, type Context } from '../../kernel/index.ts';

export const COLLECTION = 'pki collection';

const IN_PROJECT = statement(
  'pki_collections.in_project',
  'select 1 from pki_collections where organization_id = $1 and project_id = $2 and id = $3',
);

/** @throws DomainError 404 if the project has no such collection. The caller's permission is not checked. */
export async function requireCollectionIn(
  ctx: Context,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  id: string,
): Promise<void> {
  const known = isId(id) ? await ctx.sql(IN_PROJECT, [organizationId, projectId, id]) : [];
  if (known.length === 0) throw notFound(COLLECTION);
}
