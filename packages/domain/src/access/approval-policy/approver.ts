import { forbidden, statement, type Context } from '../../kernel/index.ts';
import { organizationOf, passByRows } from '../access.ts';
import type { ApprovalPerson } from './approval-person.ts';
import type { ApprovalPolicy } from './policy.ts';

/** Somebody who may approve under a policy now: named by it, or a member of a group that is, and a member of the project. */
export interface PresentApprover {
  readonly userId: string;
}

/** The current approvers under some policies. There may be policies times people: each question looks at its own. */
export class Approvers {
  readonly #byPolicy: ReadonlyMap<string, readonly PresentApprover[]>;

  constructor(byPolicy: ReadonlyMap<string, readonly PresentApprover[]>) {
    this.#byPolicy = byPolicy;
  }

  of(policyId: string): readonly PresentApprover[] {
    return this.#byPolicy.get(policyId) ?? [];
  }

  /** Everyone who may approve under any of some policies. */
  under(policyIds: readonly string[]): PresentApprover[] {
    const ids = new Set(policyIds.flatMap((id) => this.of(id).map(({ userId }) => userId)));
    return Array.from(ids, (userId) => ({ userId }));
  }

  includes(userId: string, policyIds: readonly string[]): boolean {
    return policyIds.some((id) => this.of(id).some((one) => one.userId === userId));
  }
}

const PRESENT = statement(
  'approvers.present',
  `select a.policy_id as "policyId", array_agg(distinct h.actor_id) as "userIds"
   from approval_policy_approvers a
   join effective_memberships h on h.organization_id = $1 and h.project_id = $2 and (h.actor_id = a.user_id
     or h.actor_id in (select g.actor_id from group_members g where g.group_id = a.group_id))
   join users u on u.id = h.actor_id
   where a.policy_id = any($3::uuid[]) group by a.policy_id`,
);

/** All current approvers under some policies of a project. */
export async function approversOf(ctx: Context, projectId: string, policyIds: readonly string[]): Promise<Approvers> {
  const values = [organizationOf(ctx), projectId, [...new Set(policyIds)]];
  const rows = await ctx.sql<{ policyId: string; userIds: string[] }>(PRESENT, values);
  return new Approvers(new Map(rows.map(({ policyId, userIds }) => [policyId, userIds.map((userId) => ({ userId }))])));
}

/** About how many bytes an approver has in an answer. */
const APPROVER_BYTES = 50;

/** How many bytes the approvers have in an answer that repeats them for each of some policies. */
export const approverBytes = (approvers: Approvers, policyIds: readonly string[]): number =>
  APPROVER_BYTES * policyIds.reduce((sum, id) => sum + approvers.of(id).length, 0);

const PEOPLE = statement(
  'approvers.people',
  `select id as "userId", username, email, first_name as "firstName", last_name as "lastName" from users
   where id = any($1::uuid[])`,
);

export async function peopleById(ctx: Context, ids: readonly (string | null)[]): Promise<Map<string, ApprovalPerson>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  const rows = wanted.length === 0 ? [] : await ctx.sql<ApprovalPerson>(PEOPLE, [wanted]);
  return new Map(rows.map((row) => [row.userId, row]));
}

/** The approvers under some policies of a project now, with their addresses, but for one person. */
export async function approversToNotify(
  ctx: Context,
  { projectId, policyIds, exceptId }: { projectId: string; policyIds: readonly string[]; exceptId: string | null },
): Promise<{ id: string; email: string | null }[]> {
  const approvers = await approversOf(ctx, projectId, policyIds);
  const people = await peopleById(
    ctx,
    approvers.under(policyIds).map(({ userId }) => userId),
  );
  return [...people.values()].flatMap(({ userId: id, email }) => (id === exceptId ? [] : [{ id, email }]));
}

/** @throws DomainError 403 for actors that may not approve under any of some policies now. */
export async function requireApprover(
  ctx: Context,
  userId: string,
  projectId: string,
  policies: readonly Pick<ApprovalPolicy, 'id'>[],
): Promise<void> {
  const ids = policies.map(({ id }) => id);
  if (!(await approversOf(ctx, projectId, ids)).includes(userId, ids))
    throw forbidden('approval.no_approver', 'You are not an approver of this request', { name: 'ForbiddenError' });
  passByRows(ctx, (again) => requireApprover(again, userId, projectId, policies));
}
