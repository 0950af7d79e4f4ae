// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { PublishedRule } from './shared.ts';

export type AccessQuery = {
  /** UUID */
  projectId: string;
  /** The slug of an environment */
  environment: string;
  /**
   * The path of a folder, such as /app/config
   * Default: `'/'`
   */
  secretPath?: string;
  /** The folder itself where absent */
  secretName?: string;
  /** Only who may do this, such as readValue */
  action?: string;
  /**
   * How many to pass over
   * Default: `0`
   */
  offset?: number;
  /**
   * How many to answer at the most
   * Default: `100`
   */
  limit?: number;
};

export type AccessReport = {
  environment: string;
  secretPath: string;
  secretName: string | null;
  secretTags: string[] | null;
  /** Everybody whom a rule speaks for, by name; what no rule allows at any point is left out */
  actors: {
    actor: {
      /** A person, a machine identity or a service token */
      type: 'user' | 'identity' | 'service';
      /** UUID */
      id: string;
      name: string;
      /** Of a person */
      username: string | null;
    };
    actions: {
      subject: string;
      action: string;
      /** null where it depends on the name or the tags of the secret */
      isAllowed: boolean | null;
      /** The last rule that speaks of the thing; null where none does */
      decidedBy: {
        grant: {
          /** A service token carries its own rights */
          kind: 'role' | 'privilege' | 'service-token';
          /** UUID of the assignment of the role, of the privilege, or of the service token */
          id: string;
          /** Of the role or the privilege; the name of the service token */
          slug: string;
          isByGroup: boolean;
          /** The group by which it is held, for those who may read groups */
          group: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          } | null;
          /** null for what has no beginning */
          startsAt: string | null;
          /** null for what has no end */
          endsAt: string | null;
        };
        /** null for those who may not read roles */
        rule: PublishedRule | null;
        allows: boolean;
      } | null;
      /** The rules before it that speak of the thing as well, the later ones first */
      overridden: {
        grant: {
          /** A service token carries its own rights */
          kind: 'role' | 'privilege' | 'service-token';
          /** UUID of the assignment of the role, of the privilege, or of the service token */
          id: string;
          /** Of the role or the privilege; the name of the service token */
          slug: string;
          isByGroup: boolean;
          /** The group by which it is held, for those who may read groups */
          group: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          } | null;
          /** null for what has no beginning */
          startsAt: string | null;
          /** null for what has no end */
          endsAt: string | null;
        };
        /** null for those who may not read roles */
        rule: PublishedRule | null;
        allows: boolean;
      }[];
    }[];
  }[];
  /** How many of them the caller may see */
  totalCount: number;
  /** How many more there are whom the caller may not see */
  hiddenCount: number;
};

export type ActorAccess = {
  actor: {
    /** A person, a machine identity or a service token */
    type: 'user' | 'identity' | 'service';
    /** UUID */
    id: string;
    name: string;
    /** Of a person */
    username: string | null;
  };
  /** In the order in which they override each other, the last one last */
  grants: {
    /** A service token carries its own rights */
    kind: 'role' | 'privilege' | 'service-token';
    /** UUID of the assignment of the role, of the privilege, or of the service token */
    id: string;
    /** Of the role or the privilege; the name of the service token */
    slug: string;
    isByGroup: boolean;
    /** The group by which it is held, for those who may read groups */
    group: {
      /** UUID */
      id: string;
      name: string;
      slug: string;
    } | null;
    /** null for what has no beginning */
    startsAt: string | null;
    /** null for what has no end */
    endsAt: string | null;
    state: 'active' | 'upcoming' | 'over';
    /** null for those who may not read roles */
    rules: PublishedRule[] | null;
  }[];
  /** The rules in force, in order; of those that speak of a thing the last one decides */
  rules: {
    /** Which of `grants`, counted from 0 */
    grant: number;
    /** null for those who may not read roles */
    rule: PublishedRule | null;
    allows: boolean;
  }[];
  /** Every subject and action */
  table: {
    subject: string;
    action: string;
    access: 'always' | 'sometimes' | 'never';
    /** Those that may decide, as places in `rules`; the first that fits does */
    rules: number[];
  }[];
  /** At the place that was asked for */
  decisions: {
    subject: string;
    action: string;
    /** null where it depends on the name or the tags of the secret */
    isAllowed: boolean | null;
    /** The last rule that speaks of the thing; null where none does */
    decidedBy: {
      grant: {
        /** A service token carries its own rights */
        kind: 'role' | 'privilege' | 'service-token';
        /** UUID of the assignment of the role, of the privilege, or of the service token */
        id: string;
        /** Of the role or the privilege; the name of the service token */
        slug: string;
        isByGroup: boolean;
        /** The group by which it is held, for those who may read groups */
        group: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        } | null;
        /** null for what has no beginning */
        startsAt: string | null;
        /** null for what has no end */
        endsAt: string | null;
      };
      /** null for those who may not read roles */
      rule: PublishedRule | null;
      allows: boolean;
    } | null;
    /** The rules before it that speak of the thing as well, the later ones first */
    overridden: {
      grant: {
        /** A service token carries its own rights */
        kind: 'role' | 'privilege' | 'service-token';
        /** UUID of the assignment of the role, of the privilege, or of the service token */
        id: string;
        /** Of the role or the privilege; the name of the service token */
        slug: string;
        isByGroup: boolean;
        /** The group by which it is held, for those who may read groups */
        group: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        } | null;
        /** null for what has no beginning */
        startsAt: string | null;
        /** null for what has no end */
        endsAt: string | null;
      };
      /** null for those who may not read roles */
      rule: PublishedRule | null;
      allows: boolean;
    }[];
  }[] | null;
  /** When a grant begins or ends next */
  changesAt: string | null;
};

