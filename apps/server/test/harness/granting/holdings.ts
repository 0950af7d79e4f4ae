import type { Coffer, Rule } from '@coffer/domain';
import { NaiveAccess, type AccessWorld, type NaiveRequest, type WorldMembership } from '@coffer/domain/testing';

/** The questions for every actor at each place. */
export interface Asked {
  readonly inProject: readonly NaiveRequest[];
  readonly inOrganization: readonly NaiveRequest[];
}

interface MembershipRow {
  id: string;
  project_id: string | null;
  actor_id: string | null;
  group_id: string | null;
  status: 'invited' | 'accepted';
  is_active: boolean;
  metadata: { key: string; value: string }[];
}
interface GivenRow {
  id: string;
  membership_id: string;
  at: number;
  role: string;
  role_id: string | null;
  rules: Rule[] | null;
  starts: number | null;
  ends: number | null;
  is_temporary: boolean;
}

/** An organization as stored in the database, table by table, for `NaiveAccess`. */
export async function readWorld({ pool }: Coffer, organizationId: string): Promise<AccessWorld> {
  const read = async <Row extends object>(name: string, text: string) =>
    (await pool.query<Row>({ name: `search.${name}`, text, values: [organizationId] })).rows;
  const window = `x.is_temporary, extract(epoch from x.temporary_access_start_time)::float8 * 1000 as starts,
    extract(epoch from x.temporary_access_end_time)::float8 * 1000 as ends`;
  const [memberships, roles, privileges, groups, projects, machines] = await Promise.all([
    read<MembershipRow>(
      'memberships',
      `select id, project_id, coalesce(user_id, identity_id) as actor_id, group_id, status, is_active, metadata
       from memberships where organization_id = $1 order by id`,
    ),
    read<GivenRow>(
      'roles',
      `select x.id, x.membership_id, extract(epoch from x.created_at)::float8 as at, x.role, r.id as role_id,
         r.permissions as rules, ${window}
       from membership_roles x left join roles r on r.id = x.custom_role_id
       where x.organization_id = $1 order by x.id`,
    ),
    read<GivenRow>(
      'privileges',
      `select x.id, x.membership_id, extract(epoch from x.created_at)::float8 as at, x.permissions as rules, ${window}
       from additional_privileges x where x.organization_id = $1 order by x.id`,
    ),
    read<{ id: string; members: string[] }>(
      'groups',
      `select g.id, array(select m.actor_id from group_members m where m.group_id = g.id order by 1) as members
       from groups g where g.organization_id = $1 order by g.id`,
    ),
    read<{ id: string }>('projects', 'select id from projects where organization_id = $1 order by created_at, id'),
    read<{ id: string; metadata: { key: string; value: string }[] }>(
      'machines',
      'select id, metadata from identities where organization_id = $1',
    ),
  ]);
  const given = (rows: readonly GivenRow[], membershipId: string) =>
    rows
      .filter((row) => row.membership_id === membershipId)
      .map(({ id, at, is_temporary: isTemporary, starts, ends, ...row }) => ({
        ...row,
        id,
        createdAt: at,
        window: isTemporary ? { start: starts!, end: ends! } : null,
      }));
  const metadata = new Map(machines.map((one) => [one.id, one.metadata]));
  const actorIds = new Set(memberships.flatMap((one) => one.actor_id ?? []));
  const ofOrganization = (id: string) => memberships.find((one) => one.actor_id === id && one.project_id === null);
  return {
    organizationId,
    projectIds: projects.map(({ id }) => id) as unknown as AccessWorld['projectIds'],
    actors: Array.from(actorIds, (id) => ({
      id,
      type: metadata.has(id) ? 'identity' : 'user',
      metadata: metadata.get(id) ?? ofOrganization(id)?.metadata ?? [],
    })),
    groups,
    memberships: memberships.map((row): WorldMembership => ({
      id: row.id,
      projectId: row.project_id,
      holder: row.group_id === null ? { actorId: row.actor_id! } : { groupId: row.group_id },
      status: row.status,
      isActive: row.is_active,
      roles: given(roles, row.id).map(({ role, role_id: roleId, rules, ...one }) => ({
        ...one,
        role: roleId === null ? role : { id: roleId, slug: roleId, projectId: row.project_id, rules: rules! },
      })),
      privileges: given(privileges, row.id).map(({ rules, ...one }) => ({ ...one, rules: rules! })),
    })),
  };
}

