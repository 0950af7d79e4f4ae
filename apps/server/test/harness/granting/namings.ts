import type { Coffer } from '@coffer/domain';
import type { AccessWorld } from '@coffer/domain/testing';
import { beyond, Holdings, turnsOf, union, type Asked } from './holdings.ts';

/** By what callers name groups and projects, to which they give rights and whose secrets they read; by id. */
export interface Names {
  readonly groups: ReadonlyMap<string, string>;
  readonly projects: ReadonlyMap<string, string>;
}

export async function readNames({ pool }: Coffer, organizationId: string): Promise<Names> {
  const read = async (text: string) => {
    const { rows } = await pool.query<{ id: string; names: string }>(text, [organizationId]);
    return new Map(rows.map(({ id, names }) => [id, names]));
  };
  return {
    groups: await read(`select id, name || ' ' || slug as names from groups where organization_id = $1`),
    projects: await read('select id, slug as names from projects where organization_id = $1'),
  };
}

/** What a group grants at a place to current or later members. */
function givenBy(groupId: string, projectId: string | null, world: AccessWorld, asked: Asked, now: number): string {
  const carrier = { id: 'carrier', type: 'identity', metadata: [] } as const;
  const ofCarrier = (place: string | null): AccessWorld['memberships'][number] => ({
    id: `carrier ${place}`,
    projectId: place,
    holder: { actorId: carrier.id },
    status: 'accepted',
    isActive: true,
    roles: [],
    privileges: [],
  });
  const ofGroup = world.memberships.filter(({ holder }) => 'groupId' in holder && holder.groupId === groupId);
  const holdings = new Holdings(
    {
      ...world,
      actors: [carrier],
      groups: [{ id: groupId, members: [carrier.id] }],
      memberships: [ofCarrier(null), ...ofGroup],
    },
    asked,
  );
  return union([now, ...turnsOf(world, now)].map((time) => holdings.of(carrier.id, projectId, time)));
}

const renamed = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...before].flatMap(([id, names]) => (after.has(id) && after.get(id) !== names ? [id] : []));

interface Naming {
  readonly how: string;
  readonly id: string;
  readonly projectId: string | null;
  /** Indexes of the questions to which the renaming actor had no right. */
  readonly missing: readonly number[];
}

/** Another name for a group needs all that the group holds; another slug of a project the right to administer it. */
export function namings(
  before: { readonly names: Names; readonly actual: Holdings },
  after: { readonly names: Names },
  { asked, now, held }: { asked: Asked; now: number; held: (projectId: string | null) => string },
): Naming[] {
  const groups = renamed(before.names.groups, after.names.groups).flatMap((id) =>
    before.actual.places.map((projectId) => {
      const given = givenBy(id, projectId, before.actual.world, asked, now);
      return { how: 'renamed: a group', id, projectId, missing: beyond(given, held(projectId)) };
    }),
  );
  const administers = asked.inProject.findIndex(([subject, action]) => subject === 'workspace' && action === 'edit');
  const projects = renamed(before.names.projects, after.names.projects).map((id) => ({
    how: 'renamed: a project',
    id,
    projectId: id,
    missing: held(id)[administers] === '1' ? [] : [administers],
  }));
  return [...groups, ...projects].filter(({ missing }) => missing.length > 0);
}
