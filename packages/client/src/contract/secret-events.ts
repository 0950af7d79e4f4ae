// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Subscription } from '../call.ts';

export type ProjectEvent = {
  projectType: 'secret-manager';
  data: {
    eventType: 'secret:create' | 'secret:update' | 'secret:delete';
    payload: { /** Slug of the environment */ environment: string; secretPath: string; secretKey: string }[];
  } | {
    eventType: 'secret:import-mutation';
    /** The folder whose imports have changed */
    payload: { /** Slug of the environment */ environment: string; secretPath: string };
  };
};

export type WatchSecrets = {
  projectId: string;
  register: {
    event: 'secret:create' | 'secret:update' | 'secret:delete' | 'secret:import-mutation';
    /** Default: the whole project */
    conditions?: {
      /** Default: every environment */ environmentSlug?: string;
      /** The path of a folder, or a glob of paths: /app/** is /app and all levels below (default: `'/'`) */
      secretPath?: string;
    };
  }[];
  /** ID of the last received event, as in the header Last-Event-ID; later events are sent first */
  lastEventId?: string | null;
};

export interface SecretEventsApi {
  /**
   * Subscribe to changes of the secrets of a project.
   * Server-sent events (`text/event-stream`), each with an id; with the last one in `Last-Event-ID`, or as `lastEventId` in the body, the later events are sent first. An event with the data of an error is the last one. Events name where secrets were created, changed or deleted, as far as the caller may see them, and never their values.
   * `POST /api/v1/events/subscribe/project-events`. Needs `subscribe-to-created-events` on `secret-events` in the project, or `subscribe-to-updated-events` on `secret-events` in the project, or `subscribe-to-deleted-events` on `secret-events` in the project, or `subscribe-to-import-mutation-events` on `secret-events` in the project.
   */
  watch: Subscription<WatchSecrets, ProjectEvent | null>;
}
