import { beyond, turnsOf, type Holdings } from './holdings.ts';

/** The rights of all actors at one moment: effective ones, and those with all actors active. */
export interface Held {
  readonly actual: Holdings;
  readonly potential: Holdings;
}

/** A right that an actor lost by a step of another one without authority over it. */
interface Taking {
  readonly how: string;
  readonly actorId: string;
  readonly projectId: string | null;
  readonly later: number;
  /** Indexes of the questions to which the removing actor had no right. */
  readonly missing: readonly number[];
}

/** Their rules have many holders: a change needs the lost rights, and not all rights of each holder. */
const IS_SHARED =
  /^(organizationRoles|organizationRolesV1|projectRoles|projectRolesV1|projectGroups)\.|^groups\.(update|delete)$/;

interface Step {
  readonly callerId: string;
  readonly operation: string;
  readonly now: number;
  /** The caller's rights at a place before. */
  readonly held: (projectId: string | null) => string;
}

/**
 * Compares the rights of all actors except the caller before and after a step. An actor that lost something at a place
 * must have held nothing there that the caller did not.
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
