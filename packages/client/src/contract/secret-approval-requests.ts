// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ApprovalPerson, PolicyOfRequest, SecretApproval } from './shared.ts';

export type ChangeDetails = {
  id: string;
  kind: 'secret' | 'folder' | 'import';
  op: 'create' | 'update' | 'delete';
  environment: string;
  /** null for callers who do not see the folder, and neither made the request nor may approve it */
  secretPath: string | null;
  /** null for imports, and for names that the caller may not know */ secretKey: string | null;
  /** ID of the secret, folder or import; null for a new one */ secretId: string | null;
  /** The version on which the change is based */ secretVersion: number | null;
  /** Whether the change only updates references that follow another change */ isFollowing: boolean;
  /** null for an addition */ before: ChangeSide | null;
  /** null for a deletion */ after: ChangeSide | null;
  /** The fields that differ */ changed: string[];
  /** true: the caller may not read the value and sees only that it changes */ secretValueHidden: boolean;
};

export type ChangeSide = {
  environment: string;
  /** null for callers who do not see the folder, and neither made the request nor may approve it */
  secretPath: string | null;
  secretKey: string | null;
  secretValue?: string;
  secretComment?: string;
  secretMetadata?: { key: string; value: string; isEncrypted: boolean }[];
  metadata?: Record<string, string> | null;
  tags?: { id: string; slug: string }[];
  skipMultilineEncoding?: boolean | null;
  secretReminderNote?: string | null;
  secretReminderRepeatDays?: number | null;
  secretReminderRecipients?: string[] | null;
  /** Number of folders that are deleted, including all levels below */ folders?: number;
  /** For an import */ position?: number;
  /** For an import */ isReplication?: boolean;
};

export type ChangeStatus = { id: string; /** `open` reopens a closed request against the present secrets */ status: 'open' | 'close' };

export type GetRequest = {
  id: string;
  /** Whether values are read: with `false` they are absent, and the event says that none was read (default: `true`) */
  viewSecretValue?: boolean;
};

export type ListedRequest = SecretApproval & {
  /** Version of the request's content; a review counts for one version only */ version: number;
  policy: PolicyOfRequest;
  /** The slug of the environment */ environment: string;
  /** null for callers who do not see the folder, and neither made the request nor may approve it */
  secretPath: string | null;
  /** All policies that the request must satisfy now; `policy` is the one under which it was made */
  policies: PolicyOfRequest[];
  committerUser: ApprovalPerson | null;
  /** The user who made the request; null for replications and deleted users */
  committer: {
    /** A user, a machine identity or a service token */ type: 'user' | 'identity' | 'service';
    id: string;
    /** Name of the machine at the time of the request */ name: string;
  } | null;
  reviewers: {
    userId: string;
    status: 'approved' | 'rejected';
    comment: string | null;
    /** Whether the review is an approval that counts now */ isCounted: boolean;
  }[];
  /** Everyone who may approve now */ approvers: { userId: string }[];
  /** Whether the request has all required approvals */ isApproved: boolean;
  /** The first of the attached login methods */
  commits: {
    id: string;
    kind: 'secret' | 'folder' | 'import';
    op: 'create' | 'update' | 'delete';
    environment: string;
    /** null for callers who do not see the folder, and neither made the request nor may approve it */
    secretPath: string | null;
    /** null for imports, and for names that the caller may not know */ secretKey: string | null;
    /** ID of the secret, folder or import; null for a new one */ secretId: string | null;
    /** The version on which the change is based */ secretVersion: number | null;
    /** Whether the change only updates references that follow another change */ isFollowing: boolean;
  }[];
  commitCount: number;
};

export type MergeRequest = { id: string; /** Why it is merged without its approvals, where all of its policies are soft */ bypassReason?: string };

export type RequestDetails = SecretApproval & {
  /** Version of the request's content; a review counts for one version only */ version: number;
  policy: PolicyOfRequest;
  /** The slug of the environment */ environment: string;
  /** null for callers who do not see the folder, and neither made the request nor may approve it */
  secretPath: string | null;
  /** All policies that the request must satisfy now; `policy` is the one under which it was made */
  policies: PolicyOfRequest[];
  committerUser: ApprovalPerson | null;
  /** The user who made the request; null for replications and deleted users */
  committer: {
    /** A user, a machine identity or a service token */ type: 'user' | 'identity' | 'service';
    id: string;
    /** Name of the machine at the time of the request */ name: string;
  } | null;
  reviewers: {
    userId: string;
    status: 'approved' | 'rejected';
    comment: string | null;
    /** Whether the review is an approval that counts now */ isCounted: boolean;
  }[];
  /** Everyone who may approve now */ approvers: { userId: string }[];
  /** Whether the request has all required approvals */ isApproved: boolean;
  statusChangedByUser: ApprovalPerson | null;
  commits: ChangeDetails[];
};

export type Review = {
  id: string;
  status: 'approved' | 'rejected';
  requestId: string;
  createdAt: string;
  updatedAt: string;
  reviewerUserId: string;
  comment: string | null;
};

export type ReviewRequest = {
  id: string;
  status: 'approved' | 'rejected';
  comment?: string | null;
  /** What was read; where given, the review is refused if it is another by now */ version?: number;
};

export interface SecretApprovalRequestsApi {
  /**
   * List change requests, newest first.
   * Lists the requests that the caller made or may approve; with `read` on `secret-approval`, all requests of the project.
   * `GET /api/v1/secret-approval-requests`.
   */
  list: Query<
    {
      /** The slug of an environment */ environment?: string;
      /** ID of a user, machine identity or service token */ committer?: string;
      status?: 'open' | 'close';
      /** Default: `20` */ limit?: number;
      /** Default: `0` */ offset?: number;
      /** The ID of the project */ workspaceId: string;
    },
    { approvals: ListedRequest[] }
  >;
  /** Count change requests. `GET /api/v1/secret-approval-requests/count`. */
  count: Query<{ /** The ID of the project */ workspaceId: string }, { approvals: { open: number; closed: number } }>;
  /**
   * Read a change request with its difference.
   * Values are included for callers who may read them, unless `viewSecretValue` is `false`; other callers see only that a value changes.
   * `GET /api/v1/secret-approval-requests/{id}`.
   */
  get: Query<GetRequest, { approval: RequestDetails }>;
  /**
   * Approve or reject a change request.
   * For approvers. The latest review of each approver counts, and only for the present content of the request.
   * `POST /api/v1/secret-approval-requests/{id}/review`.
   */
  review: Mutation<ReviewRequest, { review: Review }>;
  /**
   * Merge a change request.
   * Applies exactly what was approved, with the rights of the committer. If the folder has changed since, the response is a 400 that lists the conflicts. Without all approvals a `bypassReason` is needed, and every covering policy must have soft enforcement.
   * `POST /api/v1/secret-approval-requests/{id}/merge`.
   */
  merge: Mutation<MergeRequest, { approval: SecretApproval }>;
  /**
   * Close or reopen a change request.
   * A reopened request is compared with the present secrets and needs new approvals.
   * `POST /api/v1/secret-approval-requests/{id}/status`.
   */
  status: Mutation<ChangeStatus, { approval: SecretApproval }>;
}
