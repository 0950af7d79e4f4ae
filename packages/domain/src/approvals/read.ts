import { projectIdBySlug, publishRules, publishWindow } from '../access/index.ts';
import { atOrNull, isId, mapInTurns, readInRoom, statement, type AnswerRoom, type Context } from '../kernel/index.ts';
import {
  approverBytes,
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
  `select ${COLUMNS}, v.membership_id as "privilegeMembership",
     v.is_temporary as "privilegeIsTemporary", v.temporary_mode as "privilegeMode", v.temporary_range as "privilegeRange",
     v.temporary_access_start_time as "privilegeStart", v.temporary_access_end_time as "privilegeEnd"
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
  privilegeMembership: string | null;
  privilegeIsTemporary: boolean | null;
  privilegeMode: 'relative' | null;
  privilegeRange: string | null;
  privilegeStart: string | null;
  privilegeEnd: string | null;
}

/**
 * The requests of a project, newest first: those that concern the caller, or all if the caller may see all.
 *
 * @throws DomainError 400 `answer.too_large` where many policies with many approvers apply to many requests.
 */
export function listAccessRequests(ctx: Context, input: ListAccessRequests): Promise<ListedAccessRequest[]> {
  return readInRoom(ctx, (room) => listIn(ctx, input, room));
}

async function listIn(ctx: Context, input: ListAccessRequests, room: AnswerRoom): Promise<ListedAccessRequest[]> {
  const { projectSlug, authorProjectMembershipId: author, envSlug, limit, offset } = input;
  const who = await viewerOf(ctx, await projectIdBySlug(ctx, projectSlug));
  if (author !== undefined && !isId(author)) return [];
  const rows = await ctx.sql<ListedRow>(LIST, [...who, author ?? null, envSlug || null, limit, offset]);
  const policyIds = rows.flatMap(policyIdsOf);
  const policies = await policiesById(ctx, 'access', policyIds);
  const approvers = await approversOf(ctx, who[1], policyIds);
  for (const row of rows) room.take(approverBytes(approvers, [row.policyId, ...policyIdsOf(row)]));
  const reviews = await reviewsOf(
    ctx,
    'access',
    rows.map(({ id }) => id),
  );
  const people = await peopleById(
    ctx,
    rows.map((row) => row.requestedByUserId),
  );
  return mapInTurns(rows, COST_OF_REQUEST, (row) => {
    const policy = policies.get(row.policyId)!;
    const published = (one: ApprovalPolicy) => ({
      ...one,
      approvers: [...approvers.of(one.id)],
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
      requestedByUser: people.get(row.requestedByUserId) ?? null,
    };
  });
}

/** Of one in the list, with all its policies and approvers, as of `WorkBudget`. */
const COST_OF_REQUEST = 500;

const policyIdsOf = (row: RequestRow): readonly string[] => row.policyIds ?? [row.policyId];

/** With the permissions that were requested: others that it may have by now are for those who may read it. */
const privilegeOf = (row: ListedRow): ListedAccessRequest['privilege'] =>
  row.privilegeMembership === null
    ? null
    : {
        membershipId: row.privilegeMembership,
        permissions: publishRules(row.permissions),
        ...publishWindow({
          isTemporary: row.privilegeIsTemporary ?? false,
          temporaryMode: row.privilegeMode,
          temporaryRange: row.privilegeRange,
          temporaryAccessStartTime: atOrNull(row.privilegeStart),
          temporaryAccessEndTime: atOrNull(row.privilegeEnd),
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
