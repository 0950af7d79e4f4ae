// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';

export type RefreshedToken = { token: string; organizationId: string | null; subOrganizationId: string | null };

export type RevokeSession = {
  /** UUID */
  sessionId: string;
};

export type SelectOrganization = {
  /** UUID */
  organizationId: string;
  /** cli, where a command line asks */
  userAgent?: string;
};

export type SelectedOrganization = {
  /** Speaks for the user in this organization */
  token: string;
  isMfaEnabled: boolean;
  mfaMethod: string | null;
};

export type Session = {
  /** UUID */
  id: string;
  /** UUID */
  userId: string;
  ip: string;
  userAgent: string | null;
  refreshVersion: number;
  accessVersion: number;
  lastUsed: string;
  expiresAt: string;
  createdAt: string;
  updatedAt: string;
};

export interface SessionsApi {
  /**
   * Log in with e-mail address and password.
   *
   * Answers a token without an organization and sets the cookie `jid`, and `cdt`, by which the device is known at later logins. Choose an organization next.
   *
   * `POST /api/v3/auth/login`
   * Needs no token.
   */
  logIn: Mutation<{ email: string; password: string }, { accessToken: string }>;
  /**
   * Choose the organization to speak for.
   *
   * `POST /api/v3/auth/select-organization`
   */
  selectOrganization: Mutation<SelectOrganization, SelectedOrganization>;
  /**
   * Get a new access token for the session of the cookie.
   *
   * Replaces the refresh token in the cookie `jid`. The replaced one is accepted for ten more seconds and answered with the same successor; shown later, it ends the session.
   *
   * `POST /api/v1/auth/token`
   * Needs no token.
   */
  refresh: Mutation<NoInput, RefreshedToken>;
  /**
   * Ask whether a token is good.
   *
   * `POST /api/v1/auth/checkAuth`
   */
  check: Mutation<NoInput, { message: string }>;
  /**
   * End the session of the token.
   *
   * `POST /api/v1/auth/logout`
   */
  logOut: Mutation<NoInput, { message: string }>;
  /**
   * List my sessions.
   *
   * `GET /api/v2/users/me/sessions`
   */
  list: Query<NoInput, Session[]>;
  /**
   * End all my sessions, this one too, and all my API keys.
   *
   * `DELETE /api/v2/users/me/sessions`
   */
  revokeAll: Mutation<NoInput, { message: string }>;
  /**
   * End one of my sessions.
   *
   * `DELETE /api/v2/users/me/sessions/{sessionId}`
   */
  revoke: Mutation<RevokeSession, { message: string }>;
}
