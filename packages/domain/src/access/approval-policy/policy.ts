import { z } from 'zod';
import { defineEvent, defineUpdate, Id, Instant, text, Uuid } from '../../kernel/schema.ts';
import { projectPermissions } from '../catalogue.ts';
import { isGlob } from '../condition.ts';

/** The permission to manage policies of both kinds, and to see all requests under them. */
export const approvalPermissions = projectPermissions('secret-approval');

/** What needs approval: changes of secrets, or access to them. */
export type PolicyKind = 'change' | 'access';

/** `soft`: may be bypassed by a change that states a reason. */
export const EnforcementLevel = z.enum(['hard', 'soft']);
export type EnforcementLevel = z.output<typeof EnforcementLevel>;

const Approver = z.object({
  id: Uuid.describe('ID of the user or group'),
  type: z.enum(['user', 'group']),
  name: z.string().describe('Name of the user or group'),
});
export type Approver = z.output<typeof Approver>;

/** The approvals that an environment requires, and from whom. */
export const ApprovalPolicy = z.object({
  id: Uuid,
  name: z.string(),
  secretPath: z.string().nullable().describe('A folder path or a glob of folder paths; null: the whole environment'),
  approvals: z.int().describe('Number of approvals that are required'),
  envId: Uuid,
  createdAt: Instant,
  updatedAt: Instant,
  enforcementLevel: EnforcementLevel,
  deletedAt: Instant.nullable(),
  allowedSelfApprovals: z
    .boolean()
    .describe('Whether the requester may approve their own request; every policy that covers a change must allow it'),
  environment: z.object({ id: Uuid, name: z.string(), slug: z.string() }),
  projectId: Uuid,
  approvers: z.array(Approver),
});
export type ApprovalPolicy = z.output<typeof ApprovalPolicy>;

/** A policy for changes of secrets, with the machines that it does not apply to. */
export const ChangePolicy = ApprovalPolicy.extend({
  exemptIdentityIds: z.array(Uuid).describe('Machine identities that write without approvals of this policy'),
  exemptMachines: z
    .boolean()
    .describe(
      'Whether all machine identities and service tokens of the project write without approvals of this policy',
    ),
});
export type ChangePolicy = z.output<typeof ChangePolicy>;
/** A stored policy of either kind. Access policies have no exemptions. */
export type StoredPolicy = ChangePolicy;

/** The policy of a request, with its current approvers. */
export const PolicyOfRequest = ApprovalPolicy.pick({
  id: true,
  name: true,
  secretPath: true,
  approvals: true,
  envId: true,
  enforcementLevel: true,
  allowedSelfApprovals: true,
  deletedAt: true,
}).extend({ approvers: z.array(z.object({ userId: Uuid })) });

/** A policy that covers one folder, with its current approvers. */
export const PolicyOnBoard = ChangePolicy.extend({ userApprovers: z.array(z.object({ userId: Uuid })) });
export type PolicyOnBoard = z.output<typeof PolicyOnBoard>;

const MAX_PATH = 1024;
const EXACT = /^(?:\/|(?:\/[A-Za-z0-9_-]+)+)$/;
/**
 * The characters that make a path a pattern. Without any of these, a path must be a valid folder path, or the policy
 * would cover nothing.
 */
