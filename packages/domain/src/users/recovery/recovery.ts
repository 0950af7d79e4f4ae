import { z } from 'zod';
import { defineEvent, Email } from '../../kernel/schema.ts';
import { NewPassword } from '../user/user.ts';

/** The prefix of the code in the link of a password reset. */
export const RESET_CODE = 'cfp_';
/** The prefix of the token that the code is exchanged for, and that sets the password. */
export const RESET_TOKEN = 'cfq_';

export const AskPasswordReset = z.object({ email: Email });
export type AskPasswordReset = z.output<typeof AskPasswordReset>;

export const VerifyPasswordReset = z.object({
  email: Email,
  code: z.string().trim().max(255).describe('`token` of the link'),
});
export type VerifyPasswordReset = z.output<typeof VerifyPasswordReset>;

export const ResetPassword = z.object({
  newPassword: NewPassword,
  token: z
    .string()
    .trim()
    .max(255)
    .optional()
    .describe('From the verified code, unless it is sent as Authorization: Bearer'),
});
export type ResetPassword = z.output<typeof ResetPassword>;

export const passwordResetSent = defineEvent(
  'user.password_reset_sent',
  'send-password-reset',
  z.object({ userId: z.string(), askedFrom: z.string().describe('The network address of the request') }),
);
export const passwordResetIssued = defineEvent(
  'user.password_reset_issued',
  'issue-password-reset',
  z.object({ userId: z.string() }),
);
export const passwordResetVerified = defineEvent(
  'user.password_reset_verified',
  'verify-password-reset',
  z.object({ userId: z.string() }),
);
export const passwordReset = defineEvent(
  'user.password_reset',
  'reset-user-password',
  z.object({ userId: z.string(), resetId: z.string() }),
);
