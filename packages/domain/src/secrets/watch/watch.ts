import { z } from 'zod';
import { projectPermissions } from '../../access/catalogue.ts';
import { badRequest, defineEvent, Id } from '../../kernel/schema.ts';
import { EnvironmentSlug } from '../folder/folder.ts';
import { FolderPattern } from './folder-pattern.ts';

const permissions = projectPermissions('secret-events');

/** The published names of events, each with its permission. */
export const WATCHED = {
  'secret:create': permissions['subscribe-to-created-events'],
  'secret:update': permissions['subscribe-to-updated-events'],
  'secret:delete': permissions['subscribe-to-deleted-events'],
  'secret:import-mutation': permissions['subscribe-to-import-mutation-events'],
} as const;
export type WatchedEvent = keyof typeof WATCHED;

/** The location of a subscription. */
const Conditions = z.object({
  environmentSlug: EnvironmentSlug.optional().describe('Default: every environment'),
  secretPath: FolderPattern.default('/'),
});

export const WatchSecrets = z.object({
  projectId: Id,
  register: z
    .array(
      z.object({
        event: z.enum(Object.keys(WATCHED) as [WatchedEvent, ...WatchedEvent[]]),
        conditions: Conditions.optional().describe('Default: the whole project'),
      }),
    )
    .min(1)
    .max(10),
  lastEventId: z
    .string()
    .max(100)
    .nullish()
    .describe('ID of the last received event, as in the header Last-Event-ID; later events are sent first'),
});
export type WatchSecrets = z.output<typeof WatchSecrets>;

const Place = z.object({ environment: z.string().describe('Slug of the environment'), secretPath: z.string() });

/** An event: the location and names of changed secrets, never their contents. */
export const ProjectEvent = z.object({
  projectType: z.literal('secret-manager'),
  data: z.union([
    z.object({
      eventType: z.enum(['secret:create', 'secret:update', 'secret:delete']),
      payload: z.array(Place.extend({ secretKey: z.string() })),
    }),
    z.object({
      eventType: z.literal('secret:import-mutation'),
      payload: Place.describe('The folder whose imports have changed'),
    }),
  ]),
});
export type ProjectEvent = z.output<typeof ProjectEvent>;

/** One event, or only a position (without `event`). */
export interface WatchItem {
  /** A client that reconnects with it gets the later events. */
  readonly id: string;
  readonly event?: ProjectEvent;
}

/** The revision that an event's id names. @throws DomainError 400 for text that is no id of an event. */
export function positionOf(id: string): bigint {
  if (!/^\d{1,18}$/.test(id)) throw badRequest('watch.position', 'The last event ID was not issued by this server');
  return BigInt(id);
}

export const secretsWatched = defineEvent(
  'secrets.watched',
  'subscribe-project-events',
  z.object({
    register: z.array(
      z.object({ event: z.string(), environment: z.string().nullable(), secretPath: z.string().nullable() }),
    ),
  }),
);
