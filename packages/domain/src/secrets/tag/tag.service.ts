import { LockMode } from '@mikro-orm/core';
import { authorize, authorizeSlugChange, organizationOf } from '../../access/index.ts';
import {
  givenFields,
  authoredBy,
  explainConstraint,
  inTransaction,
  isId,
  newId,
  notFound,
  record,
  statement,
  type Context,
  type Transaction,
} from '../../kernel/index.ts';
import { touch } from '../commit/index.ts';
import { watchTag } from '../coverage/index.ts';
import { lockNames } from '../meaning/index.ts';
import { requireMayChangeTag } from '../secret/index.ts';
import { requireFewTags } from './limit.ts';
import { TagEntity } from './tag.entity.ts';
import {
  tagCreated,
  tagDeleted,
  tagPermissions,
  tagUpdated,
  type CreateTag,
  type NamedTag,
  type Tag,
  type TagById,
  type TagBySlug,
  type UpdateTag,
} from './tag.ts';

explainConstraint('tags_slug_unique', 'A tag with this slug already exists in the project');

const named = ({
  id,
  slug,
  color,
  createdAt,
  updatedAt,
  createdBy,
  createdByActorType,
  projectId,
}: TagEntity): NamedTag => ({
  id,
  slug,
  name: slug,
  color: color ?? null,
  createdAt,
  updatedAt,
  createdBy: createdBy ?? null,
  createdByActorType: createdByActorType ?? null,
  projectId,
});

/** The tags of a project, by slug. */
export async function listTags(ctx: Context, { projectId }: { projectId: string }): Promise<NamedTag[]> {
  await authorize(ctx, tagPermissions.read, { projectId });
  return (
    await ctx.em.find(TagEntity, { organizationId: organizationOf(ctx), projectId }, { orderBy: { slug: 'asc' } })
  ).map(named);
}

export async function getTag(ctx: Context, { projectId, tagId }: TagById): Promise<NamedTag> {
  await authorize(ctx, tagPermissions.read, { projectId });
  return named(await findTag(ctx, projectId, tagId));
}

export async function getTagBySlug(ctx: Context, { projectId, tagSlug }: TagBySlug): Promise<NamedTag> {
  await authorize(ctx, tagPermissions.read, { projectId });
  const tag = /^[a-z0-9-]+$/.test(tagSlug)
    ? await ctx.em.findOne(TagEntity, { organizationId: organizationOf(ctx), projectId, slug: tagSlug })
    : null;
  if (!tag) throw notFound('tag');
  return named(tag);
}

/** @throws DomainError 400 `tags_slug_unique` where the slug is taken. */
export async function createTag(ctx: Context, { projectId, slug, color }: CreateTag): Promise<Tag> {
  await authorize(ctx, tagPermissions.create, { projectId });
  return inTransaction(ctx, async (tx) => {
    const tag = tx.em.create(TagEntity, {
      id: newId(),
      organizationId: organizationOf(ctx),
      projectId,
      slug,
      color,
      ...authoredBy(tx.actor),
    });
    await tx.em.persist(tag).flush();
    await requireFewTags(tx, projectId);
    record(tx, tagCreated, { tagId: tag.id, slug }, { projectId });
    return named(tag);
  });
}

/**
 * Updates the given fields of a tag.
 *
 * @throws DomainError 400 `tags_slug_unique` if the slug exists, and if a change policy covers a secret with the tag
 * that gets another slug; 403 also if the caller could do more with a secret under the new slug, or could not create
 * each of them with a tag of that slug, and if a rule forbids the caller to create or delete tags.
 */
export async function updateTag(ctx: Context, { projectId, tagId, slug, color }: UpdateTag): Promise<Tag> {
  await authorize(ctx, tagPermissions.edit, { projectId });
  return inTransaction(ctx, async (tx) => {
    if (slug !== undefined) await lockNames(tx, 'exclusive', { projectId });
    const tag = await lockTag(tx, projectId, tagId);
    const previousSlug = tag.slug;
    if (slug !== undefined && slug !== tag.slug) {
      await requireMayChangeTag(tx, tag, slug);
      await authorizeSlugChange(tx, tagPermissions, { projectId, before: tag.slug, after: slug });
      await watchTag(tx, tag);
    }
    tx.em.assign(tag, { ...(slug !== undefined && { slug }), ...(color !== undefined && { color }) });
    await tx.em.flush();
    touch(tx, tag);
    const changed = givenFields({ slug, color });
    record(tx, tagUpdated, { tagId: tag.id, slug: tag.slug, previousSlug, changed }, { projectId });
    return named(tag);
  });
}

const UNTAG = statement(
  'tag.untag',
  `update secrets set tag_ids = array_remove(tag_ids, $2) where tag_ids @> array[$2::uuid] and tag_ids <> '{}' and project_id = $1`,
);

/**
 * Deletes a tag and removes it from every secret that has it.
 *
 * @throws DomainError 400 if a change policy covers such a secret; 403 also if the caller could do more with one
 * afterwards, or could not remove the tag from each of them.
 */
export async function deleteTag(ctx: Context, { projectId, tagId }: TagById): Promise<Tag> {
  await authorize(ctx, tagPermissions.delete, { projectId });
  return inTransaction(ctx, async (tx) => {
    await lockNames(tx, 'exclusive', { projectId });
    const tag = await lockTag(tx, projectId, tagId);
    await requireMayChangeTag(tx, tag);
    await watchTag(tx, tag);
    tx.em.remove(tag);
    await tx.em.flush();
    await tx.sql(UNTAG, [projectId, tag.id]);
    touch(tx, tag);
    record(tx, tagDeleted, { tagId: tag.id, slug: tag.slug }, { projectId });
    return named(tag);
  });
}

/** Until the transaction ends, no secret is given the tag either. */
const lockTag = (tx: Transaction, projectId: string, tagId: string): Promise<TagEntity> =>
  findTag(tx, projectId, tagId, { lockMode: LockMode.PESSIMISTIC_WRITE });

async function findTag(
  ctx: Context,
  projectId: string,
  tagId: string,
  options?: { lockMode: LockMode.PESSIMISTIC_WRITE },
): Promise<TagEntity> {
  const of = { organizationId: organizationOf(ctx), projectId };
  const tag = isId(tagId) ? await ctx.em.findOne(TagEntity, { id: tagId, ...of }, options) : null;
  if (!tag) throw notFound('tag');
  return tag;
}
