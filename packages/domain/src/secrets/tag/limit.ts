import { fewIn } from '../../kernel/index.ts';

/** @throws DomainError 400 `tag.too_many` */
export const requireFewTags = fewIn('project', { table: 'tags', most: 2_000, code: 'tag.too_many', of: 'tags' });
