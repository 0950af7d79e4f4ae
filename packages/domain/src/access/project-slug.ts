import { organizationOf } from './access.ts';
import { notFound, statement, type Context } from '../kernel/index.ts';

const BY_SLUG = statement('project.by_slug', 'select id from projects where organization_id = $1 and slug = $2');

/**
 * The id of the project that has a slug in the caller's organization. Nothing is asked of the caller's rights: whoever is
 * no member of it is told by what comes next that there is no such project, in the same words.
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
