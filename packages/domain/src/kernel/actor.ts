/** Who is calling. */
export type Actor = Anonymous | UserActor | IdentityActor | ServiceActor | PlatformActor;

export interface Anonymous {
  readonly type: 'anonymous';
}

export interface UserActor {
  readonly type: 'user';
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly username: string;
  /** The session of the access token; none where the user calls with an API key. */
  readonly sessionId: string | undefined;
  /** The API key, if the user calls with one. */
  readonly apiKeyId?: string | undefined;
  /** Always false for an API key, which belongs to one organization and does not administer the instance. */
  readonly isSuperAdmin: boolean;
  /** The organization that this token was made for; none before `select-organization`. */
  readonly organizationId: string | undefined;
}

/** A user with an access token of a session. */
export interface SessionActor extends UserActor {
  readonly sessionId: string;
}

export interface IdentityActor {
  readonly type: 'identity';
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly tokenId: string;
  /** `universal-auth`, `token-auth`, … */
  readonly authMethod: string;
  readonly isSuperAdmin: boolean;
}

/** A legacy service token: it belongs to one project and has part of its creator's rights. */
export interface ServiceActor {
  readonly type: 'service';
  /** The token's. */
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  /** The only project that it is for. */
  readonly projectId: string;
  /** Where in it: environments by their slugs, paths as globs. */
  readonly scopes: readonly ServiceScope[];
  /** The permitted operations: `read`, `write`, `readValue`. */
  readonly permissions: readonly string[];
  /** The user who created it. The token never has more than the creator's current rights. */
  readonly createdBy: string;
}

export interface ServiceScope {
  readonly environment: string;
  readonly secretPath: string;
}

/** Coffer itself: jobs, migrations, the command line on the server's own machine. */
export interface PlatformActor {
  readonly type: 'platform';
  readonly organizationId: string | undefined;
}

/** The ID of a user, machine identity or service token. */
export const actorIdOf = (actor: Actor): string | null => ('id' in actor ? actor.id : null);
