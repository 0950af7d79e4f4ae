import { EVENTUAL_MS, statement, type Context } from '../../kernel/index.ts';
import { revisionTag } from './commit.ts';

const PRESENT = statement(
  'commit.present',
  'select coalesce((select revision from project_revisions where project_id = $1), 0)::text as revision',
);

/**
 * The present revision of a project, as text, since it is a 64-bit number: `0` before its first change. It is kept in
 * this process until it moves, which is seen here at once and from elsewhere within a second. Who reads secrets after
 * this has what they were at this revision or later. Nothing is asked of the caller's rights.
 */
export async function revisionOf(ctx: Context, projectId: string): Promise<string> {
  const ask = async () => (await ctx.sql<{ revision: string }>(PRESENT, [projectId]))[0]!.revision;
  // A transaction sees its own changes, which nobody else may see yet.
  if (ctx.outbox) return ask();
  const now = ctx.now().getTime();
  const loaded = await ctx.revisions.load(projectId, now, async () => ({
    value: await ask(),
    tags: [revisionTag(projectId)],
    until: now + EVENTUAL_MS,
  }));
  return loaded!;
}
