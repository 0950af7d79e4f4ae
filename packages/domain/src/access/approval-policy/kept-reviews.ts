import { isDeepStrictEqual } from 'node:util';
import {
  at,
  newId,
  RightsChanged,
  statement,
  type Context,
  type MaybePromise,
  type Transaction,
} from '../../kernel/index.ts';
import { organizationOf, passByRows } from '../access.ts';
import type { ApprovalPolicy, PolicyKind } from './policy.ts';
import type { Review, ReviewStatus } from './review.ts';

/** A review, and whether it is for the current version of the request. */
export interface KeptReview extends Review {
  readonly contentVersion: number;
}

/** A request as its reviews need to know it. */
export interface Reviewed {
  readonly kind: PolicyKind;
  readonly id: string;
  readonly projectId: string;
  /** The subject of the reviews: reviews of earlier versions do not count. */
  readonly contentVersion: number;
}

interface Row {
  id: string;
  status: ReviewStatus;
  requestId: string;
  createdAt: string;
  updatedAt: string;
  reviewerUserId: string;
  comment: string | null;
  contentVersion: number;
}

const columnOf = { change: 'change_request_id', access: 'access_request_id' } as const;

const COLUMNS = (column: string) =>
  `r.id, r.status, r.${column} as "requestId", r.created_at as "createdAt", r.updated_at as "updatedAt",
  r.reviewer_user_id as "reviewerUserId", r.comment, r.content_version as "contentVersion"`;

/** The rows by which a user ($3) is currently an approver in a project ($2): see `approval_reviews`. */
const GROUNDS = `array(
  select a.id from approval_policies p cross join lateral (
    select id, user_id, group_id from approval_policy_approvers where policy_id = p.id offset 0) a
  where p.project_id = $2 and (a.user_id = $3 or a.group_id in (select g.group_id from group_members g where g.actor_id = $3))
  union all
  select g.id from group_members g where g.organization_id = $1 and g.actor_id = $3
  union all
  select h.membership_id from effective_memberships h where h.organization_id = $1 and h.project_id = $2 and h.actor_id = $3)`;

const save = (kind: PolicyKind) => {
  const column = columnOf[kind];
  return statement(
    `approval_reviews.save_${kind}`,
    `insert into approval_reviews as r (id, organization_id, ${column}, reviewer_user_id, status, comment, content_version,
       grounds, created_at, updated_at)
     values ($4, $1, $5, $3, $6, $7, $8, ${GROUNDS}, $9, $9)
     on conflict (${column}, reviewer_user_id) where ${column} is not null do update
       set status = excluded.status, comment = excluded.comment, content_version = excluded.content_version,
         grounds = excluded.grounds, updated_at = excluded.updated_at
     returning ${COLUMNS(column)}`,
  );
};
const SAVE = { change: save('change'), access: save('access') };

/** Stores the review and replaces the earlier one of the reviewer. */
export async function saveReview(
  tx: Transaction,
  { kind, id, projectId, contentVersion }: Reviewed,
  { userId, status, comment }: { userId: string; status: ReviewStatus; comment?: string | null | undefined },
): Promise<Review> {
  const who = [organizationOf(tx), projectId, userId];
  const what = [newId(), id, status, comment || null, contentVersion, tx.now()];
  const [row] = await tx.sql<Row>(SAVE[kind], [...who, ...what]);
  return toReview(row!);
}

const list = (kind: PolicyKind) =>
  statement(
    `approval_reviews.list_${kind}`,
    `select ${COLUMNS(columnOf[kind])} from approval_reviews r
     where r.organization_id = $1 and r.${columnOf[kind]} = any($2::uuid[]) order by r.updated_at, r.id`,
  );
const LIST = { change: list('change'), access: list('access') };

/** The reviews of some requests, by request. */
export async function reviewsOf(
  ctx: Context,
  kind: PolicyKind,
  requestIds: readonly string[],
): Promise<Map<string, KeptReview[]>> {
  const rows = requestIds.length === 0 ? [] : await ctx.sql<Row>(LIST[kind], [organizationOf(ctx), requestIds]);
  return Map.groupBy(rows.map(toReview), ({ requestId }) => requestId);
}

const toReview = (row: Row): KeptReview => ({
  id: row.id,
  status: row.status,
  requestId: row.requestId,
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  reviewerUserId: row.reviewerUserId,
  comment: row.comment,
  contentVersion: row.contentVersion,
});

