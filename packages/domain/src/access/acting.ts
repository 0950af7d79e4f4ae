import {
  RightsChanged,
  statement,
  type Actor,
  type Context,
  type MaybePromise,
  type Ability,
  type ServiceActor,
  type Transaction,
  type UserActor,
} from '../kernel/index.ts';
import { changesRights } from './ability-cache.ts';
import { organizationOf, passByRows } from './access.ts';
import type { Place } from './grants.ts';
import { areSameRights, hasSameRights, type UsedRights } from './same-rights.ts';

/** A user, machine identity or service token that something is done for in its absence. */
export interface AbsentActor {
  readonly type: 'user' | 'identity' | 'service';
  readonly id: string;
}

const ACTOR = statement(
  'approvers.actor',
  `select id, username, email, first_name as "firstName", last_name as "lastName",
     is_super_admin as "isSuperAdmin"
   from users where id = $1`,
);

/** A user as an actor, to evaluate its rights in its absence; `undefined` if it was deleted. */
export async function actorOf(ctx: Context, userId: string): Promise<UserActor | undefined> {
  const [row] = await ctx.sql<{
    id: string;
    username: string;
    email: string | null;
    firstName: string | null;
    lastName: string | null;
    isSuperAdmin: boolean;
  }>(ACTOR, [userId]);
  return (
    row && {
      type: 'user',
      id: row.id,
      name: [row.firstName, row.lastName].filter(Boolean).join(' ') || row.username,
      email: row.email,
      username: row.username,
      sessionId: undefined,
      isSuperAdmin: row.isSuperAdmin,
      organizationId: organizationOf(ctx),
    }
  );
}

/** No token: rules about the login of a token do not count in its absence. */
const NO_TOKEN = '00000000-0000-0000-0000-000000000000';

const IDENTITY = statement('absent.identity', 'select name from identities where organization_id = $1 and id = $2');
const SERVICE = statement(
  'absent.service_token',
  `select t.id, t.name, t.scopes, t.permissions, t.created_by as "createdBy" from service_tokens t
   where t.organization_id = $1 and t.project_id = $2 and t.id = $3 and (t.expires_at is null or t.expires_at > $4)
     and exists (select 1 from effective_memberships h
       where h.organization_id = $1 and h.project_id = $2 and h.actor_id = t.created_by)`,
);

/**
 * An absent actor as a caller, with its current rights. `undefined` if it was deleted, and for a service token of
 * another project, an expired one, or one whose creator has left the project.
 */
export async function absentActor(
  ctx: Context,
  { organizationId, projectId }: { readonly organizationId: string; readonly projectId: string },
  { type, id }: AbsentActor,
): Promise<Actor | undefined> {
  if (type === 'user') return actorOf(ctx, id);
  if (type === 'identity') {
    const [identity] = await ctx.sql<{ name: string }>(IDENTITY, [organizationId, id]);
    return (
      identity && { type, id, ...identity, organizationId, tokenId: NO_TOKEN, authMethod: '', isSuperAdmin: false }
    );
  }
  const [token] = await ctx.sql<Pick<ServiceActor, 'id' | 'name' | 'scopes' | 'permissions' | 'createdBy'>>(SERVICE, [
    organizationId,
    projectId,
    id,
    ctx.now(),
  ]);
  return token && { type, organizationId, projectId, ...token };
}

/** A context with another actor. The address is that of the caller, so it is not checked against the trusted IPs of projects. */
const withActor = <C extends Context>(ctx: C, actor: Actor, own: Partial<Record<keyof Context, unknown>>): C =>
  Object.create(ctx, {
    actor: { value: actor },
    granted: { value: new Set<string>() },
    passed: { value: [] },
    request: { value: Object.create(ctx.request, { isBackground: { value: true } }) },
    ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, { value }])),
  }) as C;

/**
 * The same transaction, run as another actor: rights are checked for that actor, and writes are its own. The rights that it
 * has used there are asked again before the commit, as those of the caller are. Coffer itself has none that could end.
 */
export function actingAs(tx: Transaction, actor: Actor): Transaction {
  if (!('id' in actor)) return withActor(tx, actor, {});
  const used: UsedRights[] = [];
  const note = (ctx: Context, place: Place, ability: Ability): Ability => {
    const isNoted = () => used.some((one) => isSamePlace(one.place, place) && areSameRights(one.ability, ability));
    if (!changesRights(ctx, place) && !isNoted()) used.push({ place, ability });
    return ability;
  };
  const acting = withActor(tx, actor, {
    passedByRows: [],
    ability: (ctx: Context, place: Place): MaybePromise<Ability> => {
      const found = tx.ability(ctx, place);
      return found instanceof Promise ? found.then((ability) => note(ctx, place, ability)) : note(ctx, place, found);
    },
  });
  passByRows(tx, async (again, committed) => {
    const own = { passedByRows: acting.passedByRows };
    const projectId = actor.type === 'service' ? actor.projectId : '';
    const present = await absentActor(again, { organizationId: organizationOf(acting), projectId }, actor);
    if (present && (await hasSameRights(withActor(again, present, own), used, withActor(committed, present, own))))
      return;
    throw new RightsChanged();
  });
  return acting;
}

const isSamePlace = (one: Place, other: Place): boolean =>
  one.organizationId === other.organizationId && one.projectId === other.projectId;
