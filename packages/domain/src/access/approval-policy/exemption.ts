import { isId, notFound, statement, type Actor, type Context, type Transaction } from '../../kernel/index.ts';
import { abilityIn, authorize, organizationOf } from '../access.ts';
import { entersAllProjectsUntil, isCoveredByAllProjects } from '../all-projects.ts';
import { beyondBoundary } from '../boundary.ts';
import { projectsOfOthersAreBeyond } from '../holdings.ts';
import { FOREVER, mayUntil, type Until } from '../period.ts';
import { approvalPermissions, type ChangePolicy } from './policy.ts';

/**
 * Whether an actor writes without the approvals of a change policy. A policy may name machine identities, or exempt all
 * machines, service tokens among them. Users are never exempt, nor is Coffer itself.
 */
export function isExempt(
  { exemptIdentityIds, exemptMachines }: Pick<ChangePolicy, 'exemptIdentityIds' | 'exemptMachines'>,
  actor: Actor,
): boolean {
  if (actor.type === 'service') return exemptMachines;
  return actor.type === 'identity' && (exemptMachines || exemptIdentityIds.includes(actor.id));
}

/** A resource in a project. */
export interface InProject {
  readonly projectId: string;
}

interface Exemptions {
  readonly exemptIdentityIds?: readonly string[] | undefined;
  readonly exemptMachines?: boolean | undefined;
}

/**
 * Checks the right to exempt an identity: the permanent right to edit policies, also for a new policy, because an
 * exemption is permanent.
 *
 * @throws DomainError 403.
 */
export async function requireMayExempt(
  ctx: Context,
  projectId: string,
  { exemptIdentityIds = [], exemptMachines = false }: Exemptions,
): Promise<void> {
  if (exemptIdentityIds.length === 0 && !exemptMachines) return;
  await authorize(ctx, approvalPermissions.edit, { projectId });
  await requireMayDecidePolicies(ctx, projectId, 'edit');
}

/** What is done with a policy. */
type PolicyAction = 'create' | 'edit' | 'delete';

/**
 * Checks that the caller has the permanent right to the policies of a project, before it creates, updates or deletes one:
 * the effects outlast a temporary right, and approvers stay.
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export const requireMayDecidePolicies = (ctx: Context, projectId: string, action: PolicyAction): Promise<void> =>
  requireMayEditPolicies(ctx, [{ projectId }], FOREVER, action);

/** The IDs, of the given ones, of machine identities in the project. */
const FIND = statement(
  'approval_policies.find_exempt',
  `select distinct i.id from identities i join effective_memberships h on h.actor_id = i.id
   where h.organization_id = $1 and h.project_id = $2 and i.id::text = any($3::text[])`,
);
const REMOVE = statement(
  'approval_policies.remove_exempt',
  'delete from approval_policy_exemptions where policy_id = $1 and not (identity_id = any($2::uuid[]))',
);
const ADD = statement(
  'approval_policies.add_exempt',
  `insert into approval_policy_exemptions (organization_id, policy_id, identity_id, created_at)
   select $1, $2, unnest($3::uuid[]), $4 on conflict do nothing`,
);
const PRESENT = statement(
  'approval_policies.exempt',
  'select identity_id as id from approval_policy_exemptions where policy_id = $1',
);

/**
 * Sets the machine identities that a policy exempts.
 *
 * @throws DomainError 404 for one that is not in the project, unless the policy already names it.
 */
export async function setExemptIdentities(
  tx: Transaction,
  { id, projectId }: Pick<ChangePolicy, 'id' | 'projectId'>,
  identityIds: readonly string[],
): Promise<void> {
  const organizationId = organizationOf(tx);
  const wanted = [...new Set(identityIds)];
  const inProject = await tx.sql<{ id: string }>(FIND, [organizationId, projectId, wanted]);
  const kept = await tx.sql<{ id: string }>(PRESENT, [id]);
  const known = new Set([...inProject, ...kept].map((row) => row.id));
  if (wanted.some((one) => !known.has(one))) throw notFound('identity');
  await tx.sql(REMOVE, [id, wanted]);
  await tx.sql(ADD, [organizationId, id, wanted, tx.now()]);
}

/** The projects in which an identity ($2) is exempt from a change policy, or would be once it is let in again. */
const WHERE_EXEMPT = statement(
  'approval_policies.where_exempt',
  `select distinct p.project_id as "projectId" from approval_policies p
   where p.organization_id = $1 and p.kind = 'change' and p.deleted_at is null and (
     exists (select 1 from approval_policy_exemptions x where x.policy_id = p.id and x.identity_id = $2)
     or p.exempt_machines and exists (select 1 from memberships m where m.organization_id = $1 and m.project_id = p.project_id
       and (m.actor_id = $2 or m.group_id in (select g.group_id from group_members g where g.actor_id = $2))))
   order by 1`,
);

