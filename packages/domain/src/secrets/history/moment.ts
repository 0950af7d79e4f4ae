import { badRequest, isId, notFound, statement, type Context } from '../../kernel/index.ts';
import { organizationOf } from '../../access/index.ts';
import type { Moment } from './history.ts';

const PRESENT = statement(
  'history.present',
  `select p.id, coalesce(r.revision, 0)::text as revision from projects p left join project_revisions r on r.project_id = p.id
   where p.organization_id = $1 and p.id = $2`,
);
const AT = statement(
  'history.at',
  `select revision::text as revision from commits where project_id = $1 and created_at <= $2
   order by created_at desc, revision desc limit 1`,
);

/**
 * The revision of a moment: the newest one that was committed until then.
 *
 * @throws DomainError 400 if both a time and a revision are given, or a future revision.
 */
export async function revisionAt(ctx: Context, projectId: string, { at, revision }: Moment): Promise<number> {
  const [project] = isId(projectId)
    ? await ctx.sql<{ revision: string }>(PRESENT, [organizationOf(ctx), projectId])
    : [];
  if (!project) throw notFound('project');
  const present = Number(project.revision);
  if (at !== undefined && revision !== undefined)
    throw badRequest('history.moment', 'Send either a time or a revision, not both');
  if (revision !== undefined && revision > present)
    throw badRequest('history.future', `The newest revision of this project is ${present}`, { revision: present });
  if (at === undefined) return revision ?? present;
  const [last] = await ctx.sql<{ revision: string }>(AT, [projectId, at]);
  return Number(last?.revision ?? 0);
}
