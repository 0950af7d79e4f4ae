import { z } from 'zod';
import type { EventType, PendingEvent } from './event.ts';

/** Common data of refusal events: one event stands for all of a kind, an actor, an address and a minute. */
export const REFUSALS = {
  count: z.int().describe('Number of refusals'),
  firstAt: z.string(),
  lastAt: z.string(),
  details: z.array(z.string()).describe('The refused inputs; at most ten different ones'),
};
type Counted = 'count' | 'firstAt' | 'lastAt' | 'details';

/** Something that was refused: a request, a login, an enrolment. */
export interface Refusal {
  /** Its data without the counts. */
  readonly event: PendingEvent;
  /** The counted identity, if it is not the actor of the call: the target of a login. */
  readonly subject?: string | undefined;
  /** What was refused. Never unauthenticated input, which may be a password: see `Keyring.mark`. */
  readonly detail?: string | undefined;
}

export const refusalOf = <Data extends Record<Counted, unknown>>(
  type: EventType<Data>,
  data: Omit<Data, Counted>,
  { subject, detail, ...place }: Omit<Refusal, 'event'> & Pick<PendingEvent, 'organizationId' | 'projectId'> = {},
): Refusal => ({ event: { type: type.name, published: type.published, data, ...place }, subject, detail });
