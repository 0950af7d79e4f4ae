import { builtInRole } from '../access/built-in-roles.ts';
import type { Rule } from '../kernel/index.ts';
import type { AccessWorld, WorldMembership } from './arbitrary-world.ts';
import { naiveCan } from './naive-rules.ts';

/**
 * A naive reading of who may do what in a world: an oracle for all computations of effective permissions. Shares only
 * the built-in roles with `access/`.
 */
export class NaiveAccess {
  readonly #world: AccessWorld;

  constructor(world: AccessWorld) {
    this.#world = world;
  }

  /** Whether an actor belongs to a place: the organization (`null`), or one of its projects. */
  isMember(actorId: string, projectId: string | null): boolean {
    return this.#membershipsOf(actorId, projectId).length > 0;
  }

  may(actorId: string, projectId: string | null, time: number, [subject, action, fields]: NaiveRequest): boolean {
    const { id, type, metadata } = this.#world.actors.find((one) => one.id === actorId)!;
    const pairs = metadata.filter(({ value }) => value !== '');
    const facts = {
      id,
      ...(type === 'identity' && { name: nameOf(id) }),
      metadata: Object.fromEntries(pairs.map(({ key, value }) => [key, value])),
    };
    return naiveCan(this.rules(actorId, projectId, time), subject, action, fields, facts);
  }

  /** First what its own memberships give, then what its groups' give, then its privileges; the older before the newer. */
  rules(actorId: string, projectId: string | null, time: number): Rule[] {
    const memberships = this.#membershipsOf(actorId, projectId);
    const own = memberships.filter(({ holder }) => 'actorId' in holder);
    const groups = memberships.filter(({ holder }) => 'groupId' in holder);
    const given = [
      own.flatMap(({ roles }) => roles),
      groups.flatMap(({ roles }) => roles),
      memberships.flatMap(({ privileges }) => privileges),
    ];
    const rules: Rule[] = [];
    for (const some of given) {
      for (const one of some.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))) {
        if (one.window && (time < one.window.start || time >= one.window.end)) continue;
        if ('rules' in one) rules.push(...one.rules);
        else if (typeof one.role === 'string')
          rules.push(...builtInRole(projectId === null ? 'organization' : 'project', one.role)!.rules);
        else rules.push(...one.role.rules);
      }
    }
    return rules;
  }

  /** The active memberships: accepted and enabled, of actors with such a membership in the organization. */
  #membershipsOf(actorId: string, projectId: string | null): WorldMembership[] {
    const counting = this.#world.memberships.filter((one) => one.status === 'accepted' && one.isActive);
    const isOwn = ({ holder }: WorldMembership) => 'actorId' in holder && holder.actorId === actorId;
    if (!counting.some((one) => isOwn(one) && one.projectId === null)) return [];
    const groups = this.#world.groups.filter(({ members }) => members.includes(actorId)).map(({ id }) => id);
    const isByGroup = ({ holder }: WorldMembership) => 'groupId' in holder && groups.includes(holder.groupId);
    return counting.filter((one) => one.projectId === projectId && (isOwn(one) || isByGroup(one)));
  }
}

export type NaiveRequest = readonly [subject: string, action: string, fields: Readonly<Record<string, unknown>>];

/** What machines are called in worlds. */
export const nameOf = (id: string): string => `machine ${id}`;
