// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { PublishedRule } from './shared.ts';

export type AccessQuery = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  /** Default: the folder itself */ secretName?: string;
  /** Only actors that may do this action, for example `readValue` */
  action?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
};

export type AccessReport = {
  environment: string;
  secretPath: string;
  secretName: string | null;
  secretTags: string[] | null;
  /** Every actor that a rule allows, by name; actors without any allowing rule are omitted */
  actors: {
    actor: {
      /** A user, a machine identity or a service token */
      type: 'user' | 'identity' | 'service';
      /** UUID */ id: string;
      name: string;
      /** Of a user */ username: string | null;
    };
    actions: {
      subject: string;
      action: string;
      /** null if it depends on the name or the tags of the secret */
      isAllowed: boolean | null;
      /** The last rule that matches the resource; null if there is none */
      decidedBy: {
        grant: {
          /** A service token holds its own rights */
          kind: 'role' | 'privilege' | 'service-token';
          /** ID of the role assignment, the privilege or the service token */ id: string;
          /** Name of the role, the privilege or the service token */ slug: string;
          isByGroup: boolean;
          /** The group that holds the grant; only for callers who may read groups */
          group: {
            /** UUID */ id: string;
            name: string;
            slug: string;
          } | null;
          /** null if there is no start */ startsAt: string | null;
          /** null if there is no end */ endsAt: string | null;
        };
        /** null if the caller may not read roles */ rule: PublishedRule | null;
        allows: boolean;
      } | null;
      /** Earlier rules that also match, the latest first */
      overridden: {
        grant: {
          /** A service token holds its own rights */
          kind: 'role' | 'privilege' | 'service-token';
          /** ID of the role assignment, the privilege or the service token */ id: string;
          /** Name of the role, the privilege or the service token */ slug: string;
          isByGroup: boolean;
          /** The group that holds the grant; only for callers who may read groups */
          group: {
            /** UUID */ id: string;
            name: string;
            slug: string;
          } | null;
          /** null if there is no start */ startsAt: string | null;
          /** null if there is no end */ endsAt: string | null;
        };
        /** null if the caller may not read roles */ rule: PublishedRule | null;
        allows: boolean;
      }[];
    }[];
  }[];
  /** Number of actors that the caller may see */ totalCount: number;
  /** Number of actors that the caller may not see */ hiddenCount: number;
};

export type ActorAccess = {
  actor: {
    /** A user, a machine identity or a service token */
    type: 'user' | 'identity' | 'service';
    /** UUID */ id: string;
    name: string;
    /** Of a user */ username: string | null;
  };
  /** In order of precedence; later ones override earlier ones */
  grants: {
    /** A service token holds its own rights */
    kind: 'role' | 'privilege' | 'service-token';
    /** ID of the role assignment, the privilege or the service token */ id: string;
    /** Name of the role, the privilege or the service token */ slug: string;
    isByGroup: boolean;
    /** The group that holds the grant; only for callers who may read groups */
    group: {
      /** UUID */ id: string;
      name: string;
      slug: string;
    } | null;
    /** null if there is no start */ startsAt: string | null;
    /** null if there is no end */ endsAt: string | null;
    state: 'active' | 'upcoming' | 'over';
    /** null if the caller may not read roles */ rules: PublishedRule[] | null;
  }[];
  /** The rules in force, in order; the last rule that matches decides */
  rules: {
    /** Index in `grants`, from 0 */ grant: number;
    /** null if the caller may not read roles */ rule: PublishedRule | null;
    allows: boolean;
  }[];
  /** Every subject and action */
  table: {
    subject: string;
    action: string;
    access: 'always' | 'sometimes' | 'never';
    /** Indexes in `rules` of the rules that may decide; the first one that matches decides */
    rules: number[];
    /** The fields that conditions of rules on this subject can name */
    conditions: string[];
  }[];
  /** At the requested path */
  decisions: {
    subject: string;
    action: string;
    /** null if it depends on the name or the tags of the secret */
    isAllowed: boolean | null;
    /** The last rule that matches the resource; null if there is none */
    decidedBy: {
      grant: {
        /** A service token holds its own rights */
        kind: 'role' | 'privilege' | 'service-token';
        /** ID of the role assignment, the privilege or the service token */ id: string;
        /** Name of the role, the privilege or the service token */ slug: string;
        isByGroup: boolean;
        /** The group that holds the grant; only for callers who may read groups */
        group: {
          /** UUID */ id: string;
          name: string;
          slug: string;
        } | null;
        /** null if there is no start */ startsAt: string | null;
        /** null if there is no end */ endsAt: string | null;
      };
      /** null if the caller may not read roles */ rule: PublishedRule | null;
      allows: boolean;
    } | null;
    /** Earlier rules that also match, the latest first */
    overridden: {
      grant: {
        /** A service token holds its own rights */
        kind: 'role' | 'privilege' | 'service-token';
        /** ID of the role assignment, the privilege or the service token */ id: string;
        /** Name of the role, the privilege or the service token */ slug: string;
        isByGroup: boolean;
        /** The group that holds the grant; only for callers who may read groups */
        group: {
          /** UUID */ id: string;
          name: string;
          slug: string;
        } | null;
        /** null if there is no start */ startsAt: string | null;
        /** null if there is no end */ endsAt: string | null;
      };
      /** null if the caller may not read roles */ rule: PublishedRule | null;
      allows: boolean;
    }[];
  }[] | null;
  /** When a grant begins or ends next */ changesAt: string | null;
};

