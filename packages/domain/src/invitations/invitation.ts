import { z } from 'zod';
import { defineEvent, Email, Id } from '../kernel/schema.ts';
import { FirstName, LastName, NewPassword } from '../users/user/user.ts';

/** The prefix of the code in an invitation's link, */
export const INVITE_CODE = 'cfv_';
/** and of the token that a new user gets for it, to complete the account. */
export const COMPLETION_TOKEN = 'cfc_';

const Role = z.string().trim().min(1).max(64);

export const Invite = z.object({
  inviteeEmails: z.array(Email).min(1).max(100),
  organizationId: Id,
  organizationRoleSlug: Role.optional().describe("Default: the organization's default role"),
  projects: z
    .array(z.object({ id: Id, projectRoleSlug: z.array(Role).min(1).max(20).default(['member']) }))
    .max(100)
    .default([])
    .describe('Projects to which the invited users are added'),
});
export type Invite = z.output<typeof Invite>;

export const InvitationLink = z.object({
  email: z.string(),
  link: z.string().describe('Only for this user; valid once, for one day'),
});
export type InvitationLink = z.output<typeof InvitationLink>;

export const ResendInvitation = z.object({ membershipId: Id });
export type ResendInvitation = z.output<typeof ResendInvitation>;

export const VerifyInvitation = z.object({ email: Email, organizationId: Id, code: z.string().trim().max(255) });
export type VerifyInvitation = z.output<typeof VerifyInvitation>;

export const CompleteInvitation = z.object({
  email: Email,
  password: NewPassword,
  firstName: FirstName,
  lastName: LastName.optional(),
  token: z
    .string()
    .trim()
    .max(255)
    .optional()
    .describe('From the verified invitation, unless it is sent as Authorization: Bearer'),
});
export type CompleteInvitation = z.output<typeof CompleteInvitation>;

const InvitationEvent = z.object({ membershipId: z.string(), userId: z.string(), email: z.string() });
export const memberInvited = defineEvent(
  'organization_member.invited',
  'invite-organization-member',
  InvitationEvent.extend({ role: z.string().optional().describe('What it has when it joins; absent where it stays') }),
);
export const invitationVerified = defineEvent(
  'organization_member.invitation_verified',
  'verify-organization-invitation',
  InvitationEvent,
);
export const memberJoined = defineEvent(
  'organization_member.joined',
  'accept-organization-invitation',
  InvitationEvent,
);
