import { EVENTUAL_MS, perKey, statement, type Context } from '../../kernel/index.ts';
import { revisionTag } from './commit.ts';

const PRESENT = statement(
  'commit.present',
  'select coalesce((select revision from project_revisions where project_id = $1), 0)::text as revision',
);

/**
 * The current revision of a project, as text, because it is a 64-bit number: `0` before its first change. Cached in
 * this process until it changes, which takes effect here immediately and for changes elsewhere within a second. Secrets
 * that are read after this have this revision or a later one. The rights of the caller are not checked.
 */
export async function revisionOf(ctx: Context, projectId: string): Promise<string> {
  const ask = async () => (await ctx.sql<{ revision: string }>(PRESENT, [projectId]))[0]!.revision;
  // A transaction sees its own uncommitted changes.
  if (ctx.outbox) return ask();
  const now = ctx.now().getTime();
  const loaded = await ctx.revisions.load(projectId, now, async () => ({
    value: await ask(),
    tags: [revisionTag(projectId)],
    until: now + EVENTUAL_MS,
  }));
  return loaded!;
}

const PRESENT_REVISIONS = perKey(
  'commit.present_revisions',
  { project_id: 'uuid' },
  'select p.revision::text from project_revisions p where p.project_id = w.project_id limit 1',
);

/** Whether a revision is the current one in the database, and not only as far as this process knows. */
export async function isPresentRevision(ctx: Context, projectId: string, revision: string): Promise<boolean> {
  const row = await ctx.one<{ revision: string }>(PRESENT_REVISIONS, [projectId]);
  return (row?.revision ?? '0') === revision;
}
