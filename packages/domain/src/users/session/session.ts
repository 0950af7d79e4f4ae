import { z } from 'zod';
import { defineEvent, Id, Instant, Uuid } from '../../kernel/schema.ts';

/** A login of a user on one device. Its tokens end with it. */
export const Session = z.object({
  id: Uuid,
  userId: Uuid,
  name: z.string().nullable().describe('`command line` for a login of the command line through a browser'),
  ip: z.string(),
  userAgent: z.string().nullable(),
  isCurrent: z.boolean().describe('Whether it is the session of this call'),
  refreshVersion: z.int(),
  accessVersion: z.int(),
  lastUsed: Instant,
  expiresAt: Instant,
  createdAt: Instant,
  updatedAt: Instant,
});
export type Session = z.output<typeof Session>;

export const RevokeSession = z.object({ sessionId: Id });
export type RevokeSession = z.output<typeof RevokeSession>;

export const SelectOrganization = z.object({
  organizationId: Id,
  userAgent: z.string().max(64).optional().describe('cli for command lines'),
});
export type SelectOrganization = z.output<typeof SelectOrganization>;

export const SelectedOrganization = z.object({
  token: z.string().describe('An access token of the user for this organization'),
  isMfaEnabled: z.boolean(),
  mfaMethod: z.string().nullable(),
});
export type SelectedOrganization = z.output<typeof SelectedOrganization>;

export const RefreshedToken = z.object({
  token: z.string(),
  organizationId: z.string().nullable(),
  subOrganizationId: z.string().nullable(),
});
export type RefreshedToken = z.output<typeof RefreshedToken>;

/** The current refresh token of a user. It is only sent in a cookie. */
export interface KeptRefreshToken {
  readonly refreshToken: string;
  /** Seconds that are left of the session's absolute lifetime. */
  readonly refreshSeconds: number;
}

/** The response of a login. */
export interface OpenedSession extends KeptRefreshToken {
  readonly sessionId: string;
  readonly accessToken: string;
}

/** The response of a refresh. */
export interface RefreshedSession extends RefreshedToken, KeptRefreshToken {}

const SessionEvent = z.object({ userId: z.string(), sessionId: z.string() });
export const userLoggedIn = defineEvent('user.logged_in', 'user-login', SessionEvent);
export const userLoggedOut = defineEvent('user.logged_out', 'user-logout', SessionEvent);
export const organizationSelected = defineEvent('user.organization_selected', 'select-organization', SessionEvent);
export const sessionRefreshed = defineEvent('session.refreshed', 'refresh-user-session', SessionEvent);
export const refreshTokenReused = defineEvent('session.refresh_token_reused', 'refresh-token-reused', SessionEvent);
export const sessionRevoked = defineEvent('session.revoked', 'revoke-user-session', SessionEvent);
export const sessionsRevoked = defineEvent(
  'session.all_revoked',
  'revoke-all-user-sessions',
  z.object({ userId: z.string() }),
);
