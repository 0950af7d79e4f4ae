// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { Organization, User } from './shared.ts';

export type ChangePassword = {
  oldPassword: string;
  /** At least 12 characters, where the operator sets no other minimum, and no common password */ newPassword: string;
};

export type DeleteMe = { /** Required: the current password, in the body */ password?: string };

export type SetFavorites = { orgId: string; /** IDs of projects, in display order */ projectFavorites: string[] };

export interface AccountApi {
  /** Read the current user. `GET /api/v2/users/me`. */
  me: Query<
    NoInput,
    {
      user: User & {
        clientPublicKey: string | null;
        serverPrivateKey: string | null;
        encryptionVersion: number | null;
        protectedKey: string | null;
        protectedKeyIV: string | null;
        protectedKeyTag: string | null;
        publicKey: string | null;
      };
    }
  >;
  /** List the organizations of the current user. `GET /api/v2/users/me/organizations`. */
  organizations: Query<NoInput, { organizations: Organization[] }>;
  /** Change the name of the current user. `PATCH /api/v2/users/me/name`. */
  rename: Mutation<{ firstName: string; lastName: string }, { user: User }>;
  /**
   * Change the password of the current user; ends all sessions and revokes all API keys.
   * Also ends the session of the call, with its access tokens, and opens a new one: `token` is its access token, and the cookie `jid` has its refresh token.
   * `POST /api/v2/password/user/password-reset`.
   */
  changePassword: Mutation<
    ChangePassword,
    { /** An access token of the new session, for the organization of the call */ token: string }
  >;
  /** Delete the account of the current user. Also needs the password, in the body. `DELETE /api/v2/users/me`. */
  delete: Mutation<DeleteMe, { user: User }>;
  /** List the favorite projects of the current user. `GET /api/v1/user/me/project-favorites`. */
  favorites: Query<{ orgId: string }, { projectFavorites: string[] }>;
  /** Set the favorite projects of the current user. `PUT /api/v1/user/me/project-favorites`. */
  setFavorites: Mutation<SetFavorites, Record<string, never>>;
}
