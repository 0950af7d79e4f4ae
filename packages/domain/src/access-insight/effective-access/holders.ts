import {
  actorIdOf,
  at,
  atOrNull,
  mapInTurns,
  statement,
  WorkBudget,
  type Ability,
  type Context,
  type Fields,
  type Rule,
} from '../../kernel/index.ts';
import { serviceRules } from '../../access/service-token/index.ts';
import {
  factsIn,
  factsOf,
  grantsWithin,
  limitedRules,
  organizationPermissions,
  projectPermissions,
  rulesAt,
  type Facts,
  type Grant,
  type Place,
} from '../../access/index.ts';
import type { SeenActor } from './insight.ts';

/** An actor with rights at a place. */
export interface Holder {
  readonly actor: SeenActor;
  /** In the order in which they override each other, including expired and future ones. */
  readonly grants: readonly HeldGrant[];
  /** The values of templates in its rules. */
  readonly facts: Facts;
}

/** A grant of a member, or the equivalent for actors that carry their own rights. */
export type HeldGrant = Omit<Grant, 'kind'> & { readonly kind: Grant['kind'] | 'service-token' };

/** Everybody at a place: its members, and in a project its service tokens. */
export async function* holdersAt(ctx: Context, place: Place): AsyncGenerator<Holder> {
  const members = await membersAt(ctx, place);
  yield* members;
  if (place.projectId) yield* serviceTokensAt(ctx, place, members);
}

async function membersAt(ctx: Context, { organizationId, projectId }: Place): Promise<Holder[]> {
  const scope = projectId ? { projectIds: [projectId] } : { isOrganization: true };
  const { grants } = await grantsWithin(ctx, organizationId, scope);
  return toHolders(ctx, organizationId, grants.get(projectId ?? null) ?? new Map<string, Grant[]>());
}

/** Members with their names and facts, sorted by name. */
export async function toHolders(
  ctx: Context,
  organizationId: string,
  grants: ReadonlyMap<string, readonly Grant[]>,
): Promise<Holder[]> {
  const actors = await actorsOf(ctx, organizationId, [...grants.keys()]);
  const facts = await factsOfTemplates(ctx, organizationId, [...grants]);
  return actors.map((actor) => ({ actor, grants: grants.get(actor.id)!, facts: facts.get(actor.id) ?? {} }));
}

/** The facts about those actors whose grants have templates in their rules. */
export async function factsOfTemplates(
  ctx: Context,
  organizationId: string,
  grants: readonly (readonly [actorId: string, its: readonly Grant[]])[],
): Promise<ReadonlyMap<string, Facts>> {
  const lists = new Set(grants.flatMap(([, its]) => its.map(({ rules }) => rules)));
  const isTemplated = (rules: readonly Rule[]) => rules.some((rule) => factsIn(rule).size > 0);
  const templated = new Set<readonly Rule[]>();
  await mapInTurns(
    lists,
    (rules) => rules.length,
    (rules) => isTemplated(rules) && templated.add(rules),
  );
  const ids = grants.filter(([, its]) => its.some(({ rules }) => templated.has(rules))).map(([id]) => id);
  return ids.length > 0 ? factsOf(ctx, organizationId, [...new Set(ids)]) : new Map<string, Facts>();
}

const ACTORS = statement(
  'access.actors',
  `select 'user' as type, u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.username) as name, u.username
   from users u where u.id = any($2::uuid[])
     and exists (select 1 from memberships o where o.actor_id = u.id and o.organization_id = $1 and o.project_id is null)
   union all
   select 'identity', i.id, i.name, null from identities i where i.organization_id = $1 and i.id = any($2::uuid[])
   order by name, id`,
);

/** Members of an organization with their names; others are left out. */
export const actorsOf = (ctx: Context, organizationId: string, ids: readonly string[]): Promise<SeenActor[]> =>
  ctx.sql<SeenActor>(ACTORS, [organizationId, ids]);

