import { beyond, turnsOf, type Holdings } from './holdings.ts';

/** What everybody holds at one moment: what counts, and what would if everybody were let in. */
export interface Held {
  readonly actual: Holdings;
  readonly potential: Holdings;
}

/** A right that somebody lost by a step of somebody else who had no authority over that one. */
interface Taking {
  readonly how: string;
  readonly actorId: string;
  readonly projectId: string | null;
  readonly later: number;
  /** Indexes of the questions that the one who took could not answer with yes. */
  readonly missing: readonly number[];
}

/** Their rules are held by many: whoever changes them has to hold what is lost, and not all that each holder has. */
const IS_SHARED =
  /^(organizationRoles|organizationRolesV1|projectRoles|projectRolesV1|projectGroups)\.|^groups\.(update|delete)$/;

interface Step {
  readonly callerId: string;
  readonly operation: string;
  readonly now: number;
  /** What the caller held at a place before. */
  readonly held: (projectId: string | null) => string;
}

/**
 * Compares what everybody but the caller holds before and after a step. Whoever lost anything at a place must have held
 * nothing there that the caller did not.
 */
export function takings({ callerId, operation, now, held }: Step, before: Held, after: Held): Taking[] {
  const times = [now, ...new Set([...turnsOf(before.actual.world, now), ...turnsOf(after.actual.world, now)])];
  const others = before.actual.world.actors.filter(({ id }) => id !== callerId);
  const found: Taking[] = [];
  for (const projectId of before.actual.places.filter((place) => after.actual.places.includes(place))) {
    const own = held(projectId);
    for (const { id } of others) {
      for (const time of times) {
        for (const how of ['actual', 'potential'] as const) {
          const had = before[how].of(id, projectId, time);
          const lost = beyond(had, after[how].of(id, projectId, time));
          if (lost.length === 0) continue;
          const needed = IS_SHARED.test(operation) ? lost : beyond(had, '');
          const missing = needed.filter((index) => own[index] !== '1').slice(0, 5);
          if (missing.length > 0) found.push({ how, actorId: id, projectId, later: time - now, missing });
        }
      }
    }
  }
  return found;
}
