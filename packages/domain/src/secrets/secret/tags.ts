import { organizationOf } from '../../access/index.ts';
import { notFound, statement, type Context } from '../../kernel/index.ts';
import type { Tag } from './row.ts';
import type { Secret, SecretPlace } from './secret.ts';
import { updateOne } from './update.ts';

const TAGS_BY_SLUG = statement(
  'secrets.tags_by_slug',
  'select id, slug, color from tags where organization_id = $1 and project_id = $2 and slug = any($3::text[])',
);

export interface TagSecret extends SecretPlace {
  readonly secretName: string;
  readonly type: 'shared' | 'personal';
  readonly tagSlugs: readonly string[];
}

/** Puts tags on a secret (`attach`) or takes them off, by slug; 404 where the project has no such tag. */
export function tagSecret(ctx: Context, { tagSlugs, ...place }: TagSecret, attach: boolean): Promise<Secret> {
  return updateOne(ctx, place, async (tx, row) => {
    const slugs = [...new Set(tagSlugs)];
    const tags = await tx.sql<Tag>(TAGS_BY_SLUG, [organizationOf(tx), place.projectId, slugs]);
    if (tags.length !== slugs.length) throw notFound('tag');
    const others = (row.tags ?? []).filter((tag) => !slugs.includes(tag.slug));
    return { secretKey: row.key, tagIds: [...others, ...(attach ? tags : [])].map((tag) => tag.id) };
  });
}
