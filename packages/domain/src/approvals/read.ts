import { projectIdBySlug, publishRules, publishWindow } from '../access/index.ts';
import { atOrNull, isId, statement, type Context, type Rule } from '../kernel/index.ts';
import {
  approversOf,
  peopleById,
  policiesById,
  reviewsOf,
  viewerOf,
  visibleTo,
  type ApprovalPolicy,
} from '../access/approval-policy/index.ts';
import type { ListAccessRequests, ListedAccessRequest } from './access-request.ts';
import { COLUMNS, POLICY_IDS, toRequest, type RequestRow } from './row.ts';

const VISIBLE = visibleTo('r.requested_by_user_id', POLICY_IDS);

const LIST = statement(
  'access_approvals.list',
  `select ${COLUMNS}, v.membership_id as privilege_membership, v.permissions as privilege_permissions,
     v.is_temporary as privilege_is_temporary, v.temporary_mode as privilege_mode, v.temporary_range as privilege_range,
     v.temporary_access_start_time as privilege_start, v.temporary_access_end_time as privilege_end
   from access_approval_requests r left join additional_privileges v on v.id = r.privilege_id
   join approval_policies p on p.id = r.policy_id join environments e on e.id = p.environment_id
   where ${VISIBLE} and ($5::uuid is null or r.membership_id = $5) and ($6::text is null or e.slug = $6)
   order by r.created_at desc, r.id desc limit $7 offset $8`,
);
const COUNT = statement(
  'access_approvals.count',
  `select count(*) filter (where r.status = 'pending')::integer as "pendingCount",
     count(*) filter (where r.status <> 'pending')::integer as "finalizedCount"
   from access_approval_requests r where ${VISIBLE}`,
);

interface ListedRow extends RequestRow {
  privilege_membership: string | null;
  privilege_permissions: Rule[] | null;
  privilege_is_temporary: boolean | null;
  privilege_mode: 'relative' | null;
  privilege_range: string | null;
  privilege_start: string | null;
  privilege_end: string | null;
}

/** The requests of a project, newest first: those that concern the caller, or all if the caller may see all. */
export async function listAccessRequests(ctx: Context, input: ListAccessRequests): Promise<ListedAccessRequest[]> {
  const { projectSlug, authorProjectMembershipId: author, envSlug, limit, offset } = input;
  const who = await viewerOf(ctx, await projectIdBySlug(ctx, projectSlug));
  if (author !== undefined && !isId(author)) return [];
  const rows = await ctx.sql<ListedRow>(LIST, [...who, author ?? null, envSlug || null, limit, offset]);
  const policyIds = rows.flatMap(policyIdsOf);
  const policies = await policiesById(ctx, 'access', policyIds);
  const approvers = await approversOf(ctx, who[1], policyIds);
  const reviews = await reviewsOf(
    ctx,
    'access',
    rows.map(({ id }) => id),
  );
  const people = await peopleById(
    ctx,
    rows.map((row) => row.requested_by_user_id),
  );
  return rows.map((row) => {
    const policy = policies.get(row.policy_id)!;
    const published = (one: ApprovalPolicy) => ({
      ...one,
      approvers: approvers.flatMap(({ policyId, userId }) => (policyId === one.id ? { userId } : [])),
    });
    return {
      ...toRequest(row),
      environment: policy.environment.slug,
      environmentName: policy.environment.name,
      isApproved: row.status === 'approved',
      privilege: privilegeOf(row),
      policy: published(policy),
      policies: policyIdsOf(row).flatMap((id) => {
        const one = policies.get(id);
        return one && !one.deletedAt ? published(one) : [];
      }),
      reviewers: (reviews.get(row.id) ?? []).map(({ reviewerUserId: userId, status }) => ({ userId, status })),
      requestedByUser: people.get(row.requested_by_user_id) ?? null,
    };
  });
}

const policyIdsOf = (row: RequestRow): readonly string[] => row.policy_ids ?? [row.policy_id];

const privilegeOf = (row: ListedRow): ListedAccessRequest['privilege'] =>
  row.privilege_membership === null
    ? null
    : {
        membershipId: row.privilege_membership,
        permissions: publishRules(row.privilege_permissions ?? []),
        ...publishWindow({
          isTemporary: row.privilege_is_temporary ?? false,
          temporaryMode: row.privilege_mode,
          temporaryRange: row.privilege_range,
          temporaryAccessStartTime: atOrNull(row.privilege_start),
          temporaryAccessEndTime: atOrNull(row.privilege_end),
        }),
      };

/** How many requests of a project that the caller sees wait, and how many do not. */
export async function countAccessRequests(
  ctx: Context,
  { projectSlug }: { projectSlug: string },
): Promise<{ pendingCount: number; finalizedCount: number }> {
  const [counted] = await ctx.sql<{ pendingCount: number; finalizedCount: number }>(
    COUNT,
    await viewerOf(ctx, await projectIdBySlug(ctx, projectSlug)),
  );
  return counted!;
}
