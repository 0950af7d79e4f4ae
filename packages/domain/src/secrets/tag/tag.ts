import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { defineEvent, defineUpdate, Id, Instant, slug, text, Uuid } from '../../kernel/schema.ts';

export const tagPermissions = projectPermissions('tags');

/** A tag as a change of it is answered; see `NamedTag`. */
export const Tag = z.object({
  id: Uuid,
  slug: z.string(),
  color: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  createdBy: z.string().nullable(),
  createdByActorType: z.string().nullable(),
  projectId: Uuid,
});
export type Tag = z.output<typeof Tag>;

/** A published tag: its name is the slug. */
export const NamedTag = Tag.extend({ name: z.string() });
export type NamedTag = z.output<typeof NamedTag>;

const TagSlug = slug(1, 64).describe('Unique in the project');
const color = text(64);

export const CreateTag = z.object({ projectId: Id, slug: TagSlug, color });
export type CreateTag = z.output<typeof CreateTag>;

export const UpdateTag = z.object({ projectId: Id, tagId: Id, slug: TagSlug.optional(), color: color.optional() });
export type UpdateTag = z.output<typeof UpdateTag>;

export const TagById = z.object({ projectId: Id, tagId: Id });
export type TagById = z.output<typeof TagById>;

export const TagBySlug = z.object({ projectId: Id, tagSlug: z.string().trim() });
export type TagBySlug = z.output<typeof TagBySlug>;

const data = z.object({ tagId: z.string(), slug: z.string() });
export const tagCreated = defineEvent('tag.created', 'create-tag', data);
export const tagUpdated = defineUpdate('tag.updated', 'update-tag', data.extend({ previousSlug: z.string() }));
export const tagDeleted = defineEvent('tag.deleted', 'delete-tag', data);
