import {
  CreateWebhook,
  createWebhook,
  deleteWebhook,
  Id,
  ListWebhooks,
  listWebhooks,
  testWebhook,
  UpdateWebhook,
  updateWebhook,
  Webhook,
  webhookPermissions,
  WebhookRef,
  WebhookWithUrl,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = webhookPermissions;
const One = z.object({ message: z.string(), webhook: Webhook });

/** The published API has two names for the project in these paths. */
const Project = {
  workspaceId: Id.optional().describe('The ID of the project'),
  projectId: Id.optional().describe('The same as `workspaceId`'),
};
interface Named {
  workspaceId?: string | undefined;
  projectId?: string | undefined;
}
const isNamed = ({ workspaceId, projectId }: Named) => (workspaceId ?? projectId) !== undefined;
const UNNAMED = { path: ['workspaceId'], message: 'The ID of the project is required' };

const ofProject = <Input extends Named>({ workspaceId, projectId, ...input }: Input) => ({
  ...input,
  projectId: (workspaceId ?? projectId)!,
});

export const webhookRouter = router({
  list: procedure
    .meta(rest('GET', '/api/v1/webhooks', read, 'List the webhooks of a project'))
    .input(ListWebhooks.extend(Project).refine(isNamed, UNNAMED))
    .output(z.object({ message: z.string(), webhooks: z.array(WebhookWithUrl) }))
    .query(async ({ ctx, input }) => ({
      message: 'Successfully fetched webhooks',
      webhooks: await listWebhooks(ctx, ofProject(input)),
    })),
  create: procedure
    .meta(rest('POST', '/api/v1/webhooks', create, 'Create a webhook that is called when secrets of a folder change'))
    .input(CreateWebhook.extend(Project).refine(isNamed, UNNAMED))
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully created webhook',
      webhook: await createWebhook(ctx, ofProject(input)),
    })),
  update: procedure
    .meta(
      rest('PATCH', '/api/v1/webhooks/{webhookId}', edit, 'Update a webhook, or disable or enable it', {
        description: 'Omitted fields stay unchanged.',
      }),
    )
    .input(UpdateWebhook)
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully updated webhook',
      webhook: await updateWebhook(ctx, input),
    })),
  delete: procedure
    .meta(rest('DELETE', '/api/v1/webhooks/{webhookId}', remove, 'Delete a webhook'))
    .input(WebhookRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully deleted webhook',
      webhook: await deleteWebhook(ctx, input),
    })),
  test: procedure
    .meta(
      rest('POST', '/api/v1/webhooks/{webhookId}/test', edit, 'Call a webhook to test it', {
        description: '`lastStatus` and `lastRunErrorMessage` of the response give the result.',
      }),
    )
    .input(WebhookRef)
    .output(One)
    .mutation(async ({ ctx, input }) => ({
      message: 'Successfully called webhook',
      webhook: await testWebhook(ctx, input),
    })),
});