const counted = (kind: PolicyKind) =>
  statement(
    `approval_reviews.counted_${kind}`,
    `select distinct w.request_id as "requestId", w.policy_id as "policyId", r.reviewer_user_id as "userId"
     from unnest($3::uuid[], $4::integer[], $5::uuid[]) as w (request_id, content_version, policy_id)
     cross join lateral (select reviewer_user_id, grounds from approval_reviews where ${columnOf[kind]} = w.request_id
       and content_version = w.content_version and organization_id = $1 and status = 'approved' offset 0) r
     join approval_policy_approvers a on a.policy_id = w.policy_id and a.id = any(r.grounds)
     where (a.user_id = r.reviewer_user_id or exists (select 1 from group_members g
         where g.group_id = a.group_id and g.actor_id = r.reviewer_user_id and g.id = any(r.grounds)))
       and exists (select 1 from effective_memberships h
         where h.organization_id = $1 and h.project_id = $2 and h.actor_id = r.reviewer_user_id
           and h.membership_id = any(r.grounds) and (h.group_id is null or exists (select 1 from group_members g
             where g.group_id = h.group_id and g.actor_id = h.actor_id and g.id = any(r.grounds))))`,
  );
const COUNTED = { change: counted('change'), access: counted('access') };

/** A request, the policies that it has to satisfy, and the users whose approvals of it are self-approvals. */
export interface Asking extends Pick<Reviewed, 'id' | 'contentVersion'> {
  readonly policies: readonly ApprovalPolicy[];
  readonly requesters: ReadonlySet<string>;
}

/** Approvals of a subject, by policy. */
export type Approvals = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The approvals of some requests of a project. An approval counts only for the current version of the request, and
 * while its reviewer keeps the rows by which it was an approver: a reviewer who left the project or group does not
 * count, also after coming back. An approval counts for each policy that names the reviewer. A self-approval counts
 * only if all policies of the request allow it.
 */
export async function countedApprovals(
  ctx: Context,
  kind: PolicyKind,
  projectId: string,
  requests: readonly Asking[],
): Promise<Map<string, Approvals>> {
  const asked = requests.flatMap(({ policies, ...request }) => policies.map((policy) => ({ ...request, policy })));
  const rows =
    asked.length === 0
      ? []
      : await ctx.sql<{ requestId: string; policyId: string; userId: string }>(COUNTED[kind], [
          organizationOf(ctx),
          projectId,
          asked.map(({ id }) => id),
          asked.map(({ contentVersion }) => contentVersion),
          asked.map(({ policy }) => policy.id),
        ]);
  const byRequest = Map.groupBy(rows, (row) => row.requestId);
  return new Map(
    requests.map(({ id, policies, requesters }) => {
      const isSelfAllowed = policies.every((policy) => policy.allowedSelfApprovals);
      const counting = (byRequest.get(id) ?? []).filter(({ userId }) => isSelfAllowed || !requesters.has(userId));
      const byPolicy = Map.groupBy(counting, (row) => row.policyId);
      const approvedBy = (policy: ApprovalPolicy) => new Set(byPolicy.get(policy.id)?.map(({ userId }) => userId));
      return [id, new Map(policies.map((policy) => [policy.id, approvedBy(policy)]))];
    }),
  );
}

/**
 * The approvals of a request by which a transaction decides. They are counted again before its commit: an approver may have left
 * while it waited.
 */
export async function decidingApprovals(
  tx: Transaction,
  kind: PolicyKind,
  projectId: string,
  askingIn: (ctx: Context) => MaybePromise<Asking>,
): Promise<Approvals> {
  const count = async (ctx: Context): Promise<Approvals> => {
    const asking = await askingIn(ctx);
    return (await countedApprovals(ctx, kind, projectId, [asking])).get(asking.id)!;
  };
  const approvals = await count(tx);
  passByRows(tx, async (again) => {
    if (!isDeepStrictEqual(await count(again), approvals)) throw new RightsChanged();
  });
  return approvals;
}

/** The policies that have not been satisfied: each needs its own number of approvals, by its own approvers. */
export const unsatisfied = (policies: readonly ApprovalPolicy[], approvals: Approvals): ApprovalPolicy[] =>
  policies.filter(({ id, approvals: needed }) => (approvals.get(id)?.size ?? 0) < needed);
