import { z } from 'zod';
import { ApprovalPerson } from '../../access/approval-policy/approval-person.ts';
import { PolicyOfRequest } from '../../access/approval-policy/policy.ts';
import { ReviewComment, ReviewStatus } from '../../access/approval-policy/review.ts';
import { count, defineEvent, flag, Id, Instant, schemaNamed, text, Uuid } from '../../kernel/schema.ts';
import { EnvironmentSlug } from '../folder/folder.ts';

const RequestStatus = z.enum(['open', 'close']);

/** Why a change cannot be merged as it was approved. */
export const Conflict = z.object({
  op: z.enum(['create', 'update', 'delete', 'other']),
  secretId: z.string().nullable().describe('The present version; null if a name was taken since'),
  changeId: z.string().nullable().describe('The commit; null if it is not about a single commit'),
  reason: z
    .string()
    .describe(
      'changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that',
    ),
});
export type Conflict = z.output<typeof Conflict>;

/** A request for a change with approvals: the response to a covered write. */
export const SecretApproval = z.object({
  id: Uuid,
  policyId: Uuid,
  hasMerged: z.boolean(),
  status: RequestStatus,
  conflicts: z.array(Conflict).nullable().describe('What has changed since the request was made'),
  slug: z.string(),
  folderId: Uuid,
  bypassReason: z.string().nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  isReplicated: z.boolean().nullable(),
  committerUserId: z.string().nullable().describe('null for requests of machines and for replications'),
  committerIdentityId: z.string().nullable().describe('The machine identity that made the request'),
  committerServiceTokenId: z.string().nullable().describe('The service token that made the request'),
  statusChangedByUserId: z.string().nullable(),
});
export type SecretApproval = z.output<typeof SecretApproval>;

/** The answer to a write that a policy covers: nothing is written yet. */
export const Proposed = z.object({ approval: SecretApproval });
export type Proposed = z.output<typeof Proposed>;

const Reviewer = z.object({
  userId: Uuid,
  status: ReviewStatus,
  comment: z.string().nullable(),
  isCounted: z.boolean().describe('Whether the review is an approval that counts now'),
});

const ShownPath = z
  .string()
  .nullable()
  .describe('null for callers who do not see the folder, and neither made the request nor may approve it');

const ChangeSummary = z.object({
  id: Uuid,
  kind: z.enum(['secret', 'folder', 'import']),
  op: z.enum(['create', 'update', 'delete']),
  environment: z.string(),
  secretPath: ShownPath,
  secretKey: z.string().nullable().describe('null for imports, and for names that the caller may not know'),
  secretId: z.string().nullable().describe('ID of the secret, folder or import; null for a new one'),
  secretVersion: z.int().nullable().describe('The version on which the change is based'),
  isFollowing: z.boolean().describe('Whether the change only updates references that follow another change'),
});

/** One side of a change: the content of a version of a secret, or the target of a folder or import. */
const ChangeSide = schemaNamed(
  'ChangeSide',
  z.object({
    environment: z.string(),
    secretPath: ShownPath,
    secretKey: z.string().nullable(),
    secretValue: z.string().optional(),
    secretComment: z.string().optional(),
    secretMetadata: z.array(z.object({ key: z.string(), value: z.string(), isEncrypted: z.boolean() })).optional(),
    metadata: z.record(z.string(), z.string()).nullable().optional(),
    tags: z.array(z.object({ id: Uuid, slug: z.string() })).optional(),
    skipMultilineEncoding: z.boolean().nullable().optional(),
    secretReminderNote: z.string().nullable().optional(),
    secretReminderRepeatDays: z.int().nullable().optional(),
    secretReminderRecipients: z.array(z.string()).nullable().optional(),
    folders: z.int().optional().describe('Number of folders that are deleted, including all levels below'),
    position: z.int().optional().describe('For an import'),
    isReplication: z.boolean().optional().describe('For an import'),
  }),
);
export type ChangeSide = z.output<typeof ChangeSide>;

/** One change with the state before and after it. */
export const ChangeDetails = ChangeSummary.extend({
  before: ChangeSide.nullable().describe('null for an addition'),
  after: ChangeSide.nullable().describe('null for a deletion'),
  changed: z.array(z.string()).describe('The fields that differ'),
  secretValueHidden: z.boolean().describe('true: the caller may not read the value and sees only that it changes'),
});
export type ChangeDetails = z.output<typeof ChangeDetails>;