/**
 * Checks that the caller may edit the change policies that exempt an identity, before the caller gains control of that
 * identity: otherwise the caller could bypass them. The right must last for as long as the caller, or an actor that it
 * admits, can act as the identity (`until`).
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export async function requireExemptionsWithin(
  ctx: Context,
  organizationId: string,
  identityId: string,
  until: Until,
): Promise<void> {
  const { actor } = ctx;
  if (actor.type === 'platform' || ('id' in actor && actor.id === identityId)) return;
  const places = await ctx.sql<InProject>(WHERE_EXEMPT, [organizationId, identityId]);
  await requireMayEditPolicies(ctx, places, until);
}

/**
 * Checks that the caller may edit the policies of some projects until the given time.
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export async function requireMayEditPolicies(
  ctx: Context,
  places: readonly InProject[],
  until: Until,
  action: PolicyAction = 'edit',
): Promise<void> {
  if (places.length === 0) return;
  const organizationId = organizationOf(ctx);
  if (isCoveredByAllProjects(ctx, await entersAllProjectsUntil(ctx, organizationId), until)) return;
  for (const { projectId } of places)
    await requireHeld(ctx, { organizationId, projectId }, action, until).catch(projectsOfOthersAreBeyond);
}

/** The ability decides by the address of the caller; the period decides for how long. */
async function requireHeld(
  ctx: Context,
  place: { organizationId: string; projectId: string },
  action: PolicyAction,
  until: Until,
): Promise<void> {
  const missing = [{ subject: 'secret-approval', action }];
  const ability = await abilityIn(ctx, place.projectId);
  if (!ability.can(approvalPermissions[action], { projectId: place.projectId })) throw beyondBoundary(missing);
  if (until === 'now') return;
  const heldUntil = await mayUntil(ctx, place, approvalPermissions[action]);
  if (heldUntil < until) throw beyondBoundary(missing, heldUntil > -FOREVER ? new Date(heldUntil) : undefined);
}

/**
 * The projects, of the given ones ($2), where a policy exempts one of the holders ($4), by name or with all machines.
 * Holders are machines if they are identities, groups with identities, or users with service tokens of the project,
 * which write with the rights of their creators. Without holders, the holder is a new machine.
 */
const EXEMPTS_MACHINES = statement(
  'approval_policies.exempts_machines',
  `with holders as materialized (
     select unnest($4::uuid[]) as id
     union select g.actor_id from group_members g where g.organization_id = $1 and g.group_id = any($4)
   ), machines as materialized (select i.id from identities i join holders h on h.id = i.id)
   select distinct p.project_id as "projectId" from approval_policies p join environments e on e.id = p.environment_id
   where p.organization_id = $1 and p.kind = 'change' and p.deleted_at is null
     and p.project_id = any($2::uuid[]) and ($3::text[] is null or e.slug = any($3))
     and (exists (select 1 from approval_policy_exemptions x join machines m on m.id = x.identity_id where x.policy_id = p.id)
       or p.exempt_machines and ($4 is null or exists (select 1 from machines) or exists (
         select 1 from service_tokens t join holders h on h.id = t.created_by
         where t.project_id = p.project_id and coalesce(t.expires_at > $5, true))))
   order by 1`,
);

/** Rights that a machine is about to be given. */
export interface MachineRights {
  readonly projectIds: readonly string[];
  /** The environments in which they count; default: any. */
  readonly environments?: readonly string[];
  /** The actors and groups that get them, machines or not; absent for a machine that is new. */
  readonly holderIds?: readonly string[];
  /** The end of the grants; `-Infinity` if nothing is granted. */
  readonly until: Until;
}

/**
 * Checks that the caller may edit change policies for as long as the granted rights last, before it grants rights to a
 * machine in projects where a policy exempts it, by name or with all machines.
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export async function requireMayGiveMachineRights(
  ctx: Context,
  { projectIds, environments, holderIds, until }: MachineRights,
): Promise<void> {
  if (ctx.actor.type === 'platform' || projectIds.length === 0 || until === -FOREVER) return;
  const places = await ctx.sql<InProject>(EXEMPTS_MACHINES, [
    organizationOf(ctx),
    projectIds,
    environments ?? null,
    holderIds?.filter(isId) ?? null,
    ctx.now(),
  ]);
  await requireMayEditPolicies(ctx, places, until);
}
