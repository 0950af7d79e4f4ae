import { authorize } from '../../access/index.ts';
import { authoredBy, record, statement, type Transaction } from '../../kernel/index.ts';
import type { Scope } from '../commit/index.ts';
import { requireFewTags } from './limit.ts';
import { TagEntity } from './tag.entity.ts';
import { tagCreated, tagPermissions } from './tag.ts';

const LAST = statement(
  'tags.last',
  `select distinct on (thing_id) thing_id as id, slug, color from former_slugs
   where project_id = $1 and thing_id = any($2::uuid[]) order by thing_id, until_revision desc`,
);

interface TagAgain {
  readonly id: string;
  readonly slug: string;
  readonly color: string | null;
}

/**
 * What some deleted tags are now, by their IDs: each is created again, with its ID, last slug and last color, or is the one that has
 * this slug now. The names of the project are locked.
 *
 * @throws DomainError 403 without the permission to create tags; 400 `tag.too_many`
 */
export async function createTagsAgain(
  tx: Transaction,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TagAgain>> {
  const { projectId } = scope;
  const last = await tx.sql<TagAgain>(LAST, [projectId, ids]);
  const present = await tx.em.find(TagEntity, { ...scope, slug: { $in: last.map(({ slug }) => slug) } });
  const bySlug = new Map(present.map((tag) => [tag.slug, tag]));
  const missing = last.filter(({ slug }) => !bySlug.has(slug));
  if (missing.length > 0) await authorize(tx, tagPermissions.create, { projectId });
  for (const { id, slug, color } of missing) {
    if (bySlug.has(slug)) continue;
    bySlug.set(slug, tx.em.create(TagEntity, { id, ...scope, slug, color: color ?? '', ...authoredBy(tx.actor) }));
    record(tx, tagCreated, { tagId: id, slug }, { projectId });
  }
  await tx.em.flush();
  if (missing.length > 0) await requireFewTags(tx, projectId);
  return new Map(
    last.map(({ id: deletedId, slug }) => {
      const { id, color = null } = bySlug.get(slug)!;
      return [deletedId, { id, slug, color }];
    }),
  );
}
