import {
  createTag,
  CreateTag,
  deleteTag,
  getTag,
  getTagBySlug,
  Id,
  listTags,
  NamedTag,
  Tag,
  TagById,
  TagBySlug,
  tagPermissions,
  updateTag,
  UpdateTag,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const ofProject = z.object({ projectId: Id });
const One = z.object({ workspaceTag: Tag });
/** Clients of the newer paths read either key. */
const Created = One.extend({ tag: Tag });
const Read = z.object({ workspaceTag: NamedTag });
const Many = z.object({ workspaceTags: z.array(NamedTag) });

export const tagRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/tags', tagPermissions.read, 'List the tags of a project', {
        aliases: ['/api/v1/workspace/{projectId}/tags'],
      }),
    )
    .input(ofProject)
    .output(Many)
    .query(async ({ ctx, input }) => ({ workspaceTags: await listTags(ctx, input) })),
  create: procedure
    .meta(rest('POST', '/api/v1/projects/{projectId}/tags', tagPermissions.create, 'Create a tag'))
    .input(CreateTag)
    .output(Created)
    .mutation(async ({ ctx, input }) => {
      const tag = await createTag(ctx, input);
      return { workspaceTag: tag, tag };
    }),
  createV1: procedure
    .meta(rest('POST', '/api/v1/workspace/{projectId}/tags', tagPermissions.create, 'Create a tag'))
    .input(CreateTag)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ workspaceTag: await createTag(ctx, input) })),
  get: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/tags/{tagId}', tagPermissions.read, 'Read a tag', {
        aliases: ['/api/v1/workspace/{projectId}/tags/{tagId}'],
      }),
    )
    .input(TagById)
    .output(Read)
    .query(async ({ ctx, input }) => ({ workspaceTag: await getTag(ctx, input) })),
  getBySlug: procedure
    .meta(
      rest('GET', '/api/v1/projects/{projectId}/tags/slug/{tagSlug}', tagPermissions.read, 'Read a tag by its slug', {
        aliases: ['/api/v1/workspace/{projectId}/tags/slug/{tagSlug}'],
      }),
    )
    .input(TagBySlug)
    .output(Read)
    .query(async ({ ctx, input }) => ({ workspaceTag: await getTagBySlug(ctx, input) })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/projects/{projectId}/tags/{tagId}', tagPermissions.edit, 'Update a tag', {
        aliases: ['/api/v1/workspace/{projectId}/tags/{tagId}'],
      }),
    )
    .input(UpdateTag)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ workspaceTag: await updateTag(ctx, input) })),
  delete: procedure
    .meta(
      rest(
        'DELETE',
        '/api/v1/projects/{projectId}/tags/{tagId}',
        tagPermissions.delete,
        'Delete a tag and remove it from all secrets',
        {
          aliases: ['/api/v1/workspace/{projectId}/tags/{tagId}'],
        },
      ),
    )
    .input(TagById)
    .output(One)
    .mutation(async ({ ctx, input }) => ({ workspaceTag: await deleteTag(ctx, input) })),
});
