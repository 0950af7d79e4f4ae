import { at, type Rule } from '../kernel/index.ts';
import { publishRules, type TimeWindow } from '../access/index.ts';
import type { AccessRequest } from './access-request.ts';
import { packed } from './requested-rules.ts';

/** A stored request. */
export interface RequestRow {
  id: string;
  projectId: string;
  /** The policy that covers the whole request. */
  policyId: string;
  /** All policies that it must satisfy, that one first; null in requests of releases with only one. */
  policyIds: string[] | null;
  membershipId: string;
  requestedByUserId: string;
  permissions: Rule[];
  isTemporary: boolean;
  temporaryRange: string | null;
  note: string | null;
  status: AccessRequest['status'];
  privilegeId: string | null;
  createdAt: string;
  updatedAt: string;
}

/** The columns of a `RequestRow` from `access_approval_requests r`. */
export const COLUMNS = `r.id, r.project_id as "projectId", r.policy_id as "policyId", r.policy_ids as "policyIds",
  r.membership_id as "membershipId", r.requested_by_user_id as "requestedByUserId", r.permissions,
  r.is_temporary as "isTemporary", r.temporary_range as "temporaryRange", r.note, r.status,
  r.privilege_id as "privilegeId", r.created_at as "createdAt", r.updated_at as "updatedAt"`;

/** The SQL of the array of the policies of `access_approval_requests r`. */
export const POLICY_IDS = 'coalesce(r.policy_ids, array[r.policy_id])';

export const toRequest = (row: RequestRow): AccessRequest => ({
  id: row.id,
  policyId: row.policyId,
  privilegeId: row.privilegeId,
  requestedBy: row.membershipId,
  isTemporary: row.isTemporary,
  temporaryRange: row.temporaryRange,
  permissions: row.permissions.map(packed),
  rules: publishRules(row.permissions),
  createdAt: at(row.createdAt),
  updatedAt: at(row.updatedAt),
  requestedByUserId: row.requestedByUserId,
  note: row.note,
  status: row.status,
});

export const eventData = ({ id: requestId, policyId, requestedByUserId }: RequestRow) => ({
  requestId,
  policyId,
  requestedByUserId,
});

/** The subject of the reviews of a request, whose content never changes. */
export const reviewedOf = ({ id, projectId }: RequestRow) => ({
  kind: 'access' as const,
  id,
  projectId,
  contentVersion: 1,
});

/** From a time on for a duration; permanent without one. */
export const windowOf = (temporaryRange: string | null, temporaryAccessStartTime: Date): TimeWindow =>
  temporaryRange === null
    ? { isTemporary: false }
    : { isTemporary: true, temporaryMode: 'relative', temporaryRange, temporaryAccessStartTime };
