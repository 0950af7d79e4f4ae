import { organizationOf } from './access.ts';
import { notFound, statement, type Context } from '../kernel/index.ts';

const BY_SLUG = statement('project.by_slug', 'select id from projects where organization_id = $1 and slug = $2');

/**
 * The ID of the project with a slug in the caller's organization. The rights of the caller are not checked: for
 * non-members, the next check answers that the project does not exist.
 *
 * @throws DomainError 404 `project.not_found`.
 */
export async function projectIdBySlug(ctx: Context, slug: string): Promise<string> {
  const [project] = /^[a-z0-9_-]{1,64}$/.test(slug)
    ? await ctx.sql<{ id: string }>(BY_SLUG, [organizationOf(ctx), slug])
    : [];
  if (!project) throw notFound('project');
  return project.id;
}
