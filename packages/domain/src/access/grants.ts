import {
  at,
  atOrNull,
  notFound,
  statement,
  type Ability,
  type Actor,
  type Context,
  type Rule,
  type RuleSource,
  type ServiceActor,
  type Statement,
} from '../kernel/index.ts';
import { compile } from './ability.ts';
import { builtInRole } from './built-in-roles.ts';
import { ownFacts } from './facts.ts';
import { limited } from './limited.ts';
import { rulesOfRoles, type RulesOfRoles } from './role/stored-rules.ts';
import { rowsOf } from './rows-of.ts';
import { rulesAt, windowsOf } from './rules-at.ts';
import { factsIn, NO_FACTS, type Facts } from './template.ts';
import { serviceRules } from './service-rules.ts';
import { addressesAdmitted, TRUSTED_ADDRESSES, type Admits, type TrustedColumn } from './trusted-address.ts';

/** The place of a question about rights: an organization, or one of its projects. */
export interface Place {
  readonly organizationId: string;
  readonly projectId?: string | undefined;
}

/**
 * One source of an actor's rights at a place: a role of its membership or of a group's, or an additional privilege.
 */
export interface Grant extends RuleSource {
  readonly actorId: string;
  readonly membershipId: string;
  readonly rules: readonly Rule[];
  /**
   * Its validity: from the start (inclusive) to the end (exclusive), in milliseconds; infinite for permanent grants.
   */
  readonly start: number;
  readonly end: number;
}

interface GrantRow {
  projectId: string | null;
  kind: 'role' | 'privilege';
  id: string;
  slug: string;
  actorId: string;
  membershipId: string;
  groupId: string | null;
  /** The custom role. */
  roleId: string | null;
  permissions: Rule[] | null;
  isTemporary: boolean;
  starts: string | null;
  ends: string | null;
  given: string;
}

/**
 * SQL: the rules of a grant `of` whose window has not ended at the instant of a parameter. The rules of others apply no more, and no
 * limit bounds how many there are.
 */
const unlessEnded = (of: string, rules: string, now: string): string =>
  `case when coalesce(${of}.temporary_access_end_time > ${now}, true) then ${rules} end`;

/** SQL: the rules of a role `c`, for the first of its assignments `r` that have not ended. */
const onceOfRole = (now: string): string => `
  case when row_number() over (partition by c.id, coalesce(r.temporary_access_end_time > ${now}, true) order by r.id) = 1
    then c.permissions end`;

/**
 * The grants of some members in an organization ($1), in the order in which they override each other: roles of the
 * actor's own membership, roles of its groups, then its privileges, each by the time of the grant. Those that have ended
 * at the instant of a parameter are without rules, and of the assignments of one custom role, all but one are.
 */
const granted = (whose: string, now: string, rulesOfRole = onceOfRole(now)): string => `
  with held as materialized (
    select h.project_id, h.actor_id, h.membership_id, h.group_id, j.created_at as joined from effective_memberships h
    left join group_members j on j.group_id = h.group_id and j.actor_id = h.actor_id
    where h.organization_id = $1 and (${whose})
  )
  select h.project_id as "projectId", 'role' as kind, r.id, coalesce(c.slug, r.role) as slug, h.actor_id as "actorId",
    h.membership_id as "membershipId", h.group_id as "groupId", c.id as "roleId", ${unlessEnded('r', rulesOfRole, now)} as permissions,
    r.is_temporary as "isTemporary", r.temporary_access_start_time as starts, r.temporary_access_end_time as ends,
    greatest(r.created_at, coalesce(c.rules_given_at, c.updated_at), h.joined) as given,
    case when h.group_id is null then 0 else 1 end as rank, r.created_at as "createdAt"
  from held h cross join lateral (${rowsOf('membership_roles', 'membership_id = h.membership_id')}) r
    left join lateral (${rowsOf('roles', 'id = r.custom_role_id')}) c on true
  union all
  select h.project_id, 'privilege', p.id, p.slug, h.actor_id, h.membership_id, h.group_id, null, ${unlessEnded('p', 'p.permissions', now)},
    p.is_temporary, p.temporary_access_start_time, p.temporary_access_end_time,
    coalesce(p.rules_given_at, p.updated_at), 2, p.created_at
  from held h cross join lateral (${rowsOf('additional_privileges', 'membership_id = h.membership_id')}) p
  order by rank, "createdAt", id`;

const OF_ONE = statement(
  'access.grants',
  granted('h.project_id is not distinct from $2::uuid and h.actor_id = $3', '$4'),
);

/** All grants of an actor at a place, including future ones, and past ones without rules; none if it is not a member. */
export async function grantsOf(ctx: Context, place: Place, actorId: string): Promise<Grant[]> {
  const rows = await ctx.sql<GrantRow>(OF_ONE, [place.organizationId, place.projectId ?? null, actorId, ctx.now()]);
  return toGrants(rows, rulesAmong(rows));
}