export type Plan = {
  /** The operation that was simulated */ operation: string;
  /** Who would gain or lose what, and where; at most 1000 entries */
  changes: PlannedChange[];
  /** Number of actions gained or lost that the caller may see, counted per actor and location */
  count: number;
  /** Number of further changes that the caller may not see, and of the actors concerned. At locations that the caller may not see, changes are counted by the rules, whether or not anything exists there */
  hidden: { actors: number; changes: number };
  /** Whether there are more changes than are listed */ isTruncated: boolean;
  /** Whether the comparison was cut off: there may be more changes than are listed and counted */
  isPartial: boolean;
};

export type PlannedChange = {
  change: 'gained' | 'lost';
  actor: {
    /** A user, a machine identity or a service token */
    type: 'user' | 'identity' | 'service';
    /** null for an actor that the change would create */ id: string | null;
    name: string;
    /** Of a user */ username: string | null;
  };
  /** null for rights in the organization itself */ projectId: string | null;
  projectName: string | null;
  subject: string;
  actions: string[];
  /** null for all, and where the right has no place */
  environment: string | null;
  /** The folder; null for all, and where the right has no place */
  secretPath: string | null;
  /** The secret; null for all secrets in the folder */ secretName: string | null;
  /** Further conditions, for rights that depend on more than existing folders and secrets */
  conditions: Record<string, unknown> | null;
  /** null: immediately */ from: string | null;
  /** null: permanent */ until: string | null;
};

export interface AccessApi {
  /**
   * List who can access a secret or a folder, and by which grants.
   * Members that the caller may not read are counted, not named. The response reveals no more of the secret or the folder than reading it does.
   * `GET /api/v1/projects/{projectId}/access`. Needs `describeSecret` on `secrets` in the project, or `read` on `secret-folders` in the project.
   */
  who: Query<AccessQuery, { access: AccessReport }>;
  /** Explain the effective permissions of the caller in a project. `GET /api/v1/projects/{projectId}/access/me`. */
  me: Query<
    {
      /** Also returns what the actor may do at this path */ environment?: string;
      /** The path of a folder, for example /app/config */ secretPath?: string;
      /** Default: the folder itself */ secretName?: string;
      /** UUID */ projectId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a user in a project.
   * `GET /api/v1/projects/{projectId}/access/users/{userId}`. Needs `read` on `member`.
   */
  user: Query<
    {
      /** Also returns what the actor may do at this path */ environment?: string;
      /** The path of a folder, for example /app/config */ secretPath?: string;
      /** Default: the folder itself */ secretName?: string;
      /** UUID */ projectId: string;
      /** UUID */ userId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a machine identity in a project.
   * `GET /api/v1/projects/{projectId}/access/identities/{identityId}`. Needs `read` on `identity`.
   */
  identity: Query<
    {
      /** Also returns what the actor may do at this path */ environment?: string;
      /** The path of a folder, for example /app/config */ secretPath?: string;
      /** Default: the folder itself */ secretName?: string;
      /** UUID */ projectId: string;
      /** UUID */ identityId: string;
    },
    { access: ActorAccess }
  >;
  /** Explain the effective permissions of the caller in the organization. `GET /api/v1/organization/access/me`. */
  meInOrganization: Query<NoInput, { access: ActorAccess }>;
  /**
   * Explain the effective permissions of a user in the organization.
   * `GET /api/v1/organization/access/users/{userId}`. Needs `read` on `member`.
   */
  userInOrganization: Query<
    {
      /** UUID */ userId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a machine identity in the organization.
   * `GET /api/v1/organization/access/identities/{identityId}`. Needs `read` on `identity`.
   */
  identityInOrganization: Query<
    {
      /** UUID */ identityId: string;
    },
    { access: ActorAccess }
  >;
  /**  */
  plan: Mutation<
    {
      /** The name of the procedure, for example `projectRoles.update` */
      operation: string;
      /** The input of the procedure (default: `{}`) */
      input?: Record<string, unknown>;
    },
    Plan
  >;
}
