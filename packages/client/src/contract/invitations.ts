// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { User } from './shared.ts';

export type InvitationLink = { email: string; /** Only for this user; valid once, for one day */ link: string };

export type Invite = {
  inviteeEmails: string[];
  organizationId: string;
  /** Default: the organization's default role */ organizationRoleSlug?: string;
  /** Projects to which the invited users are added (default: `[]`) */
  projects?: { id: string; /** Default: `["member"]` */ projectRoleSlug?: string[] }[];
};

export interface InvitationsApi {
  /**
   * Invite users to the organization and its projects.
   * Each invited user gets a link by e-mail. Without a mail server, the response contains the links; give each link only to its user.
   * `POST /api/v1/invite-org/signup`. Needs `create` on `member`.
   */
  invite: Mutation<
    Invite,
    { message: string; /** null if they are sent by e-mail */ completeInviteLinks: InvitationLink[] | null }
  >;
  /** Create a new invitation link. `POST /api/v1/invite-org/signup-resend`. Needs `create` on `member`. */
  resend: Mutation<{ membershipId: string }, { /** null if it is sent by e-mail */ signupToken: InvitationLink | null }>;
  /**
   * Accept an invitation by its code.
   * A caller with an account sends its token and becomes a member immediately. A caller without an account gets a token that completes one.
   * `POST /api/v1/invite-org/verify`. Needs no token.
   */
  verify: Mutation<
    { email: string; organizationId: string; code: string },
    { message: string; token: string | null; user: User }
  >;
}