/** The same with all invitations accepted and all members active: all grants, effective or not. */
export const letEverybodyIn = (world: AccessWorld): AccessWorld => ({
  ...world,
  memberships: world.memberships.map((one) => ({ ...one, status: 'accepted', isActive: true })),
});

/** When anything in a world begins or ends after an instant. */
export const turnsOf = ({ memberships }: AccessWorld, now: number): number[] =>
  memberships
    .flatMap(({ roles, privileges }) => [...roles, ...privileges])
    .flatMap(({ window }) => (window ? [window.start, window.end] : []))
    .filter((time) => time > now);

/** For each request whether an actor may do it: `1` and `0`. */
type Answers = string;
const answers = new Map<string, Answers>();

/** The rights of all actors in a world. Actors with known rules are not evaluated again. */
export class Holdings {
  readonly world: AccessWorld;
  readonly #naive: NaiveAccess;
  readonly #asked: Asked;
  readonly #answered = new Map<string, Answers>();

  constructor(world: AccessWorld, asked: Asked) {
    this.world = world;
    this.#naive = new NaiveAccess(world);
    this.#asked = asked;
  }

  get places(): readonly (string | null)[] {
    return [null, ...this.world.projectIds];
  }

  /** None for actors outside of the world. */
  of(actorId: string, projectId: string | null, time: number): Answers {
    const asked = `${actorId} ${projectId} ${time}`;
    const answered = this.#answered.get(asked) ?? this.#evaluate(actorId, projectId, time);
    this.#answered.set(asked, answered);
    return answered;
  }

  #evaluate(actorId: string, projectId: string | null, time: number): Answers {
    const requests = projectId === null ? this.#asked.inOrganization : this.#asked.inProject;
    const actor = this.world.actors.find(({ id }) => id === actorId);
    if (!actor) return '0'.repeat(requests.length);
    const rules = this.#naive.rules(actorId, projectId, time);
    const key = JSON.stringify([projectId === null, actorId, actor.metadata, rules]);
    let known = answers.get(key);
    if (known === undefined) {
      if (answers.size > 20_000) answers.clear();
      known = requests.map((one) => (this.#naive.may(actorId, projectId, time, one) ? '1' : '0')).join('');
      answers.set(key, known);
    }
    return known;
  }

  /** Whether an actor may do one thing; none outside of the world. */
  may(actorId: string, projectId: string | null, time: number, request: NaiveRequest): boolean {
    return this.world.actors.some(({ id }) => id === actorId) && this.#naive.may(actorId, projectId, time, request);
  }

  /** The effective rules of an actor that carries its own. */
  ofRules(rules: readonly Rule[]): Answers {
    const carrier: AccessWorld = {
      ...this.world,
      actors: [{ id: 'carrier', type: 'identity', metadata: [] }],
      groups: [],
      memberships: [null, 'here'].map((projectId) => ({
        id: `${projectId}`,
        projectId,
        holder: { actorId: 'carrier' },
        status: 'accepted',
        isActive: true,
        roles: [],
        privileges: [{ id: 'p', createdAt: 0, rules, window: null }],
      })),
    };
    return new Holdings(carrier, this.#asked).of('carrier', 'here', 0);
  }

  rules(actorId: string, projectId: string | null, time: number): Rule[] {
    return this.#naive.rules(actorId, projectId, time);
  }
}

/** The places in the list of requests that the first has and the second has not. */
export const beyond = (given: Answers, held: Answers): number[] =>
  Array.from(given).flatMap((answer, index) => (answer === '1' && held[index] !== '1' ? [index] : []));

/** What both have. */
export const both = (one: Answers, other: Answers): Answers =>
  Array.from(one, (answer, index) => (answer === '1' && other[index] === '1' ? '1' : '0')).join('');

export const union = (all: readonly Answers[]): Answers =>
  Array.from(all[0] ?? '', (_, index) => (all.some((one) => one[index] === '1') ? '1' : '0')).join('');
