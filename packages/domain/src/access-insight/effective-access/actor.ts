import { eventOf, isId, mapInTurns, notFound, statement, type Context, type Permission } from '../../kernel/index.ts';
import {
  abilityIn,
  authorize,
  grant as noteGranted,
  grantsOf,
  isUnconditional,
  organizationOf,
  organizationPermissions,
  projectPermissions,
  publishRules,
  rulesAt,
  subjectsOf,
  unlessHidden,
  type Place,
  type RuleSet,
} from '../../access/index.ts';
import { visibilityOf, toHolders, type HeldGrant, type Holder } from './holders.ts';
import { findPlace } from './place.ts';
import { Publisher } from './publish.ts';
import { RuleSets } from './rule-sets.ts';
import { accessViewed, type ActorAccess, type ActorAccessQuery } from './insight.ts';

/** The cost of publishing one rule, as of `WorkBudget`. */
const COST = 5;

/** An actor of an organization, at one of its projects or the organization itself. */
export interface QueriedActor extends ActorAccessQuery {
  readonly projectId?: string | undefined;
  readonly userId?: string;
  readonly identityId?: string;
}

/**
 * The effective permissions of an actor in a project, or in the organization if none is named: its grants, the
 * resulting rules, their decision for each subject and action and, if a place is given, for that place.
 *
 * @throws DomainError 403 for callers who may not read members of its kind; 404 if it is not a member, or only by a
 * group and the caller may not read groups.
 */
export async function getActorAccess(ctx: Context, asked: QueriedActor): Promise<ActorAccess> {
  const { projectId, userId, identityId } = asked;
  const id = userId ?? identityId!;
  const [members, identities] = projectId
    ? [projectPermissions('member'), projectPermissions('identity')]
    : [organizationPermissions('member'), organizationPermissions('identity')];
  const needed = userId === undefined ? identities.read : members.read;
  const isOwn = 'id' in ctx.actor && ctx.actor.id === id;
  if (isOwn) noteGranted(ctx, needed);
  else await authorize(ctx, needed, { projectId, ...(identityId !== undefined && { identityId }) });
  return show(ctx, asked, id, userId === undefined ? 'identity' : 'user');
}

/** The effective permissions of the caller; see `getActorAccess`. Needs no permission. */
export async function getOwnAccess(
  ctx: Context,
  asked: ActorAccessQuery & { projectId?: string },
): Promise<ActorAccess> {
  const { actor } = ctx;
  if (actor.type !== 'user' && actor.type !== 'identity') throw notFound('membership');
  return show(ctx, asked, actor.id, actor.type);
}

async function show(
  ctx: Context,
  asked: ActorAccessQuery & { projectId?: string | undefined },
  id: string,
  type: 'user' | 'identity',
): Promise<ActorAccess> {
  const { projectId, environment, secretPath, secretName } = asked;
  const place = { organizationId: organizationOf(ctx), projectId };
  const ability = await abilityIn(ctx, projectId);
  const visibility = visibilityOf(ctx, place, ability);
  const holder = isId(id) ? await findHolder(ctx, place, id) : undefined;
  if (!holder || holder.actor.type !== type || !visibility.sees(holder)) throw notFound('membership');
  if (!projectId && 'id' in ctx.actor && ctx.actor.id !== id) await requireInItsProject(ctx, id);
  const found =
    projectId !== undefined && environment !== undefined
      ? await findPlace(ctx, ability, { projectId, environment, secretPath: secretPath ?? '/', secretName })
      : undefined;

  const now = ctx.now().getTime();
  const { rules, sources, until } = rulesAt(holder.grants, now, holder.facts);
  const indexOf = new Map<HeldGrant, number>(holder.grants.map((grant, index) => [grant, index]));
  const book = new RuleSets().of(rules);
  const publisher = await Publisher.for(ctx, place.organizationId, visibility, [holder]);
  const where = { environment: environment ?? null, secretPath: secretPath ?? null, secretName: secretName ?? null };
  await ctx.commitRead(eventOf(accessViewed, { actorId: id, ...where }, { projectId: projectId ?? null }), ctx);
  return {
    actor: holder.actor,
    grants: holder.grants.map((one) => ({
      ...publisher.grant(one),
      state: one.start > now ? ('upcoming' as const) : one.end > now ? ('active' as const) : ('over' as const),
      rules: visibility.seesRules(holder.actor, one) ? publishRules(one.rules) : null,
    })),
    rules: await mapInTurns(rules.entries(), COST, ([index, rule]) => ({
      grant: indexOf.get(sources[index]!)!,
      rule: publisher.rule(holder, sources[index]!, rule),
      allows: rule.inverted !== true,
    })),
    table: tableOf(book, projectId === undefined ? 'organization' : 'project'),
    decisions:
      found?.permissions.map((permission) => publisher.decision(holder, book, sources, permission, found.fields)) ??
      null,
    changesAt: Number.isFinite(until) ? new Date(until) : null,
  };
}

const PROJECT_OF = statement(
  'access.project_of_identity',
  'select project_id as id from identities where organization_id = $1 and id = $2 and project_id is not null',
);

/** A machine identity of a project is visible only to those who may read it there, also in the organization. */
async function requireInItsProject(ctx: Context, identityId: string): Promise<void> {
  const [project] = await ctx.sql<{ id: string }>(PROJECT_OF, [organizationOf(ctx), identityId]);
  if (!project) return;
  const ability = await unlessHidden('membership', abilityIn(ctx, project.id));
  if (!ability.can(projectPermissions('identity').read, { projectId: project.id, identityId }))
    throw notFound('membership');
}

async function findHolder(ctx: Context, place: Place, id: string): Promise<Holder | undefined> {
  const grants = await grantsOf(ctx, place, id);
  return grants.length > 0 ? (await toHolders(ctx, place.organizationId, new Map([[id, grants]])))[0] : undefined;
}

/** The decision of rules for each subject and action: always, never, or depending on the resource. */
function tableOf(book: RuleSet, scope: 'project' | 'organization'): ActorAccess['table'] {
  return Object.entries(subjectsOf(scope)).flatMap(([subject, { actions, conditions = [] }]) =>
    actions.map((action) => {
      const rules = deciding(book, { scope, subject, action, key: `${scope}:${subject}:${action}` });
      const allows = rules.map((index) => book.rules[index]!.inverted !== true);
      const isFinal = rules.length > 0 && isUnconditional(book.rules[rules.at(-1)!]!);
      const access = allows.every((one) => !one)
        ? ('never' as const)
        : isFinal && allows.every(Boolean)
          ? ('always' as const)
          : ('sometimes' as const);
      return { subject, action, access, rules, conditions: [...conditions] };
    }),
  );
}

/** The rules that may decide, last first, up to one without conditions. */
function deciding(book: RuleSet, permission: Permission): number[] {
  const rules: number[] = [];
  for (const index of book.rulesFor(permission).toReversed()) {
    rules.push(index);
    if (isUnconditional(book.rules[index]!)) break;
  }
  return rules;
}
