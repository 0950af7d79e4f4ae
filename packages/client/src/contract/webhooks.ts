// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';

export type UpdateWebhook = {
  webhookId: string;
  isDisabled?: boolean;
  /** The slug of an environment */ environment?: string;
  /** The path of a folder, or a glob of paths: /app/** is /app and all levels below */ secretPath?: string;
  /** A new address needs the key again, if there is one */ webhookUrl?: string;
  /** null removes it */ webhookSecretKey?: string | null;
};

export type Webhook = {
  id: string;
  projectId: string;
  envId: string;
  environment: { id: string; name: string; slug: string };
  secretPath: string;
  type: string;
  isDisabled: boolean;
  /** `success` or `failed`: the result of the last call */ lastStatus: string | null;
  lastRunErrorMessage: string | null;
  createdAt: string;
  updatedAt: string;
};

export type WebhookWithUrl = Webhook & { /** Only its scheme and host for callers who may not edit the webhook */ url: string };

export interface WebhooksApi {
  /** List the webhooks of a project. `GET /api/v1/webhooks`. Needs `read` on `webhooks`. */
  list: Query<
    {
      /** The same as `workspaceId` */ projectId?: string;
      /** The slug of an environment */ environment?: string;
      /** The path of a folder, or a glob of paths: /app/** is /app and all levels below */ secretPath?: string;
      /** The ID of the project */ workspaceId?: string;
    },
    { message: string; webhooks: WebhookWithUrl[] }
  >;
  /** Create a webhook that is called when secrets of a folder change. `POST /api/v1/webhooks`. Needs `create` on `webhooks`. */
  create: Mutation<
    {
      /** The same as `workspaceId` */ projectId?: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, or a glob of paths: /app/** is /app and all levels below (default: `'/'`) */
      secretPath?: string;
      /** Default: `'general'` */ type?: 'general' | 'slack';
      webhookUrl: string;
      /** The key that signs the calls; without a key they are not signed */ webhookSecretKey?: string | '';
      /** The ID of the project */ workspaceId?: string;
    },
    { message: string; webhook: Webhook }
  >;
  /**
   * Update a webhook, or disable or enable it.
   * Omitted fields stay unchanged.
   * `PATCH /api/v1/webhooks/{webhookId}`. Needs `edit` on `webhooks`.
   */
  update: Mutation<UpdateWebhook, { message: string; webhook: Webhook }>;
  /** Delete a webhook. `DELETE /api/v1/webhooks/{webhookId}`. Needs `delete` on `webhooks`. */
  delete: Mutation<{ webhookId: string }, { message: string; webhook: Webhook }>;
  /**
   * Call a webhook to test it.
   * `lastStatus` and `lastRunErrorMessage` of the response give the result.
   * `POST /api/v1/webhooks/{webhookId}/test`. Needs `edit` on `webhooks`.
   */
  test: Mutation<{ webhookId: string }, { message: string; webhook: Webhook }>;
}