export type Plan = {
  /** The operation that was not carried out */
  operation: string;
  /** Who would gain or lose what, and where; at most 1000 of them */
  changes: PlannedChange[];
  /** How many actions that the caller may see are gained or lost, each person and place counted */
  count: number;
  /** How much more there is that the caller may not see, and how many it concerns. What changes at places that it does not see counts by the rules, whether or not there is anything */
  hidden: { actors: number; changes: number };
  /** Whether there are more changes than are listed */
  isTruncated: boolean;
  /** Whether there was too much to compare: there may be more changes than are listed and counted */
  isPartial: boolean;
};

export type PlannedChange = {
  change: 'gained' | 'lost';
  actor: {
    /** A person, a machine identity or a service token */
    type: 'user' | 'identity' | 'service';
    /** null for somebody who would only be made by this */
    id: string | null;
    name: string;
    /** Of a person */
    username: string | null;
  };
  /** null for rights in the organization itself */
  projectId: string | null;
  projectName: string | null;
  subject: string;
  actions: string[];
  /** null for all, and where the right has no place */
  environment: string | null;
  /** The folder; null for all, and where the right has no place */
  secretPath: string | null;
  /** The secret; null for all that are in the folder */
  secretName: string | null;
  /** What else limits it: for rights that depend on more than the places that there are now */
  conditions: Record<string, unknown> | null;
  /** null for at once */
  from: string | null;
  /** null for good */
  until: string | null;
};

export interface AccessApi {
  /**
   * List who can access a secret or a folder, and by which grants.
   *
   * Members that the caller may not read are counted, not named. The response reveals no more of the secret or the folder than reading it does.
   *
   * `GET /api/v1/projects/{projectId}/access`
   * Needs `describeSecret` on `secrets` in the project, or `read` on `secret-folders` in the project.
   */
  who: Query<AccessQuery, { access: AccessReport }>;
  /**
   * Explain the effective permissions of the caller in a project.
   *
   * `GET /api/v1/projects/{projectId}/access/me`
   */
  me: Query<
    {
      /** Also says what the actor may do at this place */
      environment?: string;
      /** The path of a folder, such as /app/config */
      secretPath?: string;
      /** The folder itself where absent */
      secretName?: string;
      /** UUID */
      projectId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a user in a project.
   *
   * `GET /api/v1/projects/{projectId}/access/users/{userId}`
   * Needs `read` on `member`.
   */
  user: Query<
    {
      /** Also says what the actor may do at this place */
      environment?: string;
      /** The path of a folder, such as /app/config */
      secretPath?: string;
      /** The folder itself where absent */
      secretName?: string;
      /** UUID */
      projectId: string;
      /** UUID */
      userId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a machine identity in a project.
   *
   * `GET /api/v1/projects/{projectId}/access/identities/{identityId}`
   * Needs `read` on `identity`.
   */
  identity: Query<
    {
      /** Also says what the actor may do at this place */
      environment?: string;
      /** The path of a folder, such as /app/config */
      secretPath?: string;
      /** The folder itself where absent */
      secretName?: string;
      /** UUID */
      projectId: string;
      /** UUID */
      identityId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of the caller in the organization.
   *
   * `GET /api/v1/organization/access/me`
   */
  meInOrganization: Query<NoInput, { access: ActorAccess }>;
  /**
   * Explain the effective permissions of a user in the organization.
   *
   * `GET /api/v1/organization/access/users/{userId}`
   * Needs `read` on `member`.
   */
  userInOrganization: Query<
    {
      /** UUID */
      userId: string;
    },
    { access: ActorAccess }
  >;
  /**
   * Explain the effective permissions of a machine identity in the organization.
   *
   * `GET /api/v1/organization/access/identities/{identityId}`
   * Needs `read` on `identity`.
   */
  identityInOrganization: Query<
    {
      /** UUID */
      identityId: string;
    },
    { access: ActorAccess }
  >;
  plan: Mutation<
    {
      /** The name of the procedure, for example `projectRoles.update` */
      operation: string;
      /**
       * The input of the procedure
       * Default: `{}`
       */
      input?: Record<string, unknown>;
    },
    Plan
  >;
}
