import { authorize } from '../../access/index.ts';
import { authoredBy, eachPortion, mapInTurns, record, statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireFewTags, tagCreated, TagEntity, tagPermissions } from '../tag/index.ts';
import type { PastSecretRow } from './past.ts';
import type { Tag } from './row.ts';

const DELETED = statement(
  'secret_versions.deleted_tags',
  `select v.id as "versionId", array_agg(g.id) as "tagIds" from secret_versions v cross join unnest(v.tag_ids) as g (id)
   where v.project_id = $1 and v.id = any($2::uuid[]) and not exists (select from tags t where t.id = g.id) group by v.id`,
);
const LAST_SLUGS = statement(
  'former_slugs.last',
  `select distinct on (thing_id) thing_id as id, slug from former_slugs
   where project_id = $1 and thing_id = any($2::uuid[]) order by thing_id, until_revision desc`,
);

/**
 * Secrets as they were, with their tags that have been deleted since: each is created again, with its ID and last slug, or is the one
 * that has this slug now. So rules about a tag count for what is restored. The names of the project are locked.
 *
 * @throws DomainError 403 without the permission to create tags; 400 `tag.too_many`
 */
export async function withDeletedTags(
  tx: Transaction,
  scope: Scope,
  rows: readonly PastSecretRow[],
): Promise<readonly PastSecretRow[]> {
  const deleted = new Map<string, readonly string[]>();
  const versionIds = await mapInTurns(rows, 1, (row) => row.versionId);
  await eachPortion(versionIds, async (portion) => {
    for (const { versionId, tagIds } of await tx.sql<{ versionId: string; tagIds: string[] }>(DELETED, [
      scope.projectId,
      portion,
    ]))
      deleted.set(versionId, tagIds);
  });
  if (deleted.size === 0) return rows;
  const again = await createAgain(tx, scope, [...new Set([...deleted.values()].flat())]);
  return mapInTurns(rows, 1, (row) => {
    const tags = new Map(row.tags?.map((tag) => [tag.id, tag]));
    for (const tag of (deleted.get(row.versionId) ?? []).flatMap((id) => again.get(id) ?? [])) tags.set(tag.id, tag);
    return { ...row, tags: tags.size === 0 ? null : [...tags.values()] };
  });
}

/** The tags that some deleted ones are now, by the IDs of these. */
async function createAgain(tx: Transaction, scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, Tag>> {
  const last = await tx.sql<{ id: string; slug: string }>(LAST_SLUGS, [scope.projectId, ids]);
  const slugs = last.map(({ slug }) => slug);
  const present = await tx.em.find(TagEntity, { ...scope, slug: { $in: slugs } });
  const bySlug = new Map(present.map((tag) => [tag.slug, tag]));
  const missing = last.filter(({ slug }) => !bySlug.has(slug));
  if (missing.length > 0) await authorize(tx, tagPermissions.create, { projectId: scope.projectId });
  for (const { id, slug } of missing) {
    if (bySlug.has(slug)) continue;
    bySlug.set(slug, tx.em.create(TagEntity, { id, ...scope, slug, color: '', ...authoredBy(tx.actor) }));
    record(tx, tagCreated, { tagId: id, slug }, { projectId: scope.projectId });
  }
  await tx.em.flush();
  await requireFewTags(tx, scope.projectId);
  return new Map(
    last.map(({ id: deletedId, slug }) => {
      const { id, color = null } = bySlug.get(slug)!;
      return [deletedId, { id, slug, color }];
    }),
  );
}