const Committer = z.object({
  type: z.enum(['user', 'identity', 'service']).describe('A user, a machine identity or a service token'),
  id: Uuid,
  name: z.string().describe('Name of the machine at the time of the request'),
});

const ContentVersion = z.int().min(1);

const common = {
  version: ContentVersion.describe("Version of the request's content; a review counts for one version only"),
  policy: PolicyOfRequest,
  environment: z.string().describe('The slug of the environment'),
  secretPath: ShownPath,
  policies: z
    .array(PolicyOfRequest)
    .describe('All policies that the request must satisfy now; `policy` is the one under which it was made'),
  committerUser: ApprovalPerson.nullable(),
  committer: Committer.nullable().describe('The user who made the request; null for replications and deleted users'),
  reviewers: z.array(Reviewer),
  approvers: z.array(z.object({ userId: Uuid })).describe('Everyone who may approve now'),
  isApproved: z.boolean().describe('Whether the request has all required approvals'),
};

/** A request in a list. */
export const ListedRequest = SecretApproval.extend({
  ...common,
  commits: z.array(ChangeSummary).describe('The first of the attached login methods'),
  commitCount: z.int(),
});
export type ListedRequest = z.output<typeof ListedRequest>;

/** A request with its difference to the current state. */
export const RequestDetails = SecretApproval.extend({
  ...common,
  statusChangedByUser: ApprovalPerson.nullable(),
  commits: z.array(ChangeDetails),
});
export type RequestDetails = z.output<typeof RequestDetails>;

export const ListRequests = z.object({
  projectId: Id,
  environment: EnvironmentSlug.optional(),
  committer: Id.optional().describe('ID of a user, machine identity or service token'),
  status: RequestStatus.optional(),
  limit: count(1, 100).default(20),
  offset: count(0, 1_000_000_000).default(0),
});
export type ListRequests = z.output<typeof ListRequests>;

export const RequestRef = z.object({ id: Id });
export type RequestRef = z.output<typeof RequestRef>;

export const GetRequest = RequestRef.extend({
  viewSecretValue: flag()
    .default(true)
    .describe('Whether values are read: with `false` they are absent, and the event says that none was read'),
});
export type GetRequest = z.output<typeof GetRequest>;

export const ReviewRequest = RequestRef.extend({
  status: ReviewStatus,
  comment: ReviewComment,
  version: ContentVersion.optional().describe(
    'What was read; where given, the review is refused if it is another by now',
  ),
});
export type ReviewRequest = z.output<typeof ReviewRequest>;

export const MergeRequest = RequestRef.extend({
  bypassReason: text(1000)
    .trim()
    .optional()
    .describe('Why it is merged without its approvals, where all of its policies are soft'),
});
export type MergeRequest = z.output<typeof MergeRequest>;

export const ChangeStatus = RequestRef.extend({
  status: RequestStatus.describe('`open` reopens a closed request against the present secrets'),
});
export type ChangeStatus = z.output<typeof ChangeStatus>;

const data = z.object({ requestId: z.string(), slug: z.string(), policyId: z.string() });
const opened = data.extend({
  environment: z.string(),
  secretPath: z.string(),
  operation: z.string(),
  isReplicated: z.boolean(),
});
export const requestOpened = defineEvent('secret_approval.opened', 'secret-approval-request', opened);
export const requestReopened = defineEvent('secret_approval.reopened', 'secret-approval-reopened', opened);
export const requestRead = defineEvent(
  'secret_approval.read',
  'get-secret-approval-request',
  data.extend({
    environment: z.string(),
    secretPath: z.string(),
    numberOfValues: z.int().optional().describe('Of secrets, that were read'),
    secrets: z
      .array(
        z.object({
          secretKey: z.string(),
          secretId: z.string().nullable(),
          secretVersion: z.int().nullable().describe('null for a value that the request has'),
        }),
      )
      .describe('Of which the values were read: at most a hundred of one answer'),
  }),
);
export const requestReviewed = defineEvent(
  'secret_approval.reviewed',
  'secret-approval-reviewed',
  data.extend({ status: z.string() }),
);
export const requestClosed = defineEvent('secret_approval.closed', 'secret-approval-closed', data);
export const requestMerged = defineEvent(
  'secret_approval.merged',
  'secret-approval-merged',
  data.extend({
    operation: z.string(),
    committerUserId: z.string().nullable(),
    committerIdentityId: z.string().nullable(),
    committerServiceTokenId: z.string().nullable(),
    approvedBy: z.array(z.string()),
    isBypassed: z.boolean(),
    bypassReason: z.string().nullable(),
  }),
);
