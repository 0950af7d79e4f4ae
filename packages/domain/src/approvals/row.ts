import { at, type Rule } from '../kernel/index.ts';
import { publishRules, type TimeWindow } from '../access/index.ts';
import type { AccessRequest } from './access-request.ts';
import { packed } from './requested-rules.ts';

/** A stored request. */
export interface RequestRow {
  id: string;
  project_id: string;
  /** The policy that covers the whole request. */
  policy_id: string;
  /** All policies that it must satisfy, that one first; null in requests of releases with only one. */
  policy_ids: string[] | null;
  membership_id: string;
  requested_by_user_id: string;
  permissions: Rule[];
  is_temporary: boolean;
  temporary_range: string | null;
  note: string | null;
  status: AccessRequest['status'];
  privilege_id: string | null;
  created_at: string;
  updated_at: string;
}

/** The columns of a `RequestRow` from `access_approval_requests r`. */
export const COLUMNS = `r.id, r.project_id, r.policy_id, r.policy_ids, r.membership_id, r.requested_by_user_id, r.permissions, r.is_temporary,
  r.temporary_range, r.note, r.status, r.privilege_id, r.created_at, r.updated_at`;

/** The SQL of the array of the policies of `access_approval_requests r`. */
export const POLICY_IDS = 'coalesce(r.policy_ids, array[r.policy_id])';

export const toRequest = (row: RequestRow): AccessRequest => ({
  id: row.id,
  policyId: row.policy_id,
  privilegeId: row.privilege_id,
  requestedBy: row.membership_id,
  isTemporary: row.is_temporary,
  temporaryRange: row.temporary_range,
  permissions: row.permissions.map(packed),
  rules: publishRules(row.permissions),
  createdAt: at(row.created_at),
  updatedAt: at(row.updated_at),
  requestedByUserId: row.requested_by_user_id,
  note: row.note,
  status: row.status,
});

export const eventData = ({
  id: requestId,
  policy_id: policyId,
  requested_by_user_id: requestedByUserId,
}: RequestRow) => ({
  requestId,
  policyId,
  requestedByUserId,
});

/** The subject of the reviews of a request, whose content never changes. */
export const reviewedOf = ({ id, project_id: projectId }: RequestRow) => ({
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