interface ServiceTokenRow {
  id: string;
  name: string;
  scopes: { environment: string; secretPath: string }[];
  permissions: string[];
  createdBy: string;
  createdAt: string;
  expiresAt: string | null;
}

const SERVICE_TOKENS = statement(
  'access.service_tokens',
  `select id, name, scopes, permissions, created_by as "createdBy", created_at as "createdAt",
     expires_at as "expiresAt"
   from service_tokens
   where organization_id = $1 and project_id = $2 order by name, id`,
);

/**
 * Each with its current rights: a service token has its own within those of its creator. Where these are too many rules to
 * combine, it is listed with its own, which allow more: nobody who has access is missing.
 */
async function* serviceTokensAt(
  ctx: Context,
  { organizationId, projectId }: Place,
  members: readonly Holder[],
): AsyncGenerator<Holder> {
  const now = ctx.now().getTime();
  const creators = new Map(members.map((one) => [one.actor.id, one]));
  const rulesOf = new Map<string, readonly Rule[]>();
  const pace = new WorkBudget();
  for (const row of await ctx.sql<ServiceTokenRow>(SERVICE_TOKENS, [organizationId, projectId])) {
    const { grants, facts } = creators.get(row.createdBy) ?? { grants: [], facts: {} };
    if (!rulesOf.has(row.createdBy)) rulesOf.set(row.createdBy, rulesAt(grants, now, facts).rules);
    const [own, by] = [serviceRules(row), rulesOf.get(row.createdBy)!];
    await pace.spendAndRest(own.length * by.length);
    yield {
      actor: { type: 'service', id: row.id, name: row.name, username: null },
      grants: [
        {
          kind: 'service-token',
          id: row.id,
          slug: row.name,
          groupId: null,
          actorId: row.id,
          membershipId: row.id,
          rules: limitedRules(own, by) ?? own,
          start: at(row.createdAt).getTime(),
          end: atOrNull(row.expiresAt)?.getTime() ?? Infinity,
        },
      ],
      facts: {},
    };
  }
}

const inProject = {
  member: projectPermissions('member').read,
  identity: projectPermissions('identity').read,
  groups: projectPermissions('groups').read,
  serviceTokens: projectPermissions('service-tokens').read,
  roles: projectPermissions('role').read,
};
const inOrganization = {
  member: organizationPermissions('member').read,
  identity: organizationPermissions('identity').read,
  groups: organizationPermissions('groups').read,
  serviceTokens: undefined,
  roles: organizationPermissions('role').read,
};

/** Whom, and what of their rights, a caller may see at a place. */
export interface Visibility {
  /**
   * Whether the caller may see this actor: itself; users, machine identities and service tokens if it may read them;
   * and members only by a group if it may read groups.
   */
  sees(holder: { readonly actor: SeenActor; readonly grants: readonly Pick<HeldGrant, 'groupId'>[] }): boolean;
  readonly seesGroups: boolean;
  /** Whether the caller may see the rules of this grant. */
  seesRules(actor: SeenActor, grant: Pick<HeldGrant, 'kind'>): boolean;
}

export function visibilityOf(ctx: Context, { projectId }: Place, ability: Ability): Visibility {
  const permissions = projectId ? inProject : inOrganization;
  const own = actorIdOf(ctx.actor);
  const may = (what: keyof typeof permissions, fields: Fields = {}) => {
    const permission = permissions[what];
    return permission !== undefined && ability.can(permission, fields);
  };
  const [seesGroups, seesRoles] = [may('groups'), may('roles')];
  return {
    seesGroups,
    sees({ actor, grants }) {
      if (actor.id === own) return true;
      if (actor.type === 'service') return may('serviceTokens');
      const isByGroup = grants.every(({ groupId }) => groupId !== null);
      return (
        (seesGroups || !isByGroup) &&
        (actor.type === 'user' ? may('member') : may('identity', { identityId: actor.id }))
      );
    },
    // The rights of a service token depend on its creator's roles.
    seesRules: (actor, { kind }) => seesRoles || kind === 'privilege' || actor.id === own,
  };
}