const OF_CALLER = statement(
  'access.grants_of_caller',
  `select g.*, ${TRUSTED_ADDRESSES} as trusted
   from (${granted('h.project_id is not distinct from $2::uuid and h.actor_id = $3', '$4')}) g
   order by g.rank, g."createdAt", g.id`,
);

/** The same, and the addresses from which the place admits calls. */
async function callerGrants(ctx: Context, place: Place, actorId: string): Promise<{ grants: Grant[]; admits: Admits }> {
  const values = [place.organizationId, place.projectId ?? null, actorId, ctx.now()];
  const rows = await ctx.sql<GrantRow & TrustedColumn>(OF_CALLER, values);
  return { grants: toGrants(rows, rulesAmong(rows)), admits: addressesAdmitted(rows[0]) };
}

/**
 * The scope of a query for grants: everybody everywhere, everybody in the organization itself, or everybody in some projects
 * and some actors anywhere; the first of these that is given.
 */
export interface Scope {
  readonly actorIds?: readonly string[];
  readonly projectIds?: readonly string[];
  readonly isOrganization?: boolean;
  readonly isEverything?: boolean;
  /** Of the organization itself, or of one project: these actors alone. */
  readonly onlyIds?: readonly string[];
}

/** The maximum number of grants per batch. */
const MAX_GRANTS = 100_000;

/** Without the rules of roles, which thousands may have: each is read once. */
const inScope = (name: string, whose: string) =>
  statement(`access.grants_${name}`, `${granted(whose, '$2', 'null::jsonb')} limit ${MAX_GRANTS + 1}`);

// With one statement for all scopes, PostgreSQL would read every grant of the organization for each.
const OF_EVERYBODY = inScope('of_everybody', 'true');
const IN_ORGANIZATION = inScope('in_organization', 'h.project_id is null');
const IN_PROJECTS = inScope('in_projects', 'h.project_id = any($3::uuid[])');
const ONLY_IN_ORGANIZATION = inScope('only_in_organization', 'h.project_id is null and h.actor_id = any($3::uuid[])');
const ONLY_IN_PROJECTS = inScope('only_in_projects', 'h.project_id = any($3::uuid[]) and h.actor_id = any($4::uuid[])');
const OF_SOME = inScope('of_some', 'h.project_id = any($3::uuid[]) or h.actor_id = any($4::uuid[])');

function queryFor({
  actorIds = [],
  projectIds = [],
  isOrganization,
  isEverything,
  onlyIds,
}: Scope): [Statement, unknown[]] {
  if (onlyIds) return isOrganization ? [ONLY_IN_ORGANIZATION, [onlyIds]] : [ONLY_IN_PROJECTS, [projectIds, onlyIds]];
  if (isEverything) return [OF_EVERYBODY, []];
  if (isOrganization) return [IN_ORGANIZATION, []];
  return actorIds.length > 0 ? [OF_SOME, [projectIds, actorIds]] : [IN_PROJECTS, [projectIds]];
}

/** Grants by the project that they are for, that of the organization itself under `null`, and then by actor. */
export type GrantsByPlace = ReadonlyMap<string | null, ReadonlyMap<string, readonly Grant[]>>;

/**
 * Every grant within a scope, including future ones, and past ones without rules. Holders of the same role share the same list of rules.
 */
export async function grantsWithin(
  ctx: Context,
  organizationId: string,
  scope: Scope,
): Promise<{ grants: GrantsByPlace; isCut: boolean }> {
  const [query, values] = queryFor(scope);
  const rows = await ctx.sql<GrantRow>(query, [organizationId, ctx.now(), ...values]);
  const rulesOf = await rulesOfRoles(
    ctx,
    organizationId,
    rows.flatMap((row) => row.roleId ?? []),
  );
  const places = Map.groupBy(rows.slice(0, MAX_GRANTS), (row) => row.projectId);
  const byActor = (some: readonly GrantRow[]) => Map.groupBy(toGrants(some, rulesOf), ({ actorId }) => actorId);
  return {
    grants: new Map(Array.from(places, ([projectId, some]) => [projectId, byActor(some)])),
    isCut: rows.length > MAX_GRANTS,
  };
}

/** The effective permissions of an actor at a place. */
export interface LoadedAbility {
  readonly ability: Ability;
  /** Until when they are constant; milliseconds. */
  readonly until: number;
  /** Whether they depend on the actor (see `template.ts`), or even on the presented token. */
  readonly dependsOn: 'rules' | 'actor' | 'token';
  /** The permitted addresses; the ability applies to no call from elsewhere. */
  readonly admits: Admits;
}

