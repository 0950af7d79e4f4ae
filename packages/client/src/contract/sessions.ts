// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';

export type RefreshedToken = { token: string; organizationId: string | null; subOrganizationId: string | null };

export type SelectOrganization = { organizationId: string; /** cli for command lines */ userAgent?: string };

export type SelectedOrganization = {
  /** An access token of the user for this organization */ token: string;
  isMfaEnabled: boolean;
  mfaMethod: string | null;
};

export type Session = {
  id: string;
  userId: string;
  /** `command line` for a login of the command line through a browser */ name: string | null;
  ip: string;
  userAgent: string | null;
  /** Whether it is the session of this call */ isCurrent: boolean;
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
   * Returns a token without an organization. Sets the cookie `jid` with the refresh token, and the cookie `cdt`, which identifies the device at later logins. Select an organization next.
   * `POST /api/v3/auth/login`. Needs no token.
   */
  logIn: Mutation<{ email: string; password: string }, { accessToken: string }>;
  /** Select the organization of the session. `POST /api/v3/auth/select-organization`. */
  selectOrganization: Mutation<SelectOrganization, SelectedOrganization>;
  /**
   * Refresh the access token of a session.
   * Replaces the refresh token in the cookie `jid`. The replaced token is accepted for ten more seconds and gets the same successor. If it is used later, the session ends.
   * `POST /api/v1/auth/token`. Needs no token.
   */
  refresh: Mutation<NoInput, RefreshedToken>;
  /** Check whether a token is valid. `POST /api/v1/auth/checkAuth`. */
  check: Mutation<NoInput, { message: string }>;
  /**
   * End the session of the token (log out).
   * Also ends the session of the refresh token in the cookie `jid`, and removes the cookie. A valid refresh token is enough where the access token is missing or refused.
   * `POST /api/v1/auth/logout`.
   */
  logOut: Mutation<NoInput, { message: string }>;
  /** List the sessions of the current user. `GET /api/v2/users/me/sessions`. */
  list: Query<NoInput, Session[]>;
  /** End all sessions of the current user and revoke all API keys. `DELETE /api/v2/users/me/sessions`. */
  revokeAll: Mutation<NoInput, { message: string }>;
  /** End a session of the current user. `DELETE /api/v2/users/me/sessions/{sessionId}`. */
  revoke: Mutation<{ sessionId: string }, { message: string }>;
}
