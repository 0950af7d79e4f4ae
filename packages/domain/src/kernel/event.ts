import { z } from 'zod';

/**
 * An event, named `thing.happened`, with IDs and names, never values. `published` is its name in the published API
 * (`create-secret`), for clients that filter by it.
 */
export interface EventType<Data> {
  readonly name: string;
  readonly published: string;
  readonly data: z.ZodType<Data>;
}

const defined = new Map<string, EventType<never>>();

export function defineEvent<Data>(name: string, published: string, data: z.ZodType<Data>): EventType<Data> {
  if (defined.has(name)) throw new Error(`Event ${name} is defined twice`);
  const type: EventType<Data> = { name, published, data };
  defined.set(name, type as EventType<never>);
  return type;
}

/** What the event of an update says besides what it is about. */
const Update = { changed: z.array(z.string()).describe('The names of the changed fields') };

/** The event of an update, whose data say what has changed: `givenFields` names it. */
export const defineUpdate = <Shape extends z.ZodRawShape>(name: string, published: string, data: z.ZodObject<Shape>) =>
  defineEvent(name, published, data.extend(Update));

/** The names of the fields that an input has, as `changed` of its event. */
export const givenFields = (input: object): string[] =>
  Object.entries(input).flatMap(([field, value]) => (value === undefined ? [] : [field]));

/** All events that this program knows, by name. */
export const eventTypes = (): ReadonlyMap<string, EventType<never>> => defined;

/** Where an event belongs when that is not the actor's own organization, and which project it touches. */
export interface EventPlace {
  organizationId?: string | null | undefined;
  projectId?: string | null | undefined;
}

/** An event on its way to the audit log. */
export interface PendingEvent extends EventPlace {
  readonly type: string;
  readonly published: string;
  readonly data: unknown;
}

export const eventOf = <Data>(type: EventType<Data>, data: Data, place: EventPlace = {}): PendingEvent => ({
  type: type.name,
  published: type.published,
  data,
  ...place,
});