/**
 * The effective permissions of the caller at a place: a temporary grant counts from its start to its end. `undefined`
 * if it is not a member.
 */
export async function loadAbility(ctx: Context, place: Place): Promise<LoadedAbility | undefined> {
  const { actor } = ctx;
  if (actor.type === 'service') return serviceAbility(ctx, actor, place);
  if (actor.type !== 'user' && actor.type !== 'identity') return undefined;
  const { grants, admits } = await callerGrants(ctx, place, actor.id);
  if (grants.length === 0) return undefined;
  const { asked, facts } = await factsFor(ctx, place, grants);
  const dependsOn = asked.has('auth') ? 'token' : asked.size > 0 ? 'actor' : 'rules';
  return { ...compiledAt(grants, ctx.now().getTime(), facts), dependsOn, admits };
}

/** What grants allow at an instant, and until when. */
function compiledAt(grants: readonly Grant[], now: number, facts: Facts): Pick<LoadedAbility, 'ability' | 'until'> {
  const { rules, sources, until } = rulesAt(grants, now, facts);
  return { ability: compile(rules, sources, windowsOf(grants, now)), until };
}

/** The facts about an actor that some grants use. */
export async function factsFor(
  ctx: Context,
  { organizationId }: Place,
  grants: readonly Grant[],
  actor: Parameters<typeof ownFacts>[3] = ctx.actor,
) {
  // Grants of the same role share one list.
  const lists = new Set(grants.map(({ rules }) => rules));
  const asked = new Set([...lists].flatMap((rules) => rules.flatMap((rule) => [...factsIn(rule)])));
  return { asked, facts: asked.size > 0 ? await ownFacts(ctx, organizationId, asked, actor) : NO_FACTS };
}

/**
 * A service token has rights in one project, within the current rights of its creator: none if the creator is no longer
 * a member.
 */
async function serviceAbility(ctx: Context, actor: ServiceActor, place: Place): Promise<LoadedAbility | undefined> {
  if (actor.organizationId !== place.organizationId || actor.projectId !== place.projectId) return undefined;
  const { grants, admits } = await callerGrants(ctx, place, actor.createdBy);
  if (grants.length === 0) return undefined;
  const { facts } = await factsFor(ctx, place, grants, { type: 'user', id: actor.createdBy });
  const { ability: ofCreator, until } = compiledAt(grants, ctx.now().getTime(), facts);
  return { ability: limited(compile(serviceRules(actor)), ofCreator), until, dependsOn: 'actor', admits };
}

/** The rules of the custom roles among some grants. */
const rulesAmong = (rows: readonly GrantRow[]): RulesOfRoles =>
  new Map(rows.flatMap(({ roleId, permissions }) => (roleId && permissions ? [[roleId, permissions]] : [])));

/** Grants of the same role share one list of rules; see `filled`. */
const toGrants = (rows: readonly GrantRow[], rulesOf: RulesOfRoles): Grant[] => {
  const rulesIn = ({ kind, roleId, permissions, projectId, slug }: GrantRow): readonly Rule[] | undefined => {
    if (kind === 'privilege') return permissions ?? undefined;
    return roleId ? rulesOf.get(roleId) : builtInRole(projectId ? 'project' : 'organization', slug)?.rules;
  };
  return rows.map((row) => ({
    kind: row.kind,
    id: row.id,
    slug: row.slug,
    actorId: row.actorId,
    membershipId: row.membershipId,
    groupId: row.groupId,
    rules: rulesIn(row) ?? [],
    start: row.isTemporary && row.starts ? at(row.starts).getTime() : -Infinity,
    end: row.isTemporary ? (atOrNull(row.ends)?.getTime() ?? -Infinity) : Infinity,
    given: at(row.given).getTime(),
  }));
};

/** Cache tags of an actor's rights at a place: a change of any of these drops them. */
export const abilityTags = (
  actor: Extract<Actor, { id: string }>,
  place: Place,
  dependsOn: LoadedAbility['dependsOn'],
): string[] => [
  `actor:${actor.id}`,
  `access:${place.organizationId}`,
  ...(place.projectId ? [`access:${place.projectId}`] : []),
  ...(dependsOn === 'rules' ? [] : [`${actor.type}:${actor.id}`]),
  ...(dependsOn === 'token' && actor.type === 'identity' ? [`token:${actor.tokenId}`] : []),
  ...(actor.type === 'service' ? creatorTags(actor.createdBy) : []),
];

/** The cache tags of the rights of a service token's creator. */
export const creatorTags = (createdBy: string): string[] => [`actor:${createdBy}`, `user:${createdBy}`];

export const noMember = (place: Place) => notFound(place.projectId ? 'project' : 'organization');
