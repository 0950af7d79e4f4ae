import { z } from 'zod';
import { ApprovalPerson } from '../access/approval-policy/approval-person.ts';
import { PolicyOfRequest } from '../access/approval-policy/policy.ts';
import { Review, ReviewStatus } from '../access/approval-policy/review.ts';
import { PublishedRule } from '../access/rule.ts';
import { PublishedWindow } from '../access/temporary.ts';
import { count, defineEvent, duration, Id, Instant, type Rule, text, Uuid } from '../kernel/schema.ts';
import { RequestedRules } from './requested-rules.ts';

/** A request for permissions, temporary or permanent. */
export const AccessRequest = z.object({
  id: Uuid,
  policyId: Uuid,
  privilegeId: z
    .string()
    .nullable()
    .describe('The privilege that was granted; null before the approval, and after the privilege is deleted'),
  requestedBy: Uuid.describe('ID of the membership'),
  isTemporary: z.boolean(),
  temporaryRange: z.string().nullable(),
  permissions: z.array(z.unknown()).describe('Packed: [action, subject, conditions]'),
  rules: z.array(PublishedRule).describe('The same rules as objects'),
  createdAt: Instant,
  updatedAt: Instant,
  requestedByUserId: Uuid,
  note: z.string().nullable(),
  status: z.enum(['pending', 'approved', 'rejected']),
});
export type AccessRequest = z.output<typeof AccessRequest>;

export const ListedAccessRequest = AccessRequest.extend({
  environment: z.string().describe('The slug of the environment'),
  environmentName: z.string(),
  isApproved: z.boolean(),
  privilege: z
    .object({
      membershipId: Uuid,
      ...PublishedWindow,
      permissions: z.array(PublishedRule),
    })
    .nullable(),
  policy: PolicyOfRequest,
  policies: z
    .array(PolicyOfRequest)
    .describe('All policies that the request must satisfy; `policy` is the one that covers the whole request'),
  reviewers: z.array(z.object({ userId: Uuid, status: ReviewStatus })),
  requestedByUser: ApprovalPerson.nullable(),
});
export type ListedAccessRequest = z.output<typeof ListedAccessRequest>;

export const AccessReview = Review.omit({ comment: true }).extend({
  member: z.string().nullable().describe('A legacy field; null'),
});
export type AccessReview = z.output<typeof AccessReview>;

const ProjectSlug = z.string().trim().min(1).describe('The slug of the project');

export const CreateAccessRequest = z.object({
  projectSlug: ProjectSlug,
  permissions: RequestedRules,
  isTemporary: z.boolean(),
  temporaryRange: duration().optional().describe('Such as 1h, 2d: from the approval on. Needed where isTemporary'),
  note: text(1000).trim().optional(),
});
export type CreateAccessRequest = Omit<z.output<typeof CreateAccessRequest>, 'permissions'> & { permissions: Rule[] };

export const ListAccessRequests = z.object({
  projectSlug: ProjectSlug,
  authorProjectMembershipId: Id.optional().describe('Only requests of this membership'),
  envSlug: z.string().trim().optional(),
  limit: count(1, 1000).default(1000),
  offset: count(0, 1_000_000_000).default(0),
});
export type ListAccessRequests = z.output<typeof ListAccessRequests>;

export const CountAccessRequests = z.object({ projectSlug: ProjectSlug });

export const ReviewAccessRequest = z.object({ requestId: Id, status: ReviewStatus });
export type ReviewAccessRequest = z.output<typeof ReviewAccessRequest>;

const data = z.object({ requestId: z.string(), policyId: z.string(), requestedByUserId: z.string() });
export const accessRequested = defineEvent('access_approval.requested', 'create-access-approval-request', data);
export const accessReviewed = defineEvent(
  'access_approval.reviewed',
  'review-access-approval-request',
  data.extend({ status: z.string() }),
);
export const accessGranted = defineEvent(
  'access_approval.granted',
  'access-approval-granted',
  data.extend({ privilegeId: z.string(), approvedBy: z.array(z.string()) }),
);
export const accessRejected = defineEvent('access_approval.rejected', 'access-approval-rejected', data);
