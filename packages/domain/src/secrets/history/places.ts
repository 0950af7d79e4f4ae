import { organizationOf } from '../../access/index.ts';
import { isId, notFound, statement, type Context } from '../../kernel/index.ts';

export interface HistoricEnvironment {
  readonly id: string;
  readonly slug: string;
}

const ENVIRONMENTS = statement(
  'history.environments',
  `select id, slug from environments where organization_id = $1 and project_id = $2 and ($3::text is null or slug = $3)
   order by position`,
);

/** The environment with a slug, or all of a project; deleted environments have no history. */
export async function environmentsOf(
  ctx: Context,
  { projectId, environment }: { projectId: string; environment?: string | undefined },
): Promise<HistoricEnvironment[]> {
  const found = isId(projectId)
    ? await ctx.sql<HistoricEnvironment>(ENVIRONMENTS, [organizationOf(ctx), projectId, environment ?? null])
    : [];
  if (found.length === 0 && environment !== undefined) throw notFound('environment', { environment });
  return found;
}