const WILD = /[*?[{]/;

/** Whether a path names one folder and is not a pattern. */
export const isExactPath = (path: string): boolean => EXACT.test(path);

/** A folder such as `/app/config`, or a glob such as `/app/**`; a slash at the end is taken off. */
const PolicyPath = z
  .string()
  .trim()
  .min(1)
  .max(MAX_PATH, { abort: true })
  .transform((given) => (/[^/]\/$/.test(given) ? given.slice(0, -1) : given))
  .refine((path) => path.startsWith('/'), 'A path must begin with /')
  .refine(
    (path) => isExactPath(path) || (WILD.test(path) && isGlob(path) && path.isWellFormed() && !path.includes('\0')),
    'Expected a folder path or a glob of folder paths',
  )
  .meta({ override: { type: 'string', maxLength: MAX_PATH }, examples: ['/app/**'] })
  .describe('A folder path, or a glob of folder paths (*, **, ?, [set], {a,b})');

const ApproverRef = z
  .object({
    type: z.enum(['group', 'user']),
    id: Id.optional(),
    name: text(255).trim().optional().describe('The user name, if there is no ID'),
    username: text(255).trim().optional().describe('The same as `name`'),
  })
  .refine(({ type, id, name, username }) => id ?? (type === 'user' && (name ?? username)), 'The approver needs an `id`')
  .meta({ examples: [{ type: 'user', id: '0199a1b2-0000-7000-8000-000000000000' }] });
export type ApproverRef = z.output<typeof ApproverRef>;

const content = {
  name: text(255).trim().min(1).optional().describe('Default: generated'),
  approvers: z.array(ApproverRef).min(1, 'Choose at least one').max(100).describe('Users and groups of the project'),
  approvals: z.int().min(1).max(100),
  enforcementLevel: EnforcementLevel.describe('`soft`: can be bypassed with a reason'),
  allowedSelfApprovals: z.boolean(),
};

export const CreateApprovalPolicy = z.object({
  projectId: Id,
  environment: text(255).trim().min(1).describe('The slug of an environment'),
  secretPath: PolicyPath.nullish().describe('A folder, or a glob of folders. Default: the whole environment'),
  ...content,
  approvals: content.approvals.default(1),
  enforcementLevel: content.enforcementLevel.default('hard'),
  allowedSelfApprovals: content.allowedSelfApprovals.default(false),
});
export type CreateApprovalPolicy = z.output<typeof CreateApprovalPolicy>;

export const UpdateApprovalPolicy = z
  .object({ policyId: Id, secretPath: PolicyPath.nullish(), ...content })
  .partial()
  .required({ policyId: true });
export type UpdateApprovalPolicy = z.output<typeof UpdateApprovalPolicy>;

/** Each needs `edit` on `secret-approval`, also where a policy is created with it. */
const exemptions = {
  exemptIdentityIds: z
    .array(Id)
    .max(100)
    .describe('Machine identities of the project that write without approvals. Default: none'),
  exemptMachines: z
    .boolean()
    .describe('true: all machine identities and service tokens of the project write without approvals. Default: false'),
};

export const CreateChangePolicy = CreateApprovalPolicy.extend(exemptions).partial({
  exemptIdentityIds: true,
  exemptMachines: true,
});
export type CreateChangePolicy = z.output<typeof CreateChangePolicy>;

export const UpdateChangePolicy = UpdateApprovalPolicy.extend(exemptions).partial().required({ policyId: true });
export type UpdateChangePolicy = z.output<typeof UpdateChangePolicy>;

const data = z.object({
  policyId: z.string(),
  name: z.string(),
  environment: z.string(),
  secretPath: z.string().nullable(),
});
const rules = data.extend({
  approvals: z.int(),
  enforcementLevel: z.string(),
  allowedSelfApprovals: z.boolean(),
  approvers: z.array(Approver.pick({ type: true, id: true })),
  exemptIdentityIds: z.array(z.string()).optional(),
  exemptMachines: z.boolean().optional(),
});
export const policyEvents = {
  change: {
    created: defineEvent('secret_approval_policy.created', 'create-secret-approval-policy', rules),
    updated: defineUpdate('secret_approval_policy.updated', 'update-secret-approval-policy', rules),
    deleted: defineEvent('secret_approval_policy.deleted', 'delete-secret-approval-policy', data),
  },
  access: {
    created: defineEvent('access_approval_policy.created', 'create-access-approval-policy', rules),
    updated: defineUpdate('access_approval_policy.updated', 'update-access-approval-policy', rules),
    deleted: defineEvent('access_approval_policy.deleted', 'delete-access-approval-policy', data),
  },
};
