// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ApprovalPerson, ApprovalPolicy, PolicyOfRequest, PublishedRule } from './shared.ts';

export type AccessRequest = {
  id: string;
  policyId: string;
  /** The privilege that was granted; null before the approval, and after the privilege is deleted */
  privilegeId: string | null;
  /** ID of the membership */ requestedBy: string;
  isTemporary: boolean;
  temporaryRange: string | null;
  /** Packed: [action, subject, conditions] */ permissions: unknown[];
  /** The same rules as objects */ rules: PublishedRule[];
  createdAt: string;
  updatedAt: string;
  requestedByUserId: string;
  note: string | null;
  status: 'pending' | 'approved' | 'rejected';
};

export type AccessReview = {
  id: string;
  status: 'approved' | 'rejected';
  requestId: string;
  createdAt: string;
  updatedAt: string;
  reviewerUserId: string;
  /** A legacy field; null */ member: string | null;
};

export type CountAccessRequests = { /** The slug of the project */ projectSlug: string };

export type CreateAccessRequest = {
  /** The slug of the project */ projectSlug: string;
  /** Rules: as objects, packed ([action, subject, conditions]), or either as JSON text */ permissions: unknown[];
  isTemporary: boolean;
  /** Such as 1h, 2d: from the approval on. Needed where isTemporary */ temporaryRange?: string;
  note?: string;
};

export type ListAccessRequests = {
  /** The slug of the project */ projectSlug: string;
  /** Only requests of this membership */ authorProjectMembershipId?: string;
  envSlug?: string;
  /** Default: `1000` */ limit?: number;
  /** Default: `0` */ offset?: number;
};

export type ListedAccessRequest = AccessRequest & {
  /** The slug of the environment */ environment: string;
  environmentName: string;
  isApproved: boolean;
  privilege: {
    membershipId: string;
    isTemporary: boolean;
    temporaryMode: string | null;
    temporaryRange: string | null;
    temporaryAccessStartTime: string | null;
    /** The start plus the range */ temporaryAccessEndTime: string | null;
    permissions: PublishedRule[];
  } | null;
  policy: PolicyOfRequest;
  /** All policies that the request must satisfy; `policy` is the one that covers the whole request */
  policies: PolicyOfRequest[];
  reviewers: { userId: string; status: 'approved' | 'rejected' }[];
  requestedByUser: ApprovalPerson | null;
};

export type UpdateApprovalPolicy = {
  policyId: string;
  secretPath?: string | null;
  /** Default: generated */ name?: string;
  /** Users and groups of the project */
  approvers?: {
    type: 'group' | 'user';
    id?: string;
    /** The user name, if there is no ID */ name?: string;
    /** The same as `name` */ username?: string;
  }[];
  approvals?: number;
  /** `soft`: can be bypassed with a reason */ enforcementLevel?: 'hard' | 'soft';
  allowedSelfApprovals?: boolean;
};

export interface AccessApprovalsApi {
  /** List the access policies of a project. `GET /api/v1/access-approvals/policies`. Needs `read` on `secret-approval`. */
  listPolicies: Query<{ /** The slug of the project */ projectSlug: string }, { approvals: ApprovalPolicy[] }>;
  /** Count the access policies of an environment. `GET /api/v1/access-approvals/policies/count`. Needs `read` on `secret-approval`. */
  countPolicies: Query<
    {
      /** The slug of the project */ projectSlug: string;
      /** The slug of an environment */ envSlug: string;
    },
    { count: number }
  >;
  /** Read an access policy. `GET /api/v1/access-approvals/policies/{policyId}`. Needs `read` on `secret-approval`. */
  getPolicy: Query<{ policyId: string }, { approval: ApprovalPolicy }>;
  /**
   * Create an access policy.
   * Members can request rights in the folders of the policy. Approvers can grant only rights that they hold.
   * `POST /api/v1/access-approvals/policies`. Needs `create` on `secret-approval`.
   */
  createPolicy: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** A folder, or a glob of folders. Default: the whole environment */ secretPath?: string | null;
      /** Default: generated */ name?: string;
      /** Users and groups of the project */
      approvers: {
        type: 'group' | 'user';
        id?: string;
        /** The user name, if there is no ID */ name?: string;
        /** The same as `name` */ username?: string;
      }[];
      /** Default: `1` */ approvals?: number;
      /** `soft`: can be bypassed with a reason (default: `'hard'`) */ enforcementLevel?: 'hard' | 'soft';
      /** Default: `false` */ allowedSelfApprovals?: boolean;
      /** The slug of the project */ projectSlug: string;
    },
    { approval: ApprovalPolicy }
  >;
  /** Update an access policy. `PATCH /api/v1/access-approvals/policies/{policyId}`. Needs `edit` on `secret-approval`. */
  updatePolicy: Mutation<UpdateApprovalPolicy, { approval: ApprovalPolicy }>;
  /**
   * Delete an access policy.
   * Open requests under the policy are rejected. Rights that were granted under it stay.
   * `DELETE /api/v1/access-approvals/policies/{policyId}`. Needs `delete` on `secret-approval`.
   */
  deletePolicy: Mutation<{ policyId: string }, { approval: ApprovalPolicy }>;
  /**
   * List access requests, newest first.
   * Lists the requests that the caller made or may approve; with `read` on `secret-approval`, all requests of the project.
   * `GET /api/v1/access-approvals/requests`.
   */
  list: Query<ListAccessRequests, { requests: ListedAccessRequest[] }>;
  /** Count access requests. `GET /api/v1/access-approvals/requests/count`. */
  count: Query<CountAccessRequests, { pendingCount: number; finalizedCount: number }>;
  /**
   * Request access.
   * The access starts with the approval. It ends after the requested time, or is permanent.
   * `POST /api/v1/access-approvals/requests`.
   */
  request: Mutation<CreateAccessRequest, { approval: AccessRequest }>;
  /**
   * Approve or reject an access request.
   * For approvers. An approver can grant only rights that they hold. One rejection closes the request.
   * `POST /api/v1/access-approvals/requests/{requestId}/review`.
   */
  review: Mutation<{ requestId: string; status: 'approved' | 'rejected' }, { review: AccessReview }>;
}
