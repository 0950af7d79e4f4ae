import { isId, statement, type Transaction } from '../../kernel/index.ts';
import { organizationOf } from '../access.ts';
import { lockOrganization } from '../membership/index.ts';
import { FOREVER, type Until } from '../period.ts';
import { requireMayEditPolicies, requireMayGiveMachineRights, type InProject } from './exemption.ts';

/** Who is about to belong to projects. */
export interface LettingIn {
  /** Users, machine identities and groups; of a group, its members count. */
  readonly holderIds: readonly string[];
  /**
   * The places that they join; absent: everywhere, as for somebody who is reactivated, or who gains control of an
   * account.
   */
  readonly projectIds?: readonly string[];
  /** The group that they join, if any. */
  readonly groupId?: string;
  /** When the rights end that they get there. */
  readonly until: Until;
}

/**
 * The projects ($3; null: all) in which a policy names one of the holders ($2), one of their users, or a group that
 * contains one of these; and those in which a policy names the group that users of them join ($4).
 */
const WHERE_APPROVERS = statement(
  'approval_policies.where_approvers',
  `with users_let_in as materialized (
     select u.id from users u where u.id = any($2::uuid[])
     union
     select u.id from group_members g join users u on u.id = g.actor_id
     where g.organization_id = $1 and g.group_id = any($2)
   ), named as materialized (
     select unnest($2::uuid[]) as id union select id from users_let_in
     union select g.group_id from users_let_in u join group_members g on g.actor_id = u.id and g.organization_id = $1
   )
   select distinct p.project_id as "projectId" from approval_policies p
   join approval_policy_approvers a on a.policy_id = p.id
   where p.organization_id = $1 and p.deleted_at is null and (
     a.group_id = $4::uuid and exists (select 1 from users_let_in)
     or ($3::uuid[] is null or p.project_id = any($3)) and exists (select 1 from named n where n.id in (a.user_id, a.group_id)))
   order by 1`,
);

/** The projects to which some actors ($2) belong as soon as the organization lets them in. */
const PROJECTS = statement(
  'approval_policies.projects_of_actors',
  `select m.project_id as "projectId" from memberships m
   where m.organization_id = $1 and m.project_id is not null and m.actor_id = any($2::uuid[])
   union
   select m.project_id from group_members g
   join memberships m on m.group_id = g.group_id and m.organization_id = $1 and m.project_id is not null
   where g.organization_id = $1 and g.actor_id = any($2)`,
);

/**
 * Called by every operation that adds actors to a project, or to a group that may be in projects, or restores their
 * membership: before any change, in the same transaction, and after a lock, so that of two concurrent changes the
 * second sees the first. Policies may still name actors that have left the project. So adding approvers, by name or by
 * any of their groups, or exempt machines, needs the right to edit the policies.
 *
 * @throws DomainError 403 `PermissionBoundaryError`.
 */
export async function requireMayLetIn(
  tx: Transaction,
  { holderIds: given, projectIds, groupId, until }: LettingIn,
): Promise<void> {
  const organizationId = organizationOf(tx);
  await lockOrganization(tx);
  // Callers reject an invalid ID as unknown.
  const holderIds = given.filter(isId);
  if (tx.actor.type === 'platform' || holderIds.length === 0) return;
  const approving = await tx.sql<InProject>(WHERE_APPROVERS, [
    organizationId,
    holderIds,
    projectIds ?? null,
    groupId ?? null,
  ]);
  await requireMayEditPolicies(tx, approving, FOREVER);
  const entered =
    projectIds ?? (await tx.sql<InProject>(PROJECTS, [organizationId, holderIds])).map(({ projectId }) => projectId);
  await requireMayGiveMachineRights(tx, { projectIds: entered, holderIds, until });
}
