// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query, Subscription } from './call.ts';

export type SecretsTraceOutputPart = {
  key: string;
  environment: string;
  secretPath: string;
  value?: string;
  isImported: boolean;
  children: SecretsTraceOutputPart[];
};

export type SecretsDependentsOutputPart = { key: string; environment: string; secretPath: string; children: SecretsDependentsOutputPart[] };

/** Every procedure of Coffer: what goes in, and what comes out. Times are ISO 8601 texts. */
export interface Api {
  access: {
    /**
     * Show who may do what to a secret or in a folder, and why.
     *
     * Members whom the caller may not read are counted, not named. What may be known of the secret or the folder is what reading it tells.
     *
     * `GET /api/v1/projects/{projectId}/access`
     * Needs `describeSecret` on `secrets` in the project, or `read` on `secret-folders` in the project.
     */
    who: Query<
      {
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
      },
      {
        access: {
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
                rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
                rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
                allows: boolean;
              }[];
            }[];
          }[];
          /** How many of them the caller may see */
          totalCount: number;
          /** How many more there are whom the caller may not see */
          hiddenCount: number;
        };
      }
    >;
    /**
     * Show what the caller may do in a project, and why.
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
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    /**
     * Show what a person may do in a project, and why.
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
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    /**
     * Show what a machine identity may do in a project, and why.
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
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    /**
     * Show what the caller may do in the organization, and why.
     *
     * `GET /api/v1/organization/access/me`
     */
    meInOrganization: Query<
      NoInput,
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    /**
     * Show what a person may do in the organization, and why.
     *
     * `GET /api/v1/organization/access/users/{userId}`
     * Needs `read` on `member`.
     */
    userInOrganization: Query<
      {
        /** UUID */
        userId: string;
      },
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    /**
     * Show what a machine identity may do in the organization, and why.
     *
     * `GET /api/v1/organization/access/identities/{identityId}`
     * Needs `read` on `identity`.
     */
    identityInOrganization: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        access: {
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
            rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[] | null;
          }[];
          /** The rules in force, in order; of those that speak of a thing the last one decides */
          rules: {
            /** Which of `grants`, counted from 0 */
            grant: number;
            /** null for those who may not read roles */
            rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
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
              rule: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean } | null;
              allows: boolean;
            }[];
          }[] | null;
          /** When a grant begins or ends next */
          changesAt: string | null;
        };
      }
    >;
    plan: Mutation<
      {
        /** The name of the procedure, such as projectRoles.update */
        operation: string;
        /**
         * What it would be called with
         * Default: `{}`
         */
        input?: Record<string, unknown>;
      },
      {
        /** The operation that was not carried out */
        operation: string;
        /** Who would gain or lose what, and where; at most 1000 of them */
        changes: {
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
        }[];
        /** How many actions that the caller may see are gained or lost, each person and place counted */
        count: number;
        /** How much more there is that the caller may not see, and how many it concerns. What changes at places that it does not see counts by the rules, whether or not there is anything */
        hidden: { actors: number; changes: number };
        /** Whether there are more changes than are listed */
        isTruncated: boolean;
        /** Whether there was too much to compare: there may be more changes than are listed and counted */
        isPartial: boolean;
      }
    >;
  };
  organizationRoles: {
    /**
     * List the roles of the organization, the built-in ones first.
     *
     * `GET /api/v1/organization/roles`
     * Needs `read` on `role`.
     */
    list: Query<
      NoInput,
      {
        data: {
          roles: {
            /** UUID; of a built-in role its slug */
            id: string;
            slug: string;
            name: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
            /** UUID */
            orgId: string;
            createdAt: string;
            updatedAt: string;
          }[];
        };
      }
    >;
    /**
     * Create a role of the organization.
     *
     * `POST /api/v1/organization/roles`
     * Needs `create` on `role`.
     */
    create: Mutation<
      {
        name: string;
        description?: string | null;
        slug: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a role of the organization.
     *
     * `GET /api/v1/organization/roles/{roleId}`
     * Needs `read` on `role`.
     */
    get: Query<
      {
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a role of the organization by its slug.
     *
     * `GET /api/v1/organization/roles/slug/{roleSlug}`
     * Needs `read` on `role`.
     */
    getBySlug: Query<
      { roleSlug: string },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a role of the organization; it holds with the next request.
     *
     * `PATCH /api/v1/organization/roles/{roleId}`
     * Needs `edit` on `role`.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a role of the organization that nobody has.
     *
     * `DELETE /api/v1/organization/roles/{roleId}`
     * Needs `delete` on `role`.
     */
    delete: Mutation<
      {
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  organizationRolesV1: {
    /**
     * List the roles of the organization.
     *
     * `GET /api/v1/organization/{organizationId}/roles`
     * Needs `read` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        data: {
          roles: {
            /** UUID; of a built-in role its slug */
            id: string;
            slug: string;
            name: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
            /** UUID */
            orgId: string;
            createdAt: string;
            updatedAt: string;
          }[];
        };
      }
    >;
    /**
     * Create a role of the organization.
     *
     * `POST /api/v1/organization/{organizationId}/roles`
     * Needs `create` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    create: Mutation<
      {
        name: string;
        description?: string | null;
        slug: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        organizationId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a role of the organization.
     *
     * `GET /api/v1/organization/{organizationId}/roles/{roleId}`
     * Needs `read` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    get: Query<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a role of the organization.
     *
     * `PATCH /api/v1/organization/{organizationId}/roles/{roleId}`
     * Needs `edit` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        organizationId: string;
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a role of the organization that nobody has.
     *
     * `DELETE /api/v1/organization/{organizationId}/roles/{roleId}`
     * Needs `delete` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        roleId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projectRoles: {
    /**
     * List the roles of a project, the built-in ones first.
     *
     * `GET /api/v1/projects/{projectId}/roles`
     * Needs `read` on `role`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        roles: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a role of a project.
     *
     * `POST /api/v1/projects/{projectId}/roles`
     * Needs `create` on `role`.
     */
    create: Mutation<
      {
        name: string;
        description?: string | null;
        slug: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        projectId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a role of a project by its slug.
     *
     * `GET /api/v1/projects/{projectId}/roles/slug/{roleSlug}`
     * Needs `read` on `role`.
     */
    getBySlug: Query<
      {
        roleSlug: string;
        /** UUID */
        projectId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a role of a project; it holds with the next request.
     *
     * `PATCH /api/v1/projects/{projectId}/roles/{roleId}`
     * Needs `edit` on `role`.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        roleId: string;
        /** UUID */
        projectId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a role of a project that nobody has.
     *
     * `DELETE /api/v1/projects/{projectId}/roles/{roleId}`
     * Needs `delete` on `role`.
     */
    delete: Mutation<
      {
        /** UUID */
        roleId: string;
        /** UUID */
        projectId: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projectRolesV1: {
    /**
     * List the roles of a project.
     *
     * `GET /api/v1/workspace/{projectSlug}/roles`
     * Needs `read` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      { projectSlug: string },
      {
        roles: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a role of a project.
     *
     * `POST /api/v1/workspace/{projectSlug}/roles`
     * Needs `create` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    create: Mutation<
      {
        name: string;
        description?: string | null;
        slug: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        projectSlug: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a role of a project by its slug.
     *
     * `GET /api/v1/workspace/{projectSlug}/roles/slug/{slug}`
     * Needs `read` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    getBySlug: Query<
      { slug: string; projectSlug: string },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a role of a project.
     *
     * `PATCH /api/v1/workspace/{projectSlug}/roles/{roleId}`
     * Needs `edit` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        /** UUID */
        roleId: string;
        projectSlug: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a role of a project that nobody has.
     *
     * `DELETE /api/v1/workspace/{projectSlug}/roles/{roleId}`
     * Needs `delete` on `role`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        /** UUID */
        roleId: string;
        projectSlug: string;
      },
      {
        role: {
          /** UUID; of a built-in role its slug */
          id: string;
          slug: string;
          name: string;
          description: string | null;
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          /** How often it was changed, plus one */
          version: number;
          projectId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  identityPrivileges: {
    /**
     * List the privileges of a machine identity in a project.
     *
     * `GET /api/v2/identity-project-additional-privilege`
     * Needs `read` on `identity`.
     */
    list: Query<
      {
        /** UUID */
        identityId: string;
        /** UUID */
        projectId: string;
      },
      {
        privileges: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Give a machine identity rules of its own in a project.
     *
     * `POST /api/v2/identity-project-additional-privilege`
     * Needs `edit` on `identity`.
     */
    create: Mutation<
      {
        /** UUID */
        identityId: string;
        /** UUID */
        projectId: string;
        /** Made up where absent */
        slug?: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        type: {
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | { isTemporary: false };
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a privilege of a machine identity.
     *
     * `GET /api/v2/identity-project-additional-privilege/{id}`
     * Needs `read` on `identity`.
     */
    get: Query<
      {
        /** UUID */
        id: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a privilege of a machine identity by its slug.
     *
     * `GET /api/v2/identity-project-additional-privilege/slug/{privilegeSlug}`
     * Needs `read` on `identity`.
     */
    getBySlug: Query<
      {
        /** UUID */
        identityId: string;
        privilegeSlug: string;
        projectSlug: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a privilege of a machine identity.
     *
     * `PATCH /api/v2/identity-project-additional-privilege/{id}`
     * Needs `edit` on `identity`.
     */
    update: Mutation<
      {
        /** Made up where absent */
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        type?: {
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | { isTemporary: false };
        /** UUID */
        id: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Take a privilege from a machine identity.
     *
     * `DELETE /api/v2/identity-project-additional-privilege/{id}`
     * Needs `edit` on `identity`.
     */
    delete: Mutation<
      {
        /** UUID */
        id: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  identityPrivilegesV1: {
    /**
     * List the privileges of a machine identity in a project.
     *
     * `GET /api/v1/additional-privilege/identity`
     * Needs `read` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        /** UUID */
        identityId: string;
        projectSlug: string;
      },
      {
        privileges: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Read a privilege of a machine identity by its slug.
     *
     * `GET /api/v1/additional-privilege/identity/{privilegeSlug}`
     * Needs `read` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    getBySlug: Query<
      {
        privilegeSlug: string;
        /** UUID */
        identityId: string;
        projectSlug: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Give a machine identity rules of its own in a project, forever.
     *
     * `POST /api/v1/additional-privilege/identity/permanent`
     * Needs `edit` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    createPermanent: Mutation<
      {
        permissions?: {
          action: 'read' | 'create' | 'edit' | 'delete';
          /** One of the published subjects of projects */
          subject: string;
          conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
        }[];
        /** Counts where permissions are sent as well */
        privilegePermission?: {
          actions: ('read' | 'create' | 'edit' | 'delete')[];
          subject: 'secrets';
          conditions: { environment: string; secretPath?: { $glob: string } };
        };
        /** UUID */
        identityId: string;
        projectSlug: string;
        slug?: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Give a machine identity rules of its own in a project, for a time.
     *
     * `POST /api/v1/additional-privilege/identity/temporary`
     * Needs `edit` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    createTemporary: Mutation<
      {
        permissions?: {
          action: 'read' | 'create' | 'edit' | 'delete';
          /** One of the published subjects of projects */
          subject: string;
          conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
        }[];
        /** Counts where permissions are sent as well */
        privilegePermission?: {
          actions: ('read' | 'create' | 'edit' | 'delete')[];
          subject: 'secrets';
          conditions: { environment: string; secretPath?: { $glob: string } };
        };
        /** UUID */
        identityId: string;
        projectSlug: string;
        slug?: string;
        temporaryMode: 'relative';
        /** Such as 30m, 1h, 2d */
        temporaryRange: string;
        /** RFC 3339 */
        temporaryAccessStartTime: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a privilege of a machine identity.
     *
     * `PATCH /api/v1/additional-privilege/identity`
     * Needs `edit` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        privilegeSlug: string;
        /** UUID */
        identityId: string;
        projectSlug: string;
        privilegeDetails: {
          permissions?: {
            action: 'read' | 'create' | 'edit' | 'delete';
            /** One of the published subjects of projects */
            subject: string;
            conditions?: { environment?: string; secretPath?: { $glob: string } } | null;
          }[];
          /** Counts where permissions are sent as well */
          privilegePermission?: {
            actions: ('read' | 'create' | 'edit' | 'delete')[];
            subject: 'secrets';
            conditions: { environment: string; secretPath?: { $glob: string } };
          };
          slug?: string;
          isTemporary?: boolean;
          temporaryMode?: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange?: string;
          /** RFC 3339 */
          temporaryAccessStartTime?: string;
        };
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Take a privilege from a machine identity.
     *
     * `DELETE /api/v1/additional-privilege/identity`
     * Needs `edit` on `identity`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        privilegeSlug: string;
        /** UUID */
        identityId: string;
        projectSlug: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  userPrivileges: {
    /**
     * List the privileges of a person in a project.
     *
     * `GET /api/v1/user-project-additional-privilege`
     * Needs `read` on `member`.
     */
    list: Query<
      {
        /** UUID */
        projectMembershipId: string;
      },
      {
        privileges: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
        }[];
      }
    >;
    /**
     * Give a person rules of its own in a project.
     *
     * `POST /api/v1/user-project-additional-privilege`
     * Needs `edit` on `member`.
     */
    create: Mutation<
      {
        /** UUID */
        projectMembershipId: string;
        /** Made up where absent */
        slug?: string;
        permissions: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        type: {
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | { isTemporary: false };
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Read a privilege of a person.
     *
     * `GET /api/v1/user-project-additional-privilege/{privilegeId}`
     * Needs `read` on `member`.
     */
    get: Query<
      {
        /** UUID */
        privilegeId: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Change a privilege of a person.
     *
     * `PATCH /api/v1/user-project-additional-privilege/{privilegeId}`
     * Needs `edit` on `member`.
     */
    update: Mutation<
      {
        /** Made up where absent */
        slug?: string;
        permissions?: {
          /** One of the published subjects */
          subject: string;
          /** One action or a list of them */
          action: string | string[];
          /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
          conditions?: Record<string, unknown> | null;
          /** true forbids; the last rule that speaks of a thing decides */
          inverted?: boolean;
        }[];
        type?: {
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | { isTemporary: false };
        /** UUID */
        privilegeId: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Take a privilege from a person.
     *
     * `DELETE /api/v1/user-project-additional-privilege/{privilegeId}`
     * Needs `edit` on `member`.
     */
    delete: Mutation<
      {
        /** UUID */
        privilegeId: string;
      },
      {
        privilege: {
          /** UUID */
          id: string;
          /** Unique among the privileges of the member */
          slug: string;
          /** UUID of the membership */
          projectMembershipId: string;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** Later rules override earlier ones and those of the roles */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
  };
  serviceTokens: {
    /**
     * Make a service token.
     *
     * `POST /api/v2/service-token`
     * Needs `create` on `service-tokens`.
     */
    create: Mutation<
      {
        name: string;
        /** The project's id */
        workspaceId: string;
        scopes: {
          /** The slug of an environment */
          environment: string;
          secretPath: string;
        }[];
        permissions: ('read' | 'write' | 'readValue')[];
        /** Seconds. Absent or null: 90 days. 0: it never expires, which needs the permission create-without-expiry on service-tokens */
        expiresIn?: number | null;
        /** Kept as it is, and given back to the token: keys stay on the server here */
        encryptedKey?: string;
        /** Kept as it is, and given back to the token: keys stay on the server here */
        iv?: string;
        /** Kept as it is, and given back to the token: keys stay on the server here */
        tag?: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        serviceToken: string;
        serviceTokenData: {
          /** UUID */
          id: string;
          name: string;
          scopes: {
            /** The slug of an environment */
            environment: string;
            /** The path of a folder, or a glob: /app/** */
            secretPath: string;
          }[];
          permissions: string[];
          lastUsed: string | null;
          expiresAt: string | null;
          /** UUID of the user */
          createdBy: string;
          /** The user who created it; null where there is no such account any more, and the token no longer works */
          creator: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Show the service token that calls.
     *
     * `GET /api/v2/service-token`
     */
    own: Query<
      NoInput,
      {
        /** UUID */
        id: string;
        name: string;
        scopes: {
          /** The slug of an environment */
          environment: string;
          /** The path of a folder, or a glob: /app/** */
          secretPath: string;
        }[];
        permissions: string[];
        lastUsed: string | null;
        expiresAt: string | null;
        /** UUID of the user */
        createdBy: string;
        /** The user who created it; null where there is no such account any more, and the token no longer works */
        creator: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
        } | null;
        /** UUID */
        projectId: string;
        createdAt: string;
        updatedAt: string;
        /** The same as id */
        _id: string;
        __v: number;
        /** The project's id */
        workspace: string;
        /** Always empty: the hash stays on the server */
        secretHash: string;
        encryptedKey: string | null;
        iv: string | null;
        tag: string | null;
        /** Who made it; null where there is no such account any more */
        user: {
          /** UUID */
          id: string;
          /** The same as id */
          _id: string;
          __v: number;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          authMethods: string[];
          mfaMethods: string[] | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        } | null;
      }
    >;
    /**
     * List the service tokens of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/service-token-data`
     * Needs `read` on `service-tokens`.
     */
    list: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        serviceTokenData: {
          /** UUID */
          id: string;
          name: string;
          scopes: {
            /** The slug of an environment */
            environment: string;
            /** The path of a folder, or a glob: /app/** */
            secretPath: string;
          }[];
          permissions: string[];
          lastUsed: string | null;
          expiresAt: string | null;
          /** UUID of the user */
          createdBy: string;
          /** The user who created it; null where there is no such account any more, and the token no longer works */
          creator: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * End a service token.
     *
     * `DELETE /api/v2/service-token/{serviceTokenId}`
     * Needs `delete` on `service-tokens`.
     */
    delete: Mutation<
      {
        /** UUID */
        serviceTokenId: string;
      },
      {
        serviceTokenData: {
          /** UUID */
          id: string;
          name: string;
          scopes: {
            /** The slug of an environment */
            environment: string;
            /** The path of a folder, or a glob: /app/** */
            secretPath: string;
          }[];
          permissions: string[];
          lastUsed: string | null;
          expiresAt: string | null;
          /** UUID of the user */
          createdBy: string;
          /** The user who created it; null where there is no such account any more, and the token no longer works */
          creator: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  accessApprovals: {
    /**
     * List the access policies of a project.
     *
     * `GET /api/v1/access-approvals/policies`
     * Needs `read` on `secret-approval`.
     */
    listPolicies: Query<
      {
        /** The project's slug */
        projectSlug: string;
      },
      {
        approvals: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
        }[];
      }
    >;
    /**
     * Count the access policies of an environment.
     *
     * `GET /api/v1/access-approvals/policies/count`
     * Needs `read` on `secret-approval`.
     */
    countPolicies: Query<
      {
        /** The project's slug */
        projectSlug: string;
        /** The slug of an environment */
        envSlug: string;
      },
      { count: number }
    >;
    /**
     * Read an access policy.
     *
     * `GET /api/v1/access-approvals/policies/{policyId}`
     * Needs `read` on `secret-approval`.
     */
    getPolicy: Query<
      {
        /** UUID */
        policyId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
        };
      }
    >;
    /**
     * Let access be asked for.
     *
     * Members may ask for rights in the folders of the policy; approvers give what they hold.
     *
     * `POST /api/v1/access-approvals/policies`
     * Needs `create` on `secret-approval`.
     */
    createPolicy: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /** A folder, or a glob of folders; where absent, the whole environment */
        secretPath?: string | null;
        /** Made up where absent */
        name?: string;
        /** Users and groups of the project */
        approvers: {
          type: 'group' | 'user';
          /** UUID */
          id?: string;
          /** The user name, where there is no id */
          name?: string;
          /** The same as name */
          username?: string;
        }[];
        /** Default: `1` */
        approvals?: number;
        /**
         * soft may be passed by with a reason
         * Default: `'hard'`
         */
        enforcementLevel?: 'hard' | 'soft';
        /** Default: `false` */
        allowedSelfApprovals?: boolean;
        /** The project's slug */
        projectSlug: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
        };
      }
    >;
    /**
     * Change an access policy.
     *
     * `PATCH /api/v1/access-approvals/policies/{policyId}`
     * Needs `edit` on `secret-approval`.
     */
    updatePolicy: Mutation<
      {
        /** UUID */
        policyId: string;
        secretPath?: string | null;
        /** Made up where absent */
        name?: string;
        /** Users and groups of the project */
        approvers?: {
          type: 'group' | 'user';
          /** UUID */
          id?: string;
          /** The user name, where there is no id */
          name?: string;
          /** The same as name */
          username?: string;
        }[];
        approvals?: number;
        /** soft may be passed by with a reason */
        enforcementLevel?: 'hard' | 'soft';
        allowedSelfApprovals?: boolean;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
        };
      }
    >;
    /**
     * End an access policy.
     *
     * What is asked for under it is rejected; what was given stays.
     *
     * `DELETE /api/v1/access-approvals/policies/{policyId}`
     * Needs `delete` on `secret-approval`.
     */
    deletePolicy: Mutation<
      {
        /** UUID */
        policyId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
        };
      }
    >;
    /**
     * List the requests for access, newest first.
     *
     * Those that the caller made or may approve; with `read` on `secret-approval`, all of the project.
     *
     * `GET /api/v1/access-approvals/requests`
     */
    list: Query<
      {
        /** The project's slug */
        projectSlug: string;
        /** Only those of this membership */
        authorProjectMembershipId?: string;
        envSlug?: string;
        /** Default: `1000` */
        limit?: number;
        /** Default: `0` */
        offset?: number;
      },
      {
        requests: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          /** The privilege that was given; null before that, and once it is taken away */
          privilegeId: string | null;
          /** UUID of the membership */
          requestedBy: string;
          isTemporary: boolean;
          temporaryRange: string | null;
          /** Packed: [action, subject, conditions] */
          permissions: unknown[];
          /** The same rules as objects */
          rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          requestedByUserId: string;
          note: string | null;
          status: 'pending' | 'approved' | 'rejected';
          /** The slug of the environment */
          environment: string;
          environmentName: string;
          isApproved: boolean;
          privilege: {
            /** UUID */
            membershipId: string;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
          policy: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          };
          /** All that it has to satisfy; `policy` covers all that is asked for */
          policies: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          }[];
          reviewers: {
            /** UUID */
            userId: string;
            status: 'approved' | 'rejected';
          }[];
          requestedByUser: {
            /** UUID */
            userId: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
        }[];
      }
    >;
    /**
     * Count the requests for access.
     *
     * `GET /api/v1/access-approvals/requests/count`
     */
    count: Query<
      {
        /** The project's slug */
        projectSlug: string;
      },
      { pendingCount: number; finalizedCount: number }
    >;
    /**
     * Ask for access.
     *
     * For a time that begins with the approval, or for good.
     *
     * `POST /api/v1/access-approvals/requests`
     */
    request: Mutation<
      {
        /** The project's slug */
        projectSlug: string;
        /** Rules: as objects, packed ([action, subject, conditions]), or either as JSON text */
        permissions: unknown[];
        isTemporary: boolean;
        /** Such as 1h, 2d: from the approval on. Needed where isTemporary */
        temporaryRange?: string;
        note?: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          /** The privilege that was given; null before that, and once it is taken away */
          privilegeId: string | null;
          /** UUID of the membership */
          requestedBy: string;
          isTemporary: boolean;
          temporaryRange: string | null;
          /** Packed: [action, subject, conditions] */
          permissions: unknown[];
          /** The same rules as objects */
          rules: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          requestedByUserId: string;
          note: string | null;
          status: 'pending' | 'approved' | 'rejected';
        };
      }
    >;
    /**
     * Approve or reject a request for access.
     *
     * For approvers, who give nothing that they do not hold. A rejection ends it.
     *
     * `POST /api/v1/access-approvals/requests/{requestId}/review`
     */
    review: Mutation<
      {
        /** UUID */
        requestId: string;
        status: 'approved' | 'rejected';
      },
      {
        review: {
          /** UUID */
          id: string;
          status: 'approved' | 'rejected';
          /** UUID */
          requestId: string;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          reviewerUserId: string;
          /** An older field; null */
          member: string | null;
        };
      }
    >;
  };
  projectEntry: {
    /**
     * List all projects of the organization.
     *
     * `GET /api/v1/organization-admin/projects`
     * Needs `access-all-projects` on `organization-admin-console`.
     */
    list: Query<
      {
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `50`
         */
        limit?: number;
        /** A part of the name */
        search?: string;
      },
      {
        projects: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          type: string;
          slug: string;
          autoCapitalization: boolean;
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
          version: number;
          upgradeStatus: string | null;
          pitVersionLimit: number;
          kmsCertificateKeyId: string | null;
          auditLogsRetentionDays: number | null;
        }[];
        count: number;
      }
    >;
    /**
     * Become an administrator of a project of the organization.
     *
     * `POST /api/v1/organization-admin/projects/{projectId}/grant-admin-access`
     * Needs `access-all-projects` on `organization-admin-console`.
     */
    enter: Mutation<
      {
        /** UUID */
        projectId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** null for a machine identity */
          userId: string | null;
          /** Of a machine identity alone */
          identityId?: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Ask to be let into a project.
     *
     * The people who administer the project get an e-mail. The answer does not tell whether there is such a project.
     *
     * `POST /api/v1/workspace/{workspaceId}/project-access`
     */
    ask: Mutation<
      {
        /** Goes to the administrators with the request */
        comment?: string | null;
        /** The project's id */
        workspaceId: string;
      },
      { message: string }
    >;
  };
  projectMembers: {
    /**
     * List the people of a project.
     *
     * `GET /api/v1/projects/{projectId}/memberships`
     * Needs `read` on `member`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        memberships: {
          /** UUID of the membership */
          id: string;
          createdAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        }[];
      }
    >;
    /**
     * Add people of the organization to a project.
     *
     * `POST /api/v1/projects/{projectId}/memberships`
     * Needs `create` on `member`.
     */
    add: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Default: `[]` */
        emails?: string[];
        /** Default: `[]` */
        usernames?: string[];
        /** Default: `["member"]` */
        roleSlugs?: string[];
      },
      {
        memberships: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Read a membership.
     *
     * `GET /api/v1/projects/{projectId}/memberships/{membershipId}`
     * Needs `read` on `member`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID of the membership */
          id: string;
          createdAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        };
      }
    >;
    /**
     * Read the membership of a person.
     *
     * `POST /api/v1/projects/{projectId}/memberships/details`
     * Needs `read` on `member`.
     */
    getByUsername: Mutation<
      {
        /** UUID */
        projectId: string;
        username: string;
      },
      {
        membership: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        };
      }
    >;
    /**
     * Give a member other roles.
     *
     * `PATCH /api/v1/projects/{projectId}/memberships/{membershipId}`
     * Needs `edit` on `member`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        membershipId: string;
        roles: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        roles: {
          /** UUID */
          id: string;
          role: string;
          customRoleId: string | null;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** UUID */
          projectMembershipId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Take a person out of a project.
     *
     * `DELETE /api/v1/projects/{projectId}/memberships/{membershipId}`
     * Needs `delete` on `member`.
     */
    remove: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Take people out of a project, all that are named or none.
     *
     * `DELETE /api/v1/projects/{projectId}/memberships`
     * Needs `delete` on `member`.
     */
    removeMany: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Default: `[]` */
        emails?: string[];
        /** Default: `[]` */
        usernames?: string[];
      },
      {
        memberships: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
  };
  projectMembersV1: {
    /**
     * List the people of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/memberships`
     * Needs `read` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        memberships: {
          /** UUID of the membership */
          id: string;
          createdAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        }[];
      }
    >;
    /**
     * Add people of the organization to a project.
     *
     * `POST /api/v1/workspace/{workspaceId}/memberships`
     * Needs `create` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    add: Mutation<
      {
        /** The project's id */
        workspaceId: string;
        members: {
          /** UUID */
          orgMembershipId: string;
        }[];
      },
      {
        success: boolean;
        data: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * List the people of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/users`
     * Needs `read` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    users: Query<
      {
        /** The project's id */
        workspaceId: string;
        /**
         * Also those who are in the project by a group alone
         * Default: `false`
         */
        includeGroupMembers?: boolean;
      },
      {
        users: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          /** In the project by a group alone; the id is that of its membership then */
          isGroupMember: boolean;
          project: {
            /** UUID */
            id: string;
            name: string;
          };
        }[];
      }
    >;
    /**
     * Read a membership.
     *
     * `GET /api/v1/workspace/{workspaceId}/memberships/{membershipId}`
     * Needs `read` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    get: Query<
      {
        /** The project's id */
        workspaceId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID of the membership */
          id: string;
          createdAt: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        };
      }
    >;
    /**
     * Read the membership of a person.
     *
     * `POST /api/v1/workspace/{workspaceId}/memberships/details`
     * Needs `read` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    getByUsername: Mutation<
      {
        /** The project's id */
        workspaceId: string;
        username: string;
      },
      {
        membership: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
          };
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        };
      }
    >;
    /**
     * Give a member other roles.
     *
     * `PATCH /api/v1/workspace/{workspaceId}/memberships/{membershipId}`
     * Needs `edit` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        /** The project's id */
        workspaceId: string;
        /** UUID */
        membershipId: string;
        roles: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        roles: {
          /** UUID */
          id: string;
          role: string;
          customRoleId: string | null;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** UUID */
          projectMembershipId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Take a person out of a project.
     *
     * `DELETE /api/v1/workspace/{workspaceId}/memberships/{membershipId}`
     * Needs `delete` on `member`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    remove: Mutation<
      {
        /** The project's id */
        workspaceId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Leave a project.
     *
     * `DELETE /api/v1/workspace/{workspaceId}/leave`
     */
    leave: Mutation<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          userId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read what the caller is and may do in a project.
     *
     * `GET /api/v1/workspace/{projectId}/permissions`
     */
    permissions: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        data: {
          membership: {
            /** UUID */
            id: string;
            userId: string | null;
            identityId: string | null;
            /** UUID */
            projectId: string;
            roles: {
              /** UUID */
              id: string;
              role: string;
              customRoleId: string | null;
              customRoleName: string | null;
              customRoleSlug: string | null;
              isTemporary: boolean;
              temporaryMode: string | null;
              temporaryRange: string | null;
              temporaryAccessStartTime: string | null;
              /** The start plus the range */
              temporaryAccessEndTime: string | null;
            }[];
            createdAt: string;
            updatedAt: string;
          };
          /** All rules that hold now, in order */
          permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
        };
      }
    >;
  };
  projectGroups: {
    /**
     * List the groups of a project.
     *
     * `GET /api/v1/projects/{projectId}/memberships/groups`
     * Needs `read` on `groups`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        groupMemberships: {
          /** UUID */
          id: string;
          /** UUID */
          groupId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          group: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            /** UUID */
            orgId: string;
          };
        }[];
      }
    >;
    /**
     * Let a group into a project.
     *
     * `POST /api/v1/projects/{projectId}/memberships/groups/{groupId}`
     * Needs `create` on `groups`.
     */
    add: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID of the group, its name or its slug */
        groupId: string;
        /**
         * Where roles is absent
         * Default: `'no-access'`
         */
        role?: string;
        roles?: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        groupMembership: {
          /** UUID */
          id: string;
          /** UUID */
          groupId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read the membership of a group.
     *
     * `GET /api/v1/projects/{projectId}/memberships/groups/{groupId}`
     * Needs `read` on `groups`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID of the group, its name or its slug */
        groupId: string;
      },
      {
        groupMembership: {
          /** UUID */
          id: string;
          /** UUID */
          groupId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
          /** Also those that are over or have not begun */
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          group: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            /** UUID */
            orgId: string;
          };
        };
      }
    >;
    /**
     * Give a group other roles in a project.
     *
     * `PATCH /api/v1/projects/{projectId}/memberships/groups/{groupId}`
     * Needs `edit` on `groups`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID of the group, its name or its slug */
        groupId: string;
        roles: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        roles: {
          /** UUID */
          id: string;
          role: string;
          customRoleId: string | null;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** UUID */
          projectMembershipId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Take a group out of a project.
     *
     * `DELETE /api/v1/projects/{projectId}/memberships/groups/{groupId}`
     * Needs `delete` on `groups`.
     */
    remove: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID of the group, its name or its slug */
        groupId: string;
      },
      {
        groupMembership: {
          /** UUID */
          id: string;
          /** UUID */
          groupId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projectIdentities: {
    /**
     * List the machine identities of a project.
     *
     * `GET /api/v1/projects/{projectId}/memberships/identities`
     * Needs `read` on `identity`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `20000` */
        limit?: number;
        /** Default: `'name'` */
        orderBy?: 'name';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
        /** A part of the name */
        search?: string;
      },
      {
        identityMemberships: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          identityId: string;
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            type: string;
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Add a machine identity to a project.
     *
     * `POST /api/v1/projects/{projectId}/memberships/identities/{identityId}`
     * Needs `create` on `identity`.
     */
    add: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
        /**
         * Where roles is absent
         * Default: `'no-access'`
         */
        role?: string;
        roles?: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        identityMembership: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read the membership of a machine identity.
     *
     * `GET /api/v1/projects/{projectId}/memberships/identities/{identityId}`
     * Needs `read` on `identity`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
      },
      {
        identityMembership: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          identityId: string;
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            type: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read the membership of a machine identity by its id.
     *
     * `GET /api/v2/workspace/identity-memberships/{identityMembershipId}`
     * Needs `read` on `identity`.
     */
    getById: Query<
      {
        /** UUID */
        identityMembershipId: string;
      },
      {
        identityMembership: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          identityId: string;
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            type: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Give a machine identity other roles in a project.
     *
     * `PATCH /api/v1/projects/{projectId}/memberships/identities/{identityId}`
     * Needs `edit` on `identity`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
        roles: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        roles: {
          /** UUID */
          id: string;
          role: string;
          customRoleId: string | null;
          isTemporary: boolean;
          temporaryMode: string | null;
          temporaryRange: string | null;
          temporaryAccessStartTime: string | null;
          /** The start plus the range */
          temporaryAccessEndTime: string | null;
          /** UUID */
          projectMembershipId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Take a machine identity out of a project.
     *
     * `DELETE /api/v1/projects/{projectId}/memberships/identities/{identityId}`
     * Needs `delete` on `identity`.
     */
    remove: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
      },
      {
        identityMembership: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projectOwnedIdentities: {
    /**
     * List the machine identities that belong to a project.
     *
     * `GET /api/v1/projects/{projectId}/identities`
     * Needs `read` on `identity`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `20` */
        limit?: number;
        /** A part of the name */
        search?: string;
      },
      {
        identities: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          createdAt: string;
          updatedAt: string;
          /** The login methods whose credentials somebody guesses at */
          activeLockoutAuthMethods: string[];
        }[];
        totalCount: number;
      }
    >;
    /**
     * Create a machine identity that belongs to a project.
     *
     * `POST /api/v1/projects/{projectId}/identities`
     * Needs `create` on `identity`.
     */
    create: Mutation<
      {
        name: string;
        /** Default: `[]` */
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
        /** Default: `false` */
        hasDeleteProtection?: boolean;
        /** UUID */
        projectId: string;
        /**
         * In the project
         * Default: `[{"role":"no-access","isTemporary":false}]`
         */
        roles?: ({
          /** A built-in role, or the slug of a custom one */
          role: string;
          isTemporary: true;
          temporaryMode: 'relative';
          /** Such as 30m, 1h, 2d */
          temporaryRange: string;
          /** RFC 3339 */
          temporaryAccessStartTime: string;
        } | {
          /** A built-in role, or the slug of a custom one */
          role: string;
          /** Default: `false` */
          isTemporary?: false;
        })[];
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          createdAt: string;
          updatedAt: string;
          /** The login methods whose credentials somebody guesses at */
          activeLockoutAuthMethods: string[];
        };
      }
    >;
    /**
     * Read a machine identity that belongs to a project.
     *
     * `GET /api/v1/projects/{projectId}/identities/{identityId}`
     * Needs `read` on `identity`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          createdAt: string;
          updatedAt: string;
          /** The login methods whose credentials somebody guesses at */
          activeLockoutAuthMethods: string[];
        };
      }
    >;
    /**
     * Change a machine identity that belongs to a project.
     *
     * `PATCH /api/v1/projects/{projectId}/identities/{identityId}`
     * Needs `edit` on `identity`.
     */
    update: Mutation<
      {
        /** UUID */
        identityId: string;
        name?: string;
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
        hasDeleteProtection?: boolean;
        /** UUID */
        projectId: string;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          createdAt: string;
          updatedAt: string;
          /** The login methods whose credentials somebody guesses at */
          activeLockoutAuthMethods: string[];
        };
      }
    >;
    /**
     * Delete a machine identity that belongs to a project; its tokens end at once.
     *
     * `DELETE /api/v1/projects/{projectId}/identities/{identityId}`
     * Needs `delete` on `identity`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        identityId: string;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          createdAt: string;
          updatedAt: string;
          /** The login methods whose credentials somebody guesses at */
          activeLockoutAuthMethods: string[];
        };
      }
    >;
  };
  auditLog: {
    /**
     * Read the audit log of the organization, or of one project.
     *
     * With `audit-logs: read-all` of the organization: every event. With `audit-logs: read`: those of the projects that the caller belongs to and has `audit-logs: read` in, and its own events that belong to no project.
     *
     * `GET /api/v1/organization/audit-logs`
     */
    list: Query<
      {
        /** Published names of events with commas between them: create-secret,delete-secret */
        eventType?: string;
        /** The id of who did it */
        actor?: string;
        actorType?: 'platform' | 'kmipClient' | 'user' | 'service' | 'identity' | 'machine' | 'scimClient' | 'unknownUser';
        userAgentType?: 'web' | 'cli' | 'k8-operator' | 'terraform' | 'other' | 'InfisicalPythonSDK' | 'InfisicalNodeSDK';
        /** Slug of the environment that the event speaks of */
        environment?: string;
        /** Path of the folder that the event speaks of */
        secretPath?: string;
        /** Name of the secret that the event speaks of */
        secretKey?: string;
        /** key=value pairs of the event, with commas between them */
        eventMetadata?: string;
        /** Not before */
        startDate?: string;
        /** Not after */
        endDate?: string;
        /** The nextCursor of the page before; cheaper than an offset, however far one goes */
        cursor?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
        /** Only of this project */
        projectId?: string;
      },
      {
        /** The newest first */
        auditLogs: {
          /** UUID */
          id: string;
          ipAddress: string | null;
          userAgent: string | null;
          userAgentType: string | null;
          /** When retention removes it; null: never */
          expiresAt: string | null;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          orgId: string;
          projectId: string | null;
          projectName: string | null;
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          } | null;
          event: {
            /** The published name of the event */
            type: string;
            metadata: Record<string, unknown>;
          };
          actor: { type: string; metadata: Record<string, unknown> };
        }[];
        /** Where the next page begins; null where this is the last one */
        nextCursor: string | null;
      }
    >;
    /**
     * Read the audit log of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/audit-logs`
     * Needs `read` on `audit-logs`.
     */
    listOfProject: Query<
      {
        /** Published names of events with commas between them: create-secret,delete-secret */
        eventType?: string;
        /** The id of who did it */
        actor?: string;
        actorType?: 'platform' | 'kmipClient' | 'user' | 'service' | 'identity' | 'machine' | 'scimClient' | 'unknownUser';
        userAgentType?: 'web' | 'cli' | 'k8-operator' | 'terraform' | 'other' | 'InfisicalPythonSDK' | 'InfisicalNodeSDK';
        /** Slug of the environment that the event speaks of */
        environment?: string;
        /** Path of the folder that the event speaks of */
        secretPath?: string;
        /** Name of the secret that the event speaks of */
        secretKey?: string;
        /** key=value pairs of the event, with commas between them */
        eventMetadata?: string;
        /** Not before */
        startDate?: string;
        /** Not after */
        endDate?: string;
        /** The nextCursor of the page before; cheaper than an offset, however far one goes */
        cursor?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
        /** UUID */
        workspaceId: string;
      },
      {
        /** The newest first */
        auditLogs: {
          /** UUID */
          id: string;
          ipAddress: string | null;
          userAgent: string | null;
          userAgentType: string | null;
          /** When retention removes it; null: never */
          expiresAt: string | null;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          orgId: string;
          projectId: string | null;
          projectName: string | null;
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          } | null;
          event: {
            /** The published name of the event */
            type: string;
            metadata: Record<string, unknown>;
          };
          actor: { type: string; metadata: Record<string, unknown> };
        }[];
        /** Where the next page begins; null where this is the last one */
        nextCursor: string | null;
      }
    >;
    /**
     * List who acted in a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/audit-logs/filters/actors`
     * Needs `read` on `audit-logs`.
     */
    actors: Query<
      {
        /** UUID */
        workspaceId: string;
      },
      { actors: { type: string; metadata: Record<string, unknown> }[] }
    >;
    /**
     * Read the newest signed link of the audit log.
     *
     * `GET /api/v1/organization/audit-logs/checkpoint`
     * Needs `read` on `audit-logs`.
     */
    checkpoint: Query<
      NoInput,
      {
        checkpoint: {
          /** UUID */
          organizationId: string;
          /** 0 where nothing is sealed yet */
          sequence: number;
          /** SHA-256 of the block, hexadecimal */
          hash: string;
          /** Ed25519 over the checkpoint, base64 */
          signature: string | null;
          sealedAt: string | null;
          /** Ed25519, SPKI in PEM */
          publicKey: string;
        };
      }
    >;
  };
  instance: {
    /**
     * Ask whether Coffer can serve.
     *
     * `GET /api/status`
     * Needs no token.
     */
    status: Query<
      NoInput,
      {
        date: string;
        message: string;
        emailConfigured: boolean;
        inviteOnlySignup: boolean;
        redisConfigured: boolean;
        secretScanningConfigured: boolean;
        samlDefaultOrgSlug: string | null;
      }
    >;
    /**
     * Make the first administrator, organization and machine identity, once.
     *
     * `POST /api/v1/admin/bootstrap`
     * Needs no token.
     */
    bootstrap: Mutation<
      {
        email: string;
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        password: string;
        /** The name of the first organization */
        organization: string;
        /** Required from other machines and through proxies: the code from the log of the server */
        setupCode?: string;
      },
      {
        message: string;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          superAdmin: boolean;
        };
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        };
        identity: {
          /** UUID */
          id: string;
          name: string;
          credentials: {
            /** Shown once */
            token: string;
          };
        };
      }
    >;
    /**
     * Make the first administrator and go on logged in, once.
     *
     * `POST /api/v1/admin/signup`
     * Needs no token.
     */
    signUp: Mutation<
      {
        email: string;
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        password: string;
        firstName: string;
        lastName?: string;
        /** Required from other machines and through proxies: the code from the log of the server */
        setupCode?: string;
      },
      {
        message: string;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        };
        token: string;
      }
    >;
    /**
     * Show the settings of the instance.
     *
     * `GET /api/v1/admin/config`
     * Needs no token.
     */
    config: Query<
      NoInput,
      {
        config: {
          /** UUID */
          id: string;
          /** UUID */
          instanceId: string;
          /** true once there is an administrator */
          initialized: boolean;
          allowSignUp: boolean;
          /** Domains, separated by commas; null for any */
          allowedSignUpDomain: string | null;
          enabledLoginMethods: string[];
          trustSamlEmails: boolean;
          trustLdapEmails: boolean;
          trustOidcEmails: boolean;
          defaultAuthOrgId: string | null;
          defaultAuthOrgSlug: string | null;
          authConsentContent: string | null;
          pageFrameContent: string | null;
          adminIdentityIds: string[] | null;
          isMigrationModeOn: boolean;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change the settings of the instance.
     *
     * `PATCH /api/v1/admin/config`
     */
    configure: Mutation<
      {
        /** Whether anybody may make an account */
        allowSignUp?: boolean;
        allowedSignUpDomain?: string | null;
      },
      {
        config: {
          /** UUID */
          id: string;
          /** UUID */
          instanceId: string;
          /** true once there is an administrator */
          initialized: boolean;
          allowSignUp: boolean;
          /** Domains, separated by commas; null for any */
          allowedSignUpDomain: string | null;
          enabledLoginMethods: string[];
          trustSamlEmails: boolean;
          trustLdapEmails: boolean;
          trustOidcEmails: boolean;
          defaultAuthOrgId: string | null;
          defaultAuthOrgSlug: string | null;
          authConsentContent: string | null;
          pageFrameContent: string | null;
          adminIdentityIds: string[] | null;
          isMigrationModeOn: boolean;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  identities: {
    /**
     * List the machine identities of an organization.
     *
     * `GET /api/v1/identities`
     * Needs `read` on `identity`.
     */
    list: Query<
      {
        /** UUID */
        orgId: string;
      },
      {
        identities: {
          /** UUID of the membership */
          id: string;
          /** A built-in role, or custom */
          role: string;
          /** UUID of the custom role */
          roleId: string | null;
          customRole: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
          /** UUID */
          orgId: string;
          /** UUID */
          identityId: string;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Search machine identities.
     *
     * `POST /api/v2/identities/search`
     * Needs `read` on `identity`.
     */
    search: Mutation<
      {
        /** Default: `'name'` */
        orderBy?: 'name' | 'role';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `50`
         */
        limit?: number;
        /** Default: `{}` */
        search?: {
          name?: string | {
            $eq?: string;
            $ne?: string;
            /** Anywhere in it, upper and lower case alike */
            $contains?: string;
            $in?: string[];
          };
          role?: string | {
            $eq?: string;
            $ne?: string;
            /** Anywhere in it, upper and lower case alike */
            $contains?: string;
            $in?: string[];
          };
          $or?: {
            name?: string | {
              $eq?: string;
              $ne?: string;
              /** Anywhere in it, upper and lower case alike */
              $contains?: string;
              $in?: string[];
            };
            role?: string | {
              $eq?: string;
              $ne?: string;
              /** Anywhere in it, upper and lower case alike */
              $contains?: string;
              $in?: string[];
            };
          }[];
        };
      },
      {
        identities: {
          /** UUID of the membership */
          id: string;
          /** A built-in role, or custom */
          role: string;
          /** UUID of the custom role */
          roleId: string | null;
          customRole: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
          /** UUID */
          orgId: string;
          /** UUID */
          identityId: string;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Count the machine identities that a search finds.
     *
     * `POST /api/v2/identities/search/count`
     * Needs `read` on `identity`.
     */
    count: Mutation<
      {
        /** Default: `{}` */
        search?: {
          name?: string | {
            $eq?: string;
            $ne?: string;
            /** Anywhere in it, upper and lower case alike */
            $contains?: string;
            $in?: string[];
          };
          role?: string | {
            $eq?: string;
            $ne?: string;
            /** Anywhere in it, upper and lower case alike */
            $contains?: string;
            $in?: string[];
          };
          $or?: {
            name?: string | {
              $eq?: string;
              $ne?: string;
              /** Anywhere in it, upper and lower case alike */
              $contains?: string;
              $in?: string[];
            };
            role?: string | {
              $eq?: string;
              $ne?: string;
              /** Anywhere in it, upper and lower case alike */
              $contains?: string;
              $in?: string[];
            };
          }[];
        };
      },
      { count: number }
    >;
    /**
     * List the machine identities of an organization, page by page.
     *
     * `GET /api/v2/organizations/{orgId}/identity-memberships`
     * Needs `read` on `identity`.
     */
    listMemberships: Query<
      {
        /** UUID */
        orgId: string;
        /** Default: `'name'` */
        orderBy?: 'name' | 'role';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
        /** Default: `0` */
        offset?: number;
        /** Default: `100` */
        limit?: number;
        /** Part of the name */
        search?: string;
      },
      {
        identityMemberships: {
          /** UUID of the membership */
          id: string;
          /** A built-in role, or custom */
          role: string;
          /** UUID of the custom role */
          roleId: string | null;
          customRole: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
          /** UUID */
          orgId: string;
          /** UUID */
          identityId: string;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Show the machine identity that asks.
     *
     * `GET /api/v1/identities/details`
     */
    own: Query<
      NoInput,
      {
        identityDetails: {
          organization: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          /** The first of them */
          authMethod: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Get a machine identity with its role in the organization.
     *
     * `GET /api/v1/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identity: {
          /** UUID of the membership */
          id: string;
          /** A built-in role, or custom */
          role: string;
          /** UUID of the custom role */
          roleId: string | null;
          customRole: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
          /** UUID */
          orgId: string;
          /** UUID */
          identityId: string;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the projects of a machine identity.
     *
     * `GET /api/v1/identities/{identityId}/identity-memberships`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    listProjects: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityMemberships: {
          /** UUID of the membership */
          id: string;
          /** UUID */
          identityId: string;
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
          identity: {
            /** UUID */
            id: string;
            name: string;
            hasDeleteProtection: boolean;
            authMethods: string[];
          };
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            type: string;
          };
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a machine identity.
     *
     * `POST /api/v1/identities`
     * Needs `create` on `identity`.
     */
    create: Mutation<
      {
        name: string;
        /** UUID */
        organizationId: string;
        /**
         * A built-in role of the organization, or the slug of a custom one
         * Default: `'no-access'`
         */
        role?: string;
        /** Default: `[]` */
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
        /** Default: `false` */
        hasDeleteProtection?: boolean;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          /** The first of them */
          authMethod: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a machine identity.
     *
     * `PATCH /api/v1/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** UUID */
        identityId: string;
        name?: string;
        /** A built-in role of the organization, or the slug of a custom one */
        role?: string;
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
        hasDeleteProtection?: boolean;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          /** The first of them */
          authMethod: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/identities/{identityId}`
     * Needs `delete` on `identity` in the organization, or `delete` on `identity` in the project.
     */
    delete: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          /** UUID */
          orgId: string;
          /** Null: it belongs to the organization */
          projectId: string | null;
          /** While true it cannot be deleted */
          hasDeleteProtection: boolean;
          metadata: {
            /** UUID */
            id: string;
            key: string;
            value: string;
          }[];
          /** The login methods that it has, such as universal-auth */
          authMethods: string[];
          /** The first of them */
          authMethod: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  kubernetesAuth: {
    /**
     * Attach Kubernetes Auth to a machine identity.
     *
     * `POST /api/v1/auth/kubernetes-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost: string;
        /**
         * PEM of the root that the API server is trusted by
         * Default: `''`
         */
        caCert?: string;
        /**
         * What Coffer asks with; without it, the token that is to be reviewed
         * Default: `null`
         */
        tokenReviewerJwt?: string | null;
        /**
         * Only api is offered
         * Default: `'api'`
         */
        tokenReviewMode?: 'api' | 'gateway';
        /**
         * Only null is offered
         * Default: `null`
         */
        gatewayId?: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience: string;
        /** UUID */
        identityId: string;
      },
      {
        identityKubernetesAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** The API server of the cluster, such as https://10.0.0.1:6443 */
          kubernetesHost: string;
          /** PEM of the root that the API server is trusted by */
          caCert: string;
          /** What Coffer asks with; without it, the token that is to be reviewed */
          tokenReviewerJwt: string | null;
          /** Only api is offered */
          tokenReviewMode: 'api' | 'gateway';
          /** Only null is offered */
          gatewayId: string | null;
          /** Comma list; nothing: any */
          allowedNamespaces: string;
          /** Comma list of service accounts; nothing: any */
          allowedNames: string;
          /** The token must be meant for it; nothing: for the API server */
          allowedAudience: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
          /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
          hasTokenReviewerJwt: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the Kubernetes Auth of a machine identity.
     *
     * `GET /api/v1/auth/kubernetes-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityKubernetesAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** The API server of the cluster, such as https://10.0.0.1:6443 */
          kubernetesHost: string;
          /** PEM of the root that the API server is trusted by */
          caCert: string;
          /** What Coffer asks with; without it, the token that is to be reviewed */
          tokenReviewerJwt: string | null;
          /** Only api is offered */
          tokenReviewMode: 'api' | 'gateway';
          /** Only null is offered */
          gatewayId: string | null;
          /** Comma list; nothing: any */
          allowedNamespaces: string;
          /** Comma list of service accounts; nothing: any */
          allowedNames: string;
          /** The token must be meant for it; nothing: for the API server */
          allowedAudience: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
          /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
          hasTokenReviewerJwt: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the Kubernetes Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/kubernetes-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** The API server of the cluster, such as https://10.0.0.1:6443 */
        kubernetesHost?: string;
        /** PEM of the root that the API server is trusted by */
        caCert?: string;
        /** What Coffer asks with; without it, the token that is to be reviewed */
        tokenReviewerJwt?: string | null;
        /** Only api is offered */
        tokenReviewMode?: 'api' | 'gateway';
        /** Only null is offered */
        gatewayId?: string | null;
        /** Comma list; nothing: any */
        allowedNamespaces?: string;
        /** Comma list of service accounts; nothing: any */
        allowedNames?: string;
        /** The token must be meant for it; nothing: for the API server */
        allowedAudience?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityKubernetesAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** The API server of the cluster, such as https://10.0.0.1:6443 */
          kubernetesHost: string;
          /** PEM of the root that the API server is trusted by */
          caCert: string;
          /** What Coffer asks with; without it, the token that is to be reviewed */
          tokenReviewerJwt: string | null;
          /** Only api is offered */
          tokenReviewMode: 'api' | 'gateway';
          /** Only null is offered */
          gatewayId: string | null;
          /** Comma list; nothing: any */
          allowedNamespaces: string;
          /** Comma list of service accounts; nothing: any */
          allowedNames: string;
          /** The token must be meant for it; nothing: for the API server */
          allowedAudience: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
          /** Whether tokenReviewerJwt is set. Its value is shown to those who may change it */
          hasTokenReviewerJwt: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach Kubernetes Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/kubernetes-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityKubernetesAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** The API server of the cluster, such as https://10.0.0.1:6443 */
          kubernetesHost: string;
          /** Only api is offered */
          tokenReviewMode: 'api' | 'gateway';
          /** Only null is offered */
          gatewayId: string | null;
          /** Comma list; nothing: any */
          allowedNamespaces: string;
          /** Comma list of service accounts; nothing: any */
          allowedNames: string;
          /** The token must be meant for it; nothing: for the API server */
          allowedAudience: string;
        };
      }
    >;
    /**
     * Log in by Kubernetes Auth.
     *
     * `POST /api/v1/auth/kubernetes-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** A JWT of the outside issuer */
        jwt: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  gcpAuth: {
    /**
     * Attach GCP Auth to a machine identity.
     *
     * `POST /api/v1/auth/gcp-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type: 'iam' | 'gce';
        /**
         * Comma list of e-mail addresses; empty: any of allowedProjects
         * Default: `''`
         */
        allowedServiceAccounts?: string;
        /**
         * Comma list of project ids, for gce; empty: any of allowedServiceAccounts
         * Default: `''`
         */
        allowedProjects?: string;
        /**
         * Comma list of zones, for gce; nothing: any
         * Default: `''`
         */
        allowedZones?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityGcpAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
          type: 'iam' | 'gce';
          /** Comma list of e-mail addresses; empty: any of allowedProjects */
          allowedServiceAccounts: string;
          /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
          allowedProjects: string;
          /** Comma list of zones, for gce; nothing: any */
          allowedZones: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the GCP Auth of a machine identity.
     *
     * `GET /api/v1/auth/gcp-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityGcpAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
          type: 'iam' | 'gce';
          /** Comma list of e-mail addresses; empty: any of allowedProjects */
          allowedServiceAccounts: string;
          /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
          allowedProjects: string;
          /** Comma list of zones, for gce; nothing: any */
          allowedZones: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the GCP Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/gcp-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
        type?: 'iam' | 'gce';
        /** Comma list of e-mail addresses; empty: any of allowedProjects */
        allowedServiceAccounts?: string;
        /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
        allowedProjects?: string;
        /** Comma list of zones, for gce; nothing: any */
        allowedZones?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityGcpAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
          type: 'iam' | 'gce';
          /** Comma list of e-mail addresses; empty: any of allowedProjects */
          allowedServiceAccounts: string;
          /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
          allowedProjects: string;
          /** Comma list of zones, for gce; nothing: any */
          allowedZones: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach GCP Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/gcp-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityGcpAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam: a JWT that the account signed; gce: an ID token from the metadata server */
          type: 'iam' | 'gce';
          /** Comma list of e-mail addresses; empty: any of allowedProjects */
          allowedServiceAccounts: string;
          /** Comma list of project ids, for gce; empty: any of allowedServiceAccounts */
          allowedProjects: string;
          /** Comma list of zones, for gce; nothing: any */
          allowedZones: string;
        };
      }
    >;
    /**
     * Log in by GCP Auth.
     *
     * `POST /api/v1/auth/gcp-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** A JWT of the outside issuer */
        jwt: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  awsAuth: {
    /**
     * Attach AWS Auth to a machine identity.
     *
     * `POST /api/v1/auth/aws-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /**
         * Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well
         * Default: `'https://sts.amazonaws.com/'`
         */
        stsEndpoint?: string;
        /**
         * Comma list; * stands for characters of a name; empty: any of allowedAccountIds
         * Default: `''`
         */
        allowedPrincipalArns?: string;
        /**
         * Comma list; empty: any of allowedPrincipalArns
         * Default: `''`
         */
        allowedAccountIds?: string;
        /**
         * What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed
         * Default: `''`
         */
        serverId?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityAwsAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam */
          type: string;
          /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
          stsEndpoint: string;
          /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
          allowedPrincipalArns: string;
          /** Comma list; empty: any of allowedPrincipalArns */
          allowedAccountIds: string;
          /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
          serverId: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the AWS Auth of a machine identity.
     *
     * `GET /api/v1/auth/aws-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityAwsAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam */
          type: string;
          /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
          stsEndpoint: string;
          /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
          allowedPrincipalArns: string;
          /** Comma list; empty: any of allowedPrincipalArns */
          allowedAccountIds: string;
          /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
          serverId: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the AWS Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/aws-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
        stsEndpoint?: string;
        /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
        allowedPrincipalArns?: string;
        /** Comma list; empty: any of allowedPrincipalArns */
        allowedAccountIds?: string;
        /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
        serverId?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityAwsAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam */
          type: string;
          /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
          stsEndpoint: string;
          /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
          allowedPrincipalArns: string;
          /** Comma list; empty: any of allowedPrincipalArns */
          allowedAccountIds: string;
          /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
          serverId: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach AWS Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/aws-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityAwsAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** iam */
          type: string;
          /** Where signed requests are sent; https://sts.amazonaws.com/ stands for the signature's region as well */
          stsEndpoint: string;
          /** Comma list; * stands for characters of a name; empty: any of allowedAccountIds */
          allowedPrincipalArns: string;
          /** Comma list; empty: any of allowedPrincipalArns */
          allowedAccountIds: string;
          /** What the signed header X-Coffer-Server-ID has to say; empty: the header is not needed */
          serverId: string;
        };
      }
    >;
    /**
     * Log in by AWS Auth.
     *
     * `POST /api/v1/auth/aws-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** Default: `'POST'` */
        iamHttpRequestMethod?: string;
        /** Base64 of Action=GetCallerIdentity&Version=2011-06-15 */
        iamRequestBody: string;
        /** Base64 of a JSON object with the headers, as they were signed */
        iamRequestHeaders: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  azureAuth: {
    /**
     * Attach Azure Auth to a machine identity.
     *
     * `POST /api/v1/auth/azure-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        tenantId: string;
        /** The audience that tokens have, with or without a slash at its end */
        resource: string;
        /**
         * Comma list of object ids; nothing: any of the tenant
         * Default: `''`
         */
        allowedServicePrincipalIds?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityAzureAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          tenantId: string;
          /** The audience that tokens have, with or without a slash at its end */
          resource: string;
          /** Comma list of object ids; nothing: any of the tenant */
          allowedServicePrincipalIds: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the Azure Auth of a machine identity.
     *
     * `GET /api/v1/auth/azure-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityAzureAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          tenantId: string;
          /** The audience that tokens have, with or without a slash at its end */
          resource: string;
          /** Comma list of object ids; nothing: any of the tenant */
          allowedServicePrincipalIds: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the Azure Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/azure-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        tenantId?: string;
        /** The audience that tokens have, with or without a slash at its end */
        resource?: string;
        /** Comma list of object ids; nothing: any of the tenant */
        allowedServicePrincipalIds?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityAzureAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          tenantId: string;
          /** The audience that tokens have, with or without a slash at its end */
          resource: string;
          /** Comma list of object ids; nothing: any of the tenant */
          allowedServicePrincipalIds: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach Azure Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/azure-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityAzureAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          tenantId: string;
          /** The audience that tokens have, with or without a slash at its end */
          resource: string;
          /** Comma list of object ids; nothing: any of the tenant */
          allowedServicePrincipalIds: string;
        };
      }
    >;
    /**
     * Log in by Azure Auth.
     *
     * `POST /api/v1/auth/azure-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** A JWT of the outside issuer */
        jwt: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  tlsCertAuth: {
    /**
     * Attach TLS Certificate Auth to a machine identity.
     *
     * `POST /api/v1/auth/tls-cert-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** PEM of the authorities that sign certificates of clients */
        caCertificate: string;
        /**
         * Comma list; nothing: any
         * Default: `null`
         */
        allowedCommonNames?: string | null;
        /**
         * One of them has to be in the certificate; none: any
         * Default: `[]`
         */
        allowedSubjectAltNames?: string[];
        /**
         * Whether the client may send authorities between its certificate and caCertificate
         * Default: `false`
         */
        verifyClientCertificateChain?: boolean;
        /** UUID */
        identityId: string;
      },
      {
        identityTlsCertAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          caCertificate: string | '';
          /** Comma list; nothing: any */
          allowedCommonNames: string | null;
          /** One of them has to be in the certificate; none: any */
          allowedSubjectAltNames: string[];
          /** Whether the client may send authorities between its certificate and caCertificate */
          verifyClientCertificateChain: boolean;
          /** Whether caCertificate is set. Its value is shown to those who may change it */
          hasCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the TLS Certificate Auth of a machine identity.
     *
     * `GET /api/v1/auth/tls-cert-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityTlsCertAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          caCertificate: string | '';
          /** Comma list; nothing: any */
          allowedCommonNames: string | null;
          /** One of them has to be in the certificate; none: any */
          allowedSubjectAltNames: string[];
          /** Whether the client may send authorities between its certificate and caCertificate */
          verifyClientCertificateChain: boolean;
          /** Whether caCertificate is set. Its value is shown to those who may change it */
          hasCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the TLS Certificate Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/tls-cert-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** PEM of the authorities that sign certificates of clients */
        caCertificate?: string;
        /** Comma list; nothing: any */
        allowedCommonNames?: string | null;
        /** One of them has to be in the certificate; none: any */
        allowedSubjectAltNames?: string[];
        /** Whether the client may send authorities between its certificate and caCertificate */
        verifyClientCertificateChain?: boolean;
        /** UUID */
        identityId: string;
      },
      {
        identityTlsCertAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          caCertificate: string | '';
          /** Comma list; nothing: any */
          allowedCommonNames: string | null;
          /** One of them has to be in the certificate; none: any */
          allowedSubjectAltNames: string[];
          /** Whether the client may send authorities between its certificate and caCertificate */
          verifyClientCertificateChain: boolean;
          /** Whether caCertificate is set. Its value is shown to those who may change it */
          hasCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach TLS Certificate Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/tls-cert-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityTlsCertAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Comma list; nothing: any */
          allowedCommonNames: string | null;
          /** One of them has to be in the certificate; none: any */
          allowedSubjectAltNames: string[];
          /** Whether the client may send authorities between its certificate and caCertificate */
          verifyClientCertificateChain: boolean;
        };
      }
    >;
    /**
     * Log in by TLS Certificate Auth.
     *
     * `POST /api/v1/auth/tls-cert-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  oidcAuth: {
    /**
     * Attach OIDC Auth to a machine identity.
     *
     * `POST /api/v1/auth/oidc-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer: string;
        /**
         * Comma list of globs, one of which an audience of the token matches
         * Default: `''`
         */
        boundAudiences?: string;
        /**
         * By the dotted path of a claim: a comma list of globs
         * Default: `{}`
         */
        boundClaims?: Record<string, string>;
        /**
         * A glob that the subject of the token matches
         * Default: `''`
         */
        boundSubject?: string;
        /**
         * Names under which claims are bound to the token that is issued, and the dotted paths of these claims
         * Default: `null`
         */
        claimMetadataMapping?: Record<string, string> | null;
        /**
         * PEM of the root that the provider is trusted by
         * Default: `''`
         */
        caCert?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityOidcAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Of the provider, without /.well-known/openid-configuration */
          oidcDiscoveryUrl: string;
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
          claimMetadataMapping: Record<string, string> | null;
          /** PEM of the root that the provider is trusted by */
          caCert: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the OIDC Auth of a machine identity.
     *
     * `GET /api/v1/auth/oidc-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityOidcAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Of the provider, without /.well-known/openid-configuration */
          oidcDiscoveryUrl: string;
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
          claimMetadataMapping: Record<string, string> | null;
          /** PEM of the root that the provider is trusted by */
          caCert: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the OIDC Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/oidc-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Of the provider, without /.well-known/openid-configuration */
        oidcDiscoveryUrl?: string;
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer?: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences?: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims?: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject?: string;
        /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
        claimMetadataMapping?: Record<string, string> | null;
        /** PEM of the root that the provider is trusted by */
        caCert?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityOidcAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Of the provider, without /.well-known/openid-configuration */
          oidcDiscoveryUrl: string;
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
          claimMetadataMapping: Record<string, string> | null;
          /** PEM of the root that the provider is trusted by */
          caCert: string;
          /** Whether caCert is set. Its value is shown to those who may change it */
          hasCaCert: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach OIDC Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/oidc-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityOidcAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Of the provider, without /.well-known/openid-configuration */
          oidcDiscoveryUrl: string;
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Names under which claims are bound to the token that is issued, and the dotted paths of these claims */
          claimMetadataMapping: Record<string, string> | null;
        };
      }
    >;
    /**
     * Log in by OIDC Auth.
     *
     * `POST /api/v1/auth/oidc-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** A JWT of the outside issuer */
        jwt: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  jwtAuth: {
    /**
     * Attach JWT Auth to a machine identity.
     *
     * `POST /api/v1/auth/jwt-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Whether the keys of jwksUrl or publicKeys count */
        configurationType: 'jwks' | 'static';
        /** Default: `''` */
        jwksUrl?: '' | string;
        /**
         * PEM of the root that the host of jwksUrl is trusted by
         * Default: `''`
         */
        jwksCaCert?: string;
        /** Default: `[]` */
        publicKeys?: string[];
        /**
         * What the tokens have to name as their issuer, to the letter
         * Default: `''`
         */
        boundIssuer?: string;
        /**
         * Comma list of globs, one of which an audience of the token matches
         * Default: `''`
         */
        boundAudiences?: string;
        /**
         * By the dotted path of a claim: a comma list of globs
         * Default: `{}`
         */
        boundClaims?: Record<string, string>;
        /**
         * A glob that the subject of the token matches
         * Default: `''`
         */
        boundSubject?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityJwtAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Whether the keys of jwksUrl or publicKeys count */
          configurationType: 'jwks' | 'static';
          jwksUrl: '' | string;
          /** PEM of the root that the host of jwksUrl is trusted by */
          jwksCaCert: string;
          publicKeys: string[];
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Whether jwksCaCert is set. Its value is shown to those who may change it */
          hasJwksCaCert: boolean;
          /** Whether publicKeys is set. Its value is shown to those who may change it */
          hasPublicKeys: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the JWT Auth of a machine identity.
     *
     * `GET /api/v1/auth/jwt-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityJwtAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Whether the keys of jwksUrl or publicKeys count */
          configurationType: 'jwks' | 'static';
          jwksUrl: '' | string;
          /** PEM of the root that the host of jwksUrl is trusted by */
          jwksCaCert: string;
          publicKeys: string[];
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Whether jwksCaCert is set. Its value is shown to those who may change it */
          hasJwksCaCert: boolean;
          /** Whether publicKeys is set. Its value is shown to those who may change it */
          hasPublicKeys: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the JWT Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/jwt-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Whether the keys of jwksUrl or publicKeys count */
        configurationType?: 'jwks' | 'static';
        jwksUrl?: '' | string;
        /** PEM of the root that the host of jwksUrl is trusted by */
        jwksCaCert?: string;
        publicKeys?: string[];
        /** What the tokens have to name as their issuer, to the letter */
        boundIssuer?: string;
        /** Comma list of globs, one of which an audience of the token matches */
        boundAudiences?: string;
        /** By the dotted path of a claim: a comma list of globs */
        boundClaims?: Record<string, string>;
        /** A glob that the subject of the token matches */
        boundSubject?: string;
        /** UUID */
        identityId: string;
      },
      {
        identityJwtAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Whether the keys of jwksUrl or publicKeys count */
          configurationType: 'jwks' | 'static';
          jwksUrl: '' | string;
          /** PEM of the root that the host of jwksUrl is trusted by */
          jwksCaCert: string;
          publicKeys: string[];
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
          /** Whether jwksCaCert is set. Its value is shown to those who may change it */
          hasJwksCaCert: boolean;
          /** Whether publicKeys is set. Its value is shown to those who may change it */
          hasPublicKeys: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach JWT Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/jwt-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityJwtAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** Whether the keys of jwksUrl or publicKeys count */
          configurationType: 'jwks' | 'static';
          jwksUrl: '' | string;
          /** What the tokens have to name as their issuer, to the letter */
          boundIssuer: string;
          /** Comma list of globs, one of which an audience of the token matches */
          boundAudiences: string;
          /** By the dotted path of a claim: a comma list of globs */
          boundClaims: Record<string, string>;
          /** A glob that the subject of the token matches */
          boundSubject: string;
        };
      }
    >;
    /**
     * Log in by JWT Auth.
     *
     * `POST /api/v1/auth/jwt-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        /** A JWT of the outside issuer */
        jwt: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  ldapAuth: {
    /**
     * Attach LDAP Auth to a machine identity.
     *
     * `POST /api/v1/auth/ldap-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        url: string;
        /** The account that looks for users */
        bindDN: string;
        bindPass: string;
        /** Users are looked for below this entry */
        searchBase: string;
        /**
         * Has to find exactly one entry
         * Default: `'(uid={{username}})'`
         */
        searchFilter?: string;
        /**
         * Attributes that a user has to have, each with one of these values
         * Default: `[]`
         */
        allowedFields?: {
          key: string;
          /** Comma list */
          value: string;
        }[];
        /**
         * PEM of the root that the directory is trusted by; ldap:// then uses StartTLS
         * Default: `''`
         */
        ldapCaCertificate?: string;
        /**
         * LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always
         * Default: `true`
         */
        lockoutEnabled?: boolean;
        /**
         * The failure that counts as guessing. A right client secret works always; passwords wait
         * Default: `3`
         */
        lockoutThreshold?: number;
        /**
         * For how long
         * Default: `300`
         */
        lockoutDurationSeconds?: number;
        /**
         * Failures further apart do not add up
         * Default: `30`
         */
        lockoutCounterResetSeconds?: number;
        /** Not offered */
        templateId?: never;
        /** UUID */
        identityId: string;
      },
      {
        identityLdapAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          url: string;
          bindDN: string | '';
          bindPass: string | '';
          /** Users are looked for below this entry */
          searchBase: string;
          /** Has to find exactly one entry */
          searchFilter: string;
          /** Attributes that a user has to have, each with one of these values */
          allowedFields: {
            key: string;
            /** Comma list */
            value: string;
          }[];
          /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
          ldapCaCertificate: string;
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
          /** Whether bindDN is set. Its value is shown to those who may change it */
          hasBindDN: boolean;
          /** Whether bindPass is set. Its value is shown to those who may change it */
          hasBindPass: boolean;
          /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
          hasLdapCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the LDAP Auth of a machine identity.
     *
     * `GET /api/v1/auth/ldap-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityLdapAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          url: string;
          bindDN: string | '';
          bindPass: string | '';
          /** Users are looked for below this entry */
          searchBase: string;
          /** Has to find exactly one entry */
          searchFilter: string;
          /** Attributes that a user has to have, each with one of these values */
          allowedFields: {
            key: string;
            /** Comma list */
            value: string;
          }[];
          /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
          ldapCaCertificate: string;
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
          /** Whether bindDN is set. Its value is shown to those who may change it */
          hasBindDN: boolean;
          /** Whether bindPass is set. Its value is shown to those who may change it */
          hasBindPass: boolean;
          /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
          hasLdapCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the LDAP Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/ldap-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        url?: string;
        /** The account that looks for users */
        bindDN?: string;
        bindPass?: string;
        /** Users are looked for below this entry */
        searchBase?: string;
        /** Has to find exactly one entry */
        searchFilter?: string;
        /** Attributes that a user has to have, each with one of these values */
        allowedFields?: {
          key: string;
          /** Comma list */
          value: string;
        }[];
        /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
        ldapCaCertificate?: string;
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled?: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold?: number;
        /** For how long */
        lockoutDurationSeconds?: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds?: number;
        /** Not offered */
        templateId?: never;
        /** UUID */
        identityId: string;
      },
      {
        identityLdapAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          url: string;
          bindDN: string | '';
          bindPass: string | '';
          /** Users are looked for below this entry */
          searchBase: string;
          /** Has to find exactly one entry */
          searchFilter: string;
          /** Attributes that a user has to have, each with one of these values */
          allowedFields: {
            key: string;
            /** Comma list */
            value: string;
          }[];
          /** PEM of the root that the directory is trusted by; ldap:// then uses StartTLS */
          ldapCaCertificate: string;
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
          /** Whether bindDN is set. Its value is shown to those who may change it */
          hasBindDN: boolean;
          /** Whether bindPass is set. Its value is shown to those who may change it */
          hasBindPass: boolean;
          /** Whether ldapCaCertificate is set. Its value is shown to those who may change it */
          hasLdapCaCertificate: boolean;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach LDAP Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/ldap-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityLdapAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          url: string;
          /** Users are looked for below this entry */
          searchBase: string;
          /** Has to find exactly one entry */
          searchFilter: string;
          /** Attributes that a user has to have, each with one of these values */
          allowedFields: {
            key: string;
            /** Comma list */
            value: string;
          }[];
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
        };
      }
    >;
    /**
     * Log in by LDAP Auth.
     *
     * `POST /api/v1/auth/ldap-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      {
        username: string;
        password: string;
        /** UUID */
        identityId: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
  };
  universalAuth: {
    /**
     * Attach Universal Auth to a machine identity.
     *
     * `POST /api/v1/auth/universal-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /**
         * Where logins may come from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        clientSecretTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /**
         * LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always
         * Default: `true`
         */
        lockoutEnabled?: boolean;
        /**
         * The failure that counts as guessing. A right client secret works always; passwords wait
         * Default: `3`
         */
        lockoutThreshold?: number;
        /**
         * For how long
         * Default: `300`
         */
        lockoutDurationSeconds?: number;
        /**
         * Failures further apart do not add up
         * Default: `30`
         */
        lockoutCounterResetSeconds?: number;
        /** UUID */
        identityId: string;
      },
      {
        identityUniversalAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          clientId: string;
          clientSecretTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the Universal Auth of a machine identity.
     *
     * `GET /api/v1/auth/universal-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityUniversalAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          clientId: string;
          clientSecretTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the Universal Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/universal-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** Where logins may come from */
        clientSecretTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
        lockoutEnabled?: boolean;
        /** The failure that counts as guessing. A right client secret works always; passwords wait */
        lockoutThreshold?: number;
        /** For how long */
        lockoutDurationSeconds?: number;
        /** Failures further apart do not add up */
        lockoutCounterResetSeconds?: number;
        /** UUID */
        identityId: string;
      },
      {
        identityUniversalAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          clientId: string;
          clientSecretTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach Universal Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/universal-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityUniversalAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
          /** UUID */
          clientId: string;
          clientSecretTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          /** LDAP: whether wrong passwords make later attempts wait. Universal Auth: whether guesses at the client are shown in activeLockoutAuthMethods; a right client secret works always */
          lockoutEnabled: boolean;
          /** The failure that counts as guessing. A right client secret works always; passwords wait */
          lockoutThreshold: number;
          /** For how long */
          lockoutDurationSeconds: number;
          /** Failures further apart do not add up */
          lockoutCounterResetSeconds: number;
        };
      }
    >;
    /**
     * Log in by Universal Auth.
     *
     * `POST /api/v1/auth/universal-auth/login`
     * Needs no token.
     */
    logIn: Mutation<
      { clientId: string; clientSecret: string },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
    /**
     * Create a client secret.
     *
     * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`
     * Needs `create` on `identity` in the organization, or `create-token` on `identity` in the project.
     */
    createClientSecret: Mutation<
      {
        /** UUID */
        identityId: string;
        /** Default: `''` */
        description?: string;
        /**
         * 0: without limit
         * Default: `0`
         */
        numUsesLimit?: number;
        /**
         * Seconds; 0: it does not expire
         * Default: `0`
         */
        ttl?: number;
      },
      {
        /** Shown once */
        clientSecret: string;
        clientSecretData: {
          /** UUID */
          id: string;
          description: string;
          /** The first four characters */
          clientSecretPrefix: string;
          /** Logins so far */
          clientSecretNumUses: number;
          /** 0: without limit */
          clientSecretNumUsesLimit: number;
          /** Seconds from its creation; 0: it does not expire */
          clientSecretTTL: number;
          /** UUID */
          identityUAId: string;
          /** Revoked by somebody, expired or used up */
          isClientSecretRevoked: boolean;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the client secrets that are not revoked.
     *
     * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    listClientSecrets: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        clientSecretData: {
          /** UUID */
          id: string;
          description: string;
          /** The first four characters */
          clientSecretPrefix: string;
          /** Logins so far */
          clientSecretNumUses: number;
          /** 0: without limit */
          clientSecretNumUsesLimit: number;
          /** Seconds from its creation; 0: it does not expire */
          clientSecretTTL: number;
          /** UUID */
          identityUAId: string;
          /** Revoked by somebody, expired or used up */
          isClientSecretRevoked: boolean;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Get a client secret without its value.
     *
     * `GET /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    getClientSecret: Query<
      {
        /** UUID */
        identityId: string;
        /** UUID */
        clientSecretId: string;
      },
      {
        clientSecretData: {
          /** UUID */
          id: string;
          description: string;
          /** The first four characters */
          clientSecretPrefix: string;
          /** Logins so far */
          clientSecretNumUses: number;
          /** 0: without limit */
          clientSecretNumUsesLimit: number;
          /** Seconds from its creation; 0: it does not expire */
          clientSecretTTL: number;
          /** UUID */
          identityUAId: string;
          /** Revoked by somebody, expired or used up */
          isClientSecretRevoked: boolean;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Revoke a client secret and the tokens it issued.
     *
     * `POST /api/v1/auth/universal-auth/identities/{identityId}/client-secrets/{clientSecretId}/revoke`
     * Needs `delete` on `identity` in the organization, or `delete-token` on `identity` in the project.
     */
    revokeClientSecret: Mutation<
      {
        /** UUID */
        identityId: string;
        /** UUID */
        clientSecretId: string;
      },
      {
        clientSecretData: {
          /** UUID */
          id: string;
          description: string;
          /** The first four characters */
          clientSecretPrefix: string;
          /** Logins so far */
          clientSecretNumUses: number;
          /** 0: without limit */
          clientSecretNumUsesLimit: number;
          /** Seconds from its creation; 0: it does not expire */
          clientSecretTTL: number;
          /** UUID */
          identityUAId: string;
          /** Revoked by somebody, expired or used up */
          isClientSecretRevoked: boolean;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  tokenAuth: {
    /**
     * Attach Token Auth to a machine identity.
     *
     * `POST /api/v1/auth/token-auth/identities/{identityId}`
     * Needs `create` on `identity` in the organization, or `create` on `identity` in the project.
     */
    attach: Mutation<
      {
        /**
         * Seconds that a token lives; 0: until accessTokenMaxTTL
         * Default: `2592000`
         */
        accessTokenTTL?: number;
        /**
         * Seconds that a token lives with all its renewals; 0: without end
         * Default: `2592000`
         */
        accessTokenMaxTTL?: number;
        /**
         * How often a token may be used; 0: without limit
         * Default: `0`
         */
        accessTokenNumUsesLimit?: number;
        /**
         * Seconds; more than 0: a token lives so long and can be renewed without end
         * Default: `0`
         */
        accessTokenPeriod?: number;
        /**
         * Where tokens may be used from
         * Default: `[{"ipAddress":"0.0.0.0/0"},{"ipAddress":"::/0"}]`
         */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** UUID */
        identityId: string;
      },
      {
        identityTokenAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Get the Token Auth of a machine identity.
     *
     * `GET /api/v1/auth/token-auth/identities/{identityId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    get: Query<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityTokenAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Change the Token Auth of a machine identity; what is not named stays.
     *
     * `PATCH /api/v1/auth/token-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    update: Mutation<
      {
        /** Seconds that a token lives; 0: until accessTokenMaxTTL */
        accessTokenTTL?: number;
        /** Seconds that a token lives with all its renewals; 0: without end */
        accessTokenMaxTTL?: number;
        /** How often a token may be used; 0: without limit */
        accessTokenNumUsesLimit?: number;
        /** Seconds; more than 0: a token lives so long and can be renewed without end */
        accessTokenPeriod?: number;
        /** Where tokens may be used from */
        accessTokenTrustedIps?: {
          /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
          ipAddress: string;
        }[];
        /** UUID */
        identityId: string;
      },
      {
        identityTokenAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
        };
        /** What keeps this method from admitting anybody; empty: nothing does */
        warnings: string[];
      }
    >;
    /**
     * Detach Token Auth from a machine identity; its tokens end at once.
     *
     * `DELETE /api/v1/auth/token-auth/identities/{identityId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    detach: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identityTokenAuth: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenTrustedIps: { ipAddress: string; type: 'ipv4' | 'ipv6'; prefix?: number }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Make an access token for a machine identity.
     *
     * `POST /api/v1/auth/token-auth/identities/{identityId}/tokens`
     * Needs `edit` on `identity` in the organization, or `create-token` on `identity` in the project.
     */
    createToken: Mutation<
      {
        /** UUID */
        identityId: string;
        name?: string;
      },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
        tokenData: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          name: string | null;
          authMethod: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUses: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenLastUsedAt: string | null;
          accessTokenLastRenewedAt: string | null;
          isAccessTokenRevoked: boolean;
          identityUAClientSecretId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the access tokens that were made for a machine identity.
     *
     * `GET /api/v1/auth/token-auth/identities/{identityId}/tokens`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    listTokens: Query<
      {
        /** UUID */
        identityId: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        tokens: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          name: string | null;
          authMethod: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUses: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenLastUsedAt: string | null;
          accessTokenLastRenewedAt: string | null;
          isAccessTokenRevoked: boolean;
          identityUAClientSecretId: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Get what is known of an access token.
     *
     * `GET /api/v1/auth/token-auth/tokens/{tokenId}`
     * Needs `read` on `identity` in the organization, or `read` on `identity` in the project.
     */
    getToken: Query<
      {
        /** UUID */
        tokenId: string;
      },
      {
        token: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          name: string | null;
          authMethod: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUses: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenLastUsedAt: string | null;
          accessTokenLastRenewedAt: string | null;
          isAccessTokenRevoked: boolean;
          identityUAClientSecretId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Rename an access token.
     *
     * `PATCH /api/v1/auth/token-auth/tokens/{tokenId}`
     * Needs `edit` on `identity` in the organization, or `edit` on `identity` in the project.
     */
    renameToken: Mutation<
      {
        /** UUID */
        tokenId: string;
        name?: string;
      },
      {
        token: {
          /** UUID */
          id: string;
          /** UUID */
          identityId: string;
          name: string | null;
          authMethod: string;
          accessTokenTTL: number;
          accessTokenMaxTTL: number;
          accessTokenNumUses: number;
          accessTokenNumUsesLimit: number;
          accessTokenPeriod: number;
          accessTokenLastUsedAt: string | null;
          accessTokenLastRenewedAt: string | null;
          isAccessTokenRevoked: boolean;
          identityUAClientSecretId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Revoke an access token.
     *
     * `POST /api/v1/auth/token-auth/tokens/{tokenId}/revoke`
     * Needs `edit` on `identity` in the organization, or `delete-token` on `identity` in the project.
     */
    revokeToken: Mutation<
      {
        /** UUID */
        tokenId: string;
      },
      { message: string }
    >;
  };
  accessTokens: {
    /**
     * Renew an access token: the answer has a new one.
     *
     * `POST /api/v1/auth/token/renew`
     * Needs no token.
     */
    renew: Mutation<
      { accessToken: string },
      {
        /** Shown once; send it as Authorization: Bearer */
        accessToken: string;
        /** Seconds; 0 where the token does not expire */
        expiresIn: number;
        /** Seconds; 0 where renewing has no end */
        accessTokenMaxTTL: number;
        tokenType: 'Bearer';
      }
    >;
    /**
     * Revoke an access token.
     *
     * `POST /api/v1/auth/token/revoke`
     * Needs no token.
     */
    revoke: Mutation<{ accessToken: string }, { message: string }>;
  };
  instanceManagement: {
    /**
     * List the people of all organizations.
     *
     * `GET /api/v1/admin/user-management/users`
     */
    listUsers: Query<
      {
        /**
         * Part of a name or address
         * Default: `''`
         */
        searchTerm?: string;
        /** Default: `false` */
        adminsOnly?: boolean;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        users: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          superAdmin: boolean;
        }[];
      }
    >;
    /**
     * Delete a person.
     *
     * `DELETE /api/v1/admin/user-management/users/{userId}`
     */
    deleteUser: Mutation<
      {
        /** UUID */
        userId: string;
      },
      {
        users: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          superAdmin: boolean;
        };
      }
    >;
    /**
     * Make a person an administrator of the instance.
     *
     * `PATCH /api/v1/admin/user-management/users/{userId}/admin-access`
     */
    grantAdmin: Mutation<
      {
        /** UUID */
        userId: string;
      },
      Record<string, never>
    >;
    /**
     * Take the administration of the instance from a person.
     *
     * `DELETE /api/v1/admin/user-management/users/{userId}/admin-access`
     */
    revokeAdmin: Mutation<
      {
        /** UUID */
        userId: string;
      },
      {
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          superAdmin: boolean;
        };
      }
    >;
    /**
     * Read the audit log of the instance: refused tokens, and refused logins of unknown clients.
     *
     * `GET /api/v1/admin/audit-logs`
     */
    auditLog: Query<
      {
        /** Published names of events with commas between them: create-secret,delete-secret */
        eventType?: string;
        /** The id of who did it */
        actor?: string;
        actorType?: 'platform' | 'kmipClient' | 'user' | 'service' | 'identity' | 'machine' | 'scimClient' | 'unknownUser';
        userAgentType?: 'web' | 'cli' | 'k8-operator' | 'terraform' | 'other' | 'InfisicalPythonSDK' | 'InfisicalNodeSDK';
        /** Slug of the environment that the event speaks of */
        environment?: string;
        /** Path of the folder that the event speaks of */
        secretPath?: string;
        /** Name of the secret that the event speaks of */
        secretKey?: string;
        /** key=value pairs of the event, with commas between them */
        eventMetadata?: string;
        /** Not before */
        startDate?: string;
        /** Not after */
        endDate?: string;
        /** The nextCursor of the page before; cheaper than an offset, however far one goes */
        cursor?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        /** The newest first */
        auditLogs: {
          /** UUID */
          id: string;
          ipAddress: string | null;
          userAgent: string | null;
          userAgentType: string | null;
          /** When retention removes it; null: never */
          expiresAt: string | null;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          orgId: string;
          projectId: string | null;
          projectName: string | null;
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          } | null;
          event: {
            /** The published name of the event */
            type: string;
            metadata: Record<string, unknown>;
          };
          actor: { type: string; metadata: Record<string, unknown> };
        }[];
        /** Where the next page begins; null where this is the last one */
        nextCursor: string | null;
      }
    >;
    /**
     * List the machine identities of all organizations.
     *
     * `GET /api/v1/admin/identity-management/identities`
     */
    listIdentities: Query<
      {
        /**
         * Part of a name
         * Default: `''`
         */
        searchTerm?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        identities: {
          /** UUID */
          id: string;
          name: string;
          isInstanceAdmin: boolean;
        }[];
      }
    >;
    /**
     * Take the administration of the instance from a machine identity.
     *
     * `DELETE /api/v1/admin/identity-management/identities/{identityId}/super-admin-access`
     */
    revokeIdentityAdmin: Mutation<
      {
        /** UUID */
        identityId: string;
      },
      {
        identity: {
          /** UUID */
          id: string;
          name: string;
          isInstanceAdmin: boolean;
        };
      }
    >;
    /**
     * Show the rate limits in force.
     *
     * `GET /api/v1/rate-limit`
     */
    rateLimits: Query<
      NoInput,
      {
        rateLimit: {
          /** UUID */
          id: string;
          /** Requests per minute of one caller to operations of no other class that use GET or HEAD. The value in force; 0 for no limit. */
          readRateLimit: number;
          /** Requests per minute of one caller to operations of no other class that use another method than GET or HEAD. The value in force; 0 for no limit. */
          writeRateLimit: number;
          /** Requests per minute of one caller, with any method, to the operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. The value in force; 0 for no limit. */
          secretsRateLimit: number;
          /** Refused logins per minute of one address for one subject, ten times as many for all subjects together; also sign-ups, password resets and other operations without a token that are limited strictly, per address. Successful logins are not counted. The value in force. */
          authRateLimit: number;
          /** Requests per minute of one caller that invite users to an organization, or send an invitation again. The value in force; 0 for no limit. */
          inviteUserRateLimit: number;
          /** Stored and answered without effect: no operation belongs to this class. The value in force; 0 for no limit. */
          mfaRateLimit: number;
          /** Requests per minute of one address to operations that take no credential, such as revocation lists, OCSP, ACME, the status and the documentation. The value in force; 0 for no limit. */
          publicEndpointLimit: number;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Replace the rate limits, in all processes within a second.
     *
     * `PUT /api/v1/rate-limit`
     */
    updateRateLimits: Mutation<
      {
        /** Requests per minute of one caller to operations of no other class that use GET or HEAD. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        readRateLimit: number | null;
        /** Requests per minute of one caller to operations of no other class that use another method than GET or HEAD. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        writeRateLimit: number | null;
        /** Requests per minute of one caller, with any method, to the operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        secretsRateLimit: number | null;
        /** Refused logins per minute of one address for one subject, ten times as many for all subjects together; also sign-ups, password resets and other operations without a token that are limited strictly, per address. Successful logins are not counted. 0 and `null` stand for COFFER_LOGIN_RATE_LIMIT: this limit cannot be turned off. */
        authRateLimit: number | null;
        /** Requests per minute of one caller that invite users to an organization, or send an invitation again. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        inviteUserRateLimit: number | null;
        /** Stored and answered without effect: no operation belongs to this class. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        mfaRateLimit: number | null;
        /** Requests per minute of one address to operations that take no credential, such as revocation lists, OCSP, ACME, the status and the documentation. 0 turns the limit off. `null` stands for COFFER_RATE_LIMIT, which counts all classes without a limit of their own together. */
        publicEndpointLimit: number | null;
      },
      {
        rateLimit: {
          /** UUID */
          id: string;
          /** Requests per minute of one caller to operations of no other class that use GET or HEAD. The value in force; 0 for no limit. */
          readRateLimit: number;
          /** Requests per minute of one caller to operations of no other class that use another method than GET or HEAD. The value in force; 0 for no limit. */
          writeRateLimit: number;
          /** Requests per minute of one caller, with any method, to the operations whose path begins with `secret` or `dynamic-secret` after the version: secrets, secret imports, snapshots, secret approvals, dynamic secrets and leases. The value in force; 0 for no limit. */
          secretsRateLimit: number;
          /** Refused logins per minute of one address for one subject, ten times as many for all subjects together; also sign-ups, password resets and other operations without a token that are limited strictly, per address. Successful logins are not counted. The value in force. */
          authRateLimit: number;
          /** Requests per minute of one caller that invite users to an organization, or send an invitation again. The value in force; 0 for no limit. */
          inviteUserRateLimit: number;
          /** Stored and answered without effect: no operation belongs to this class. The value in force; 0 for no limit. */
          mfaRateLimit: number;
          /** Requests per minute of one address to operations that take no credential, such as revocation lists, OCSP, ACME, the status and the documentation. The value in force; 0 for no limit. */
          publicEndpointLimit: number;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the ways in which the root key is kept.
     *
     * `GET /api/v1/admin/encryption-strategies`
     */
    encryptionStrategies: Query<NoInput, { strategies: { strategy: 'SOFTWARE' | 'HSM'; enabled: boolean }[] }>;
    /**
     * Choose how the root key is kept.
     *
     * `PATCH /api/v1/admin/encryption-strategies`
     */
    changeEncryptionStrategy: Mutation<{ strategy: 'SOFTWARE' | 'HSM' }, Record<string, never>>;
  };
  sessions: {
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
    selectOrganization: Mutation<
      {
        /** UUID */
        organizationId: string;
        /** cli, where a command line asks */
        userAgent?: string;
      },
      {
        /** Speaks for the user in this organization */
        token: string;
        isMfaEnabled: boolean;
        mfaMethod: string | null;
      }
    >;
    /**
     * Get a new access token for the session of the cookie.
     *
     * Replaces the refresh token in the cookie `jid`. The replaced one is accepted for ten more seconds and answered with the same successor; shown later, it ends the session.
     *
     * `POST /api/v1/auth/token`
     * Needs no token.
     */
    refresh: Mutation<
      NoInput,
      { token: string; organizationId: string | null; subOrganizationId: string | null }
    >;
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
    list: Query<
      NoInput,
      {
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
      }[]
    >;
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
    revoke: Mutation<
      {
        /** UUID */
        sessionId: string;
      },
      { message: string }
    >;
  };
  account: {
    /**
     * Show me.
     *
     * `GET /api/v2/users/me`
     */
    me: Query<
      NoInput,
      {
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
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
    /**
     * List the organizations that I belong to.
     *
     * `GET /api/v2/users/me/organizations`
     */
    organizations: Query<
      NoInput,
      {
        organizations: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Change my name.
     *
     * `PATCH /api/v2/users/me/name`
     */
    rename: Mutation<
      { firstName: string; lastName: string },
      {
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change my password, end my other sessions and all my API keys.
     *
     * `POST /api/v2/password/user/password-reset`
     */
    changePassword: Mutation<
      {
        oldPassword: string;
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        newPassword: string;
      },
      Record<string, never>
    >;
    /**
     * Delete my account.
     *
     * Takes the password again, in the body.
     *
     * `DELETE /api/v2/users/me`
     */
    delete: Mutation<
      {
        /** Required: the password again, in the body */
        password?: string;
      },
      {
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the projects that I want to see first.
     *
     * `GET /api/v1/user/me/project-favorites`
     */
    favorites: Query<
      {
        /** UUID */
        orgId: string;
      },
      { projectFavorites: string[] }
    >;
    /**
     * Choose the projects that I want to see first.
     *
     * `PUT /api/v1/user/me/project-favorites`
     */
    setFavorites: Mutation<
      {
        /** UUID */
        orgId: string;
        /** Ids of projects, in the order in which to show them */
        projectFavorites: string[];
      },
      Record<string, never>
    >;
  };
  apiKeys: {
    /**
     * List my API keys of this organization.
     *
     * `GET /api/v2/users/me/api-keys`
     */
    list: Query<
      NoInput,
      {
        /** UUID */
        id: string;
        name: string;
        lastUsed: string | null;
        expiresAt: string;
        /** UUID */
        userId: string;
        createdAt: string;
        updatedAt: string;
      }[]
    >;
    /**
     * List my API keys of this organization.
     *
     * `GET /api/v3/users/me/api-keys`
     */
    listV3: Query<
      NoInput,
      {
        apiKeyData: {
          /** UUID */
          id: string;
          name: string;
          lastUsed: string | null;
          expiresAt: string;
          /** UUID */
          userId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create an API key for this organization.
     *
     * The key acts as the user, with the rights that the user has in the organization at the time of each call. It ends with the membership, and when the password changes or all sessions are ended. Operations on sessions, credentials, the account and the instance do not take it.
     *
     * `POST /api/v2/users/me/api-keys`
     */
    create: Mutation<
      {
        name: string;
        /** The lifetime in seconds; one year at most, and no longer than the organization lets tokens of its users live */
        expiresIn: number;
      },
      {
        /** Shown once; send it in the header X-API-Key */
        apiKey: string;
        apiKeyData: {
          /** UUID */
          id: string;
          name: string;
          lastUsed: string | null;
          expiresAt: string;
          /** UUID */
          userId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete one of my API keys.
     *
     * `DELETE /api/v2/users/me/api-keys/{apiKeyDataId}`
     */
    delete: Mutation<
      {
        /** UUID */
        apiKeyDataId: string;
      },
      {
        apiKeyData: {
          /** UUID */
          id: string;
          name: string;
          lastUsed: string | null;
          expiresAt: string;
          /** UUID */
          userId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  recovery: {
    /**
     * Ask for a link to a new password by e-mail.
     *
     * Says the same whether or not anybody has the address. The link is good once and for an hour; no more than three are sent within one.
     *
     * `POST /api/v1/password/email/password-reset`
     * Needs no token.
     */
    ask: Mutation<{ email: string }, { message: string }>;
    /**
     * Exchange the code of the link for a token that sets the password.
     *
     * `POST /api/v1/password/email/password-reset-verify`
     * Needs no token.
     */
    verify: Mutation<
      {
        email: string;
        /** `token` of the link */
        code: string;
      },
      {
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
        /** Sets the password, once and within a quarter of an hour */
        token: string;
        /** Always 2: the server hashes passwords */
        userEncryptionVersion: number;
      }
    >;
    /**
     * Set a new password, end all sessions and API keys.
     *
     * Takes the token of the verified code as `Authorization: Bearer` or in the body.
     *
     * `POST /api/v2/password/password-reset`
     * Needs no token.
     */
    reset: Mutation<
      {
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        newPassword: string;
        /** From the verified code, where it is not sent as Authorization: Bearer */
        token?: string;
      },
      Record<string, never>
    >;
  };
  signUp: {
    /**
     * Ask for a code that proves an e-mail address.
     *
     * Answers the same for every address. A code is sent to those that may sign up, or were invited, and have no account yet. It is good once and for an hour; no more than three are sent within one.
     *
     * `POST /api/v3/signup/email/signup`
     * Needs no token.
     */
    ask: Mutation<{ email: string }, { message: string }>;
    /**
     * Exchange the code that was sent to an e-mail address for a token that completes its account.
     *
     * `POST /api/v3/signup/email/verify`
     * Needs no token.
     */
    verify: Mutation<
      {
        email: string;
        /** `token` of the link in the message */
        code: string;
      },
      {
        message: string;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
        /** Completes the account, once and within a quarter of an hour */
        token: string;
      }
    >;
    /**
     * Make an account, where the instance allows it.
     *
     * Takes the token of the verified code as `Authorization: Bearer` or in the body. It is needed where addresses of some domains may sign up, and where the server sends e-mail.
     *
     * `POST /api/v3/signup/complete-account/signup`
     * Needs no token.
     */
    signUp: Mutation<
      {
        email: string;
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        password: string;
        firstName: string;
        lastName?: string;
        /** Makes an organization that the new user administers */
        organizationName?: string;
        /** From the verified code, where it is not sent as Authorization: Bearer */
        token?: string;
      },
      {
        message: string;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
        /** Speaks for the user, in the organization where there is one */
        token: string;
        organizationId: string | null;
      }
    >;
    /**
     * Complete the account that an invitation was for.
     *
     * Takes the token of the verified invitation as `Authorization: Bearer` or in the body.
     *
     * `POST /api/v3/signup/complete-account/invite`
     * Needs no token.
     */
    completeInvitation: Mutation<
      {
        email: string;
        /** At least 12 characters, where the operator sets no other minimum, and no common password */
        password: string;
        firstName: string;
        lastName?: string;
        /** From the verified invitation, where it is not sent as Authorization: Bearer */
        token?: string;
      },
      {
        message: string;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
        /** Speaks for the user, in the organization where there is one */
        token: string;
        organizationId: string | null;
      }
    >;
  };
  organizations: {
    /**
     * List the organizations that I belong to.
     *
     * `GET /api/v1/organization`
     */
    list: Query<
      NoInput,
      {
        organizations: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Show the organization.
     *
     * `GET /api/v1/organization/{organizationId}`
     */
    get: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Make a further organization.
     *
     * `POST /api/v2/organizations`
     */
    create: Mutation<
      { name: string },
      {
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change the organization.
     *
     * `PATCH /api/v1/organization/{organizationId}`
     * Needs `edit` on `settings`.
     */
    update: Mutation<
      {
        /** UUID */
        organizationId: string;
        name?: string;
        /** Unique in the instance */
        slug?: string;
        defaultMembershipRoleSlug?: string;
        /** Such as 30m, 8h, 2d; null for the usual ten days */
        userTokenExpiration?: string | null;
        authEnforced?: boolean;
        scimEnabled?: boolean;
        enforceMfa?: boolean;
      },
      {
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        };
        message: string;
      }
    >;
    /**
     * Delete the organization with everything in it.
     *
     * `DELETE /api/v2/organizations/{organizationId}`
     */
    delete: Mutation<
      {
        /** UUID */
        organizationId: string;
      },
      {
        organization: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          customerId: string | null;
          authEnforced: boolean;
          scimEnabled: boolean;
          kmsDefaultKeyId: string | null;
          /** The role of those who are invited without one */
          defaultMembershipRole: string;
          enforceMfa: boolean;
          selectedMfaMethod: string | null;
          allowSecretSharingOutsideOrganization: boolean | null;
          shouldUseNewPrivilegeSystem: boolean;
          privilegeUpgradeInitiatedByUsername: string | null;
          privilegeUpgradeInitiatedAt: string | null;
          /** How long an access token of a user lives here at the most, such as 8h */
          userTokenExpiration: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Show my membership and the rules that I am under.
     *
     * `GET /api/v1/organization/{organizationId}/permissions`
     */
    permissions: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
        };
        permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
      }
    >;
    /**
     * List the projects that I belong to.
     *
     * `GET /api/v2/organizations/{organizationId}/workspaces`
     */
    projects: Query<
      {
        /** UUID */
        organizationId: string;
        type?: string;
      },
      {
        workspaces: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          type: string;
          /** UUID */
          organization: string;
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        }[];
      }
    >;
  };
  organizationMembers: {
    /**
     * List the people of the organization.
     *
     * `GET /api/v2/organizations/{organizationId}/memberships`
     * Needs `read` on `member`.
     */
    list: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        users: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
            isEmailVerified: boolean;
          };
        }[];
      }
    >;
    /**
     * Show a member.
     *
     * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}`
     * Needs `read` on `member`.
     */
    get: Query<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
            isEmailVerified: boolean;
          };
          metadata: { key: string; value: string }[];
        };
      }
    >;
    /**
     * List a member's projects.
     *
     * `GET /api/v2/organizations/{organizationId}/memberships/{membershipId}/project-memberships`
     * Needs `read` on `member`.
     */
    projects: Query<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        membershipId: string;
      },
      {
        memberships: {
          /** UUID */
          id: string;
          userId: string | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          user: {
            /** UUID */
            id: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
            /** Always null: keys stay on the server */
            publicKey: string | null;
            isEmailVerified: boolean;
          };
          project: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            type: string;
          };
          roles: {
            /** UUID */
            id: string;
            role: string;
            customRoleId: string | null;
            customRoleName: string | null;
            customRoleSlug: string | null;
            isTemporary: boolean;
            temporaryMode: string | null;
            temporaryRange: string | null;
            temporaryAccessStartTime: string | null;
            /** The start plus the range */
            temporaryAccessEndTime: string | null;
          }[];
        }[];
      }
    >;
    /**
     * Change a member's role, or take its access away or back.
     *
     * `PATCH /api/v2/organizations/{organizationId}/memberships/{membershipId}`
     * Needs `edit` on `member`.
     */
    update: Mutation<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        membershipId: string;
        /** A built-in role, or the slug of a custom one */
        role?: string;
        /** false takes all access to the organization away, at once */
        isActive?: boolean;
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Remove a member.
     *
     * `DELETE /api/v2/organizations/{organizationId}/memberships/{membershipId}`
     * Needs `delete` on `member`.
     */
    remove: Mutation<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        membershipId: string;
      },
      {
        membership: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Remove several members, or none.
     *
     * `DELETE /api/v2/organizations/{organizationId}/memberships`
     * Needs `delete` on `member`.
     */
    removeMany: Mutation<
      {
        /** UUID */
        organizationId: string;
        membershipIds: string[];
      },
      {
        memberships: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          userId: string | null;
          /** A built-in role, or custom */
          role: string;
          /** The custom role */
          roleId: string | null;
          /** invited, or accepted */
          status: string;
          inviteEmail: string | null;
          isActive: boolean;
          projectFavorites: string[] | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
  };
  groups: {
    /**
     * List the groups of the organization.
     *
     * `GET /api/v1/groups`
     * Needs `read` on `groups`.
     */
    list: Query<
      NoInput,
      {
        /** UUID */
        id: string;
        /** UUID */
        orgId: string;
        name: string;
        slug: string;
        /** A built-in role of the organization, or custom */
        role: string;
        /** UUID of the custom role */
        roleId: string | null;
        createdAt: string;
        updatedAt: string;
      }[]
    >;
    /**
     * List the groups of the organization with their custom roles.
     *
     * `GET /api/v1/organization/{organizationId}/groups`
     * Needs `read` on `groups`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    listOfOrganization: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        groups: {
          /** UUID */
          id: string;
          /** UUID */
          orgId: string;
          name: string;
          slug: string;
          /** A built-in role of the organization, or custom */
          role: string;
          /** UUID of the custom role */
          roleId: string | null;
          createdAt: string;
          updatedAt: string;
          customRole: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
            description: string | null;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          } | null;
        }[];
      }
    >;
    /**
     * List the groups that a person is in.
     *
     * `GET /api/v1/user/me/{username}/groups`
     * Needs `read` on `groups`.
     */
    listOfUser: Query<
      { username: string },
      {
        /** UUID */
        id: string;
        name: string;
        slug: string;
        /** UUID */
        orgId: string;
      }[]
    >;
    /**
     * Create a group.
     *
     * `POST /api/v1/groups`
     * Needs `create` on `groups`.
     */
    create: Mutation<
      {
        name: string;
        /** Made from the name where absent */
        slug?: string;
        /**
         * A built-in role of the organization, or the slug of a custom one
         * Default: `'no-access'`
         */
        role?: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        orgId: string;
        name: string;
        slug: string;
        /** A built-in role of the organization, or custom */
        role: string;
        /** UUID of the custom role */
        roleId: string | null;
        createdAt: string;
        updatedAt: string;
      }
    >;
    /**
     * Get a group.
     *
     * `GET /api/v1/groups/{id}`
     * Needs `read` on `groups`.
     */
    get: Query<
      {
        /** UUID of the group, its name or its slug */
        id: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        orgId: string;
        name: string;
        slug: string;
        /** A built-in role of the organization, or custom */
        role: string;
        /** UUID of the custom role */
        roleId: string | null;
        createdAt: string;
        updatedAt: string;
        customRoleSlug: string | null;
      }
    >;
    /**
     * Change a group, or its role in the organization.
     *
     * `PATCH /api/v1/groups/{id}`
     * Needs `edit` on `groups`.
     */
    update: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        name?: string;
        slug?: string;
        /** A built-in role of the organization, or the slug of a custom one */
        role?: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        orgId: string;
        name: string;
        slug: string;
        /** A built-in role of the organization, or custom */
        role: string;
        /** UUID of the custom role */
        roleId: string | null;
        createdAt: string;
        updatedAt: string;
      }
    >;
    /**
     * Delete a group.
     *
     * `DELETE /api/v1/groups/{id}`
     * Needs `delete` on `groups`.
     */
    delete: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        orgId: string;
        name: string;
        slug: string;
        /** A built-in role of the organization, or custom */
        role: string;
        /** UUID of the custom role */
        roleId: string | null;
        createdAt: string;
        updatedAt: string;
      }
    >;
    /**
     * List the people of a group, and those outside.
     *
     * `GET /api/v1/groups/{id}/users`
     * Needs `read` on `groups`.
     */
    users: Query<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `10`
         */
        limit?: number;
        /** Part of the user name */
        username?: string;
        /** Part of the user name, the address or the name */
        search?: string;
        filter?: 'existingMembers' | 'nonMembers';
      },
      {
        users: {
          /** UUID */
          id: string;
          email: string | null;
          username: string;
          firstName: string | null;
          lastName: string | null;
          isPartOfGroup: boolean;
          joinedGroupAt: string | null;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Put a person into a group.
     *
     * `POST /api/v1/groups/{id}/users/{username}`
     * Needs `add-members` on `groups`.
     */
    addUser: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        username: string;
      },
      {
        /** UUID */
        id: string;
        email: string | null;
        username: string;
        firstName: string | null;
        lastName: string | null;
      }
    >;
    /**
     * Take a person out of a group.
     *
     * `DELETE /api/v1/groups/{id}/users/{username}`
     * Needs `remove-members` on `groups`.
     */
    removeUser: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        username: string;
      },
      {
        /** UUID */
        id: string;
        email: string | null;
        username: string;
        firstName: string | null;
        lastName: string | null;
      }
    >;
    /**
     * List the machine identities of a group, and those outside.
     *
     * `GET /api/v1/groups/{id}/machine-identities`
     * Needs `read` on `groups`.
     */
    identities: Query<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `10`
         */
        limit?: number;
        /** Part of the name */
        search?: string;
        filter?: 'assignedMachineIdentities' | 'nonAssignedMachineIdentities';
      },
      {
        machineIdentities: {
          /** UUID */
          id: string;
          name: string;
          isPartOfGroup: boolean;
          joinedGroupAt: string | null;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Put a machine identity into a group.
     *
     * `POST /api/v1/groups/{id}/machine-identities/{machineIdentityId}`
     * Needs `add-identities` on `groups`.
     */
    addIdentity: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /** UUID */
        machineIdentityId: string;
      },
      {
        /** UUID */
        id: string;
        name: string;
      }
    >;
    /**
     * Take a machine identity out of a group.
     *
     * `DELETE /api/v1/groups/{id}/machine-identities/{machineIdentityId}`
     * Needs `remove-identities` on `groups`.
     */
    removeIdentity: Mutation<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /** UUID */
        machineIdentityId: string;
      },
      {
        /** UUID */
        id: string;
        name: string;
      }
    >;
    /**
     * List all who are in a group.
     *
     * `GET /api/v1/groups/{id}/members`
     * Needs `read` on `groups`.
     */
    members: Query<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `10`
         */
        limit?: number;
        /** Part of a name or address */
        search?: string;
        /** Default: `'name'` */
        orderBy?: 'name';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
        memberTypeFilter?: 'users' | 'machineIdentities' | ('users' | 'machineIdentities')[];
      },
      {
        members: ({
          /** UUID */
          id: string;
          joinedGroupAt: string;
          type: 'user';
          user: {
            /** UUID */
            id: string;
            email: string | null;
            username: string;
            firstName: string | null;
            lastName: string | null;
          };
        } | {
          /** UUID */
          id: string;
          joinedGroupAt: string;
          type: 'machineIdentity';
          machineIdentity: {
            /** UUID */
            id: string;
            name: string;
          };
        })[];
        totalCount: number;
      }
    >;
    /**
     * List the projects of a group, and others.
     *
     * `GET /api/v1/groups/{id}/projects`
     * Needs `read` on `groups`.
     */
    projects: Query<
      {
        /** UUID of the group, its name or its slug */
        id: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `10`
         */
        limit?: number;
        /** Part of the name */
        search?: string;
        filter?: 'assignedProjects' | 'unassignedProjects';
        /** Default: `'name'` */
        orderBy?: 'name';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
      },
      {
        projects: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** When the group came to the project; null where it is not in it */
          joinedGroupAt: string | null;
        }[];
        totalCount: number;
      }
    >;
  };
  invitations: {
    /**
     * Invite people into the organization and its projects.
     *
     * Each of them gets a link by e-mail. Where no mail server is configured, the answer has the links: hand each over to that person alone.
     *
     * `POST /api/v1/invite-org/signup`
     * Needs `create` on `member`.
     */
    invite: Mutation<
      {
        inviteeEmails: string[];
        /** UUID */
        organizationId: string;
        /** The organization's default role where absent */
        organizationRoleSlug?: string;
        /**
         * Projects to add the invited to
         * Default: `[]`
         */
        projects?: {
          /** UUID */
          id: string;
          /** Default: `["member"]` */
          projectRoleSlug?: string[];
        }[];
      },
      {
        message: string;
        /** null where they go by e-mail */
        completeInviteLinks: {
          email: string;
          /** For that person alone; good for one day and one use */
          link: string;
        }[] | null;
      }
    >;
    /**
     * Make a new link for somebody who was invited.
     *
     * `POST /api/v1/invite-org/signup-resend`
     * Needs `create` on `member`.
     */
    resend: Mutation<
      {
        /** UUID */
        membershipId: string;
      },
      {
        /** null where it goes by e-mail */
        signupToken: {
          email: string;
          /** For that person alone; good for one day and one use */
          link: string;
        } | null;
      }
    >;
    /**
     * Accept an invitation by its code.
     *
     * Who has an account sends its token along and is a member from then on; who has none gets a token to complete one with.
     *
     * `POST /api/v1/invite-org/verify`
     * Needs no token.
     */
    verify: Mutation<
      {
        email: string;
        /** UUID */
        organizationId: string;
        code: string;
      },
      {
        message: string;
        token: string | null;
        user: {
          /** UUID */
          id: string;
          username: string;
          email: string | null;
          firstName: string | null;
          lastName: string | null;
          /** How the user may log in */
          authMethods: string[];
          /** Administers the whole instance */
          superAdmin: boolean;
          /** false until an invited user has completed the account */
          isAccepted: boolean;
          isEmailVerified: boolean;
          isGhost: boolean;
          isMfaEnabled: boolean;
          mfaMethods: string[] | null;
          selectedMfaMethod: string | null;
          consecutiveFailedMfaAttempts: number;
          consecutiveFailedPasswordAttempts: number;
          /** true while all unknown devices have to wait, since the password was guessed at */
          isLocked: boolean;
          temporaryLockDateEnd: string | null;
          devices?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  incidentContacts: {
    /**
     * List the addresses that are to hear of incidents.
     *
     * `GET /api/v1/organization/{organizationId}/incidentContactOrg`
     * Needs `read` on `incident-contact`.
     */
    list: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        incidentContactsOrg: {
          /** UUID */
          id: string;
          email: string;
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Add an address that is to hear of incidents.
     *
     * `POST /api/v1/organization/{organizationId}/incidentContactOrg`
     * Needs `create` on `incident-contact`.
     */
    create: Mutation<
      {
        /** UUID */
        organizationId: string;
        email: string;
      },
      {
        incidentContactsOrg: {
          /** UUID */
          id: string;
          email: string;
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Remove an address.
     *
     * `DELETE /api/v1/organization/{organizationId}/incidentContactOrg/{incidentContactId}`
     * Needs `delete` on `incident-contact`.
     */
    delete: Mutation<
      {
        /** UUID */
        organizationId: string;
        /** UUID */
        incidentContactId: string;
      },
      {
        incidentContactsOrg: {
          /** UUID */
          id: string;
          email: string;
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projectTemplates: {
    /**
     * List the project templates, the built-in one first.
     *
     * `GET /api/v1/project-templates`
     * Needs `read` on `project-templates`.
     */
    list: Query<
      { type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam' },
      {
        projectTemplates: {
          /** UUID; of the built-in template its name */
          id: string;
          name: string;
          description: string | null;
          /** What it is meant for; a project has the type that it is made with */
          type: string;
          roles: {
            name: string;
            slug: string;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          }[];
          /** In their order */
          environments: {
            name: string;
            slug: string;
            /** 1 is the first */
            position: number;
          }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a project template.
     *
     * `POST /api/v1/project-templates`
     * Needs `create` on `project-templates`.
     */
    create: Mutation<
      {
        /** Unique in the organization */
        name: string;
        description?: string | null;
        /** Default: `'secret-manager'` */
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';
        /** Default: `[]` */
        roles?: {
          name: string;
          slug: string;
          permissions: {
            /** One of the published subjects */
            subject: string;
            /** One action or a list of them */
            action: string | string[];
            /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
            conditions?: Record<string, unknown> | null;
            /** true forbids; the last rule that speaks of a thing decides */
            inverted?: boolean;
          }[];
        }[];
        /** dev, staging and prod where absent */
        environments?: {
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
        }[];
        users?: unknown[];
        groups?: unknown[];
        identities?: unknown[];
      },
      {
        projectTemplate: {
          /** UUID; of the built-in template its name */
          id: string;
          name: string;
          description: string | null;
          /** What it is meant for; a project has the type that it is made with */
          type: string;
          roles: {
            name: string;
            slug: string;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          }[];
          /** In their order */
          environments: {
            name: string;
            slug: string;
            /** 1 is the first */
            position: number;
          }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a project template.
     *
     * `GET /api/v1/project-templates/{templateId}`
     * Needs `read` on `project-templates`.
     */
    get: Query<
      {
        /** UUID */
        templateId: string;
      },
      {
        projectTemplate: {
          /** UUID; of the built-in template its name */
          id: string;
          name: string;
          description: string | null;
          /** What it is meant for; a project has the type that it is made with */
          type: string;
          roles: {
            name: string;
            slug: string;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          }[];
          /** In their order */
          environments: {
            name: string;
            slug: string;
            /** 1 is the first */
            position: number;
          }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a project template; projects that were made from it stay as they are.
     *
     * `PATCH /api/v1/project-templates/{templateId}`
     * Needs `edit` on `project-templates`.
     */
    update: Mutation<
      {
        /** Unique in the organization */
        name?: string;
        description?: string | null;
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';
        roles?: {
          name: string;
          slug: string;
          permissions: {
            /** One of the published subjects */
            subject: string;
            /** One action or a list of them */
            action: string | string[];
            /** By field: a text, or {$eq, $ne, $in, $glob}; all must hold */
            conditions?: Record<string, unknown> | null;
            /** true forbids; the last rule that speaks of a thing decides */
            inverted?: boolean;
          }[];
        }[];
        /** dev, staging and prod where absent */
        environments?: {
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
        }[];
        users?: unknown[];
        groups?: unknown[];
        identities?: unknown[];
        /** UUID */
        templateId: string;
      },
      {
        projectTemplate: {
          /** UUID; of the built-in template its name */
          id: string;
          name: string;
          description: string | null;
          /** What it is meant for; a project has the type that it is made with */
          type: string;
          roles: {
            name: string;
            slug: string;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          }[];
          /** In their order */
          environments: {
            name: string;
            slug: string;
            /** 1 is the first */
            position: number;
          }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a project template; projects that were made from it stay.
     *
     * `DELETE /api/v1/project-templates/{templateId}`
     * Needs `delete` on `project-templates`.
     */
    delete: Mutation<
      {
        /** UUID */
        templateId: string;
      },
      {
        projectTemplate: {
          /** UUID; of the built-in template its name */
          id: string;
          name: string;
          description: string | null;
          /** What it is meant for; a project has the type that it is made with */
          type: string;
          roles: {
            name: string;
            slug: string;
            permissions: { subject: string; action: string | string[]; conditions?: unknown; inverted?: boolean }[];
          }[];
          /** In their order */
          environments: {
            name: string;
            slug: string;
            /** 1 is the first */
            position: number;
          }[];
          /** UUID */
          orgId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  projects: {
    /**
     * Create a project.
     *
     * `POST /api/v1/projects`
     * Needs `create` on `project` in the organization, or `create` on `workspace` in the organization.
     */
    create: Mutation<
      {
        projectName: string;
        projectDescription?: string;
        /** Unique in the organization; made from the name where absent */
        slug?: string;
        kmsKeyId?: string;
        /**
         * Which environments and roles it starts with
         * Default: `'default'`
         */
        template?: string;
        /** Default: `'secret-manager'` */
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';
        /** Default: `true` */
        shouldCreateDefaultEnvs?: boolean;
        /** Default: `false` */
        hasDeleteProtection?: boolean;
      },
      {
        project: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * List the projects that the caller is a member of.
     *
     * `GET /api/v1/projects`
     */
    list: Query<
      {
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam' | 'all';
        /** Default: `false` */
        includeRoles?: boolean;
      },
      {
        projects: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
          roles?: {
            id: string;
            slug: string;
            name: string;
            description: string | null;
            createdAt: string;
            updatedAt: string;
            /** UUID */
            projectId: string;
          }[];
        }[];
      }
    >;
    /**
     * Find projects by name.
     *
     * `POST /api/v1/workspace/search`
     */
    search: Mutation<
      {
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
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam';
        /** A part of the name */
        name?: string;
        /** Default: `'name'` */
        orderBy?: 'name';
        /** Default: `'asc'` */
        orderDirection?: 'asc' | 'desc';
      },
      {
        projects: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          isMember: boolean;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Read a project.
     *
     * `GET /api/v1/projects/{projectId}`
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        project: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Read a project by its slug.
     *
     * `GET /api/v1/projects/slug/{slug}`
     */
    getBySlug: Query<
      { slug: string },
      {
        /** UUID */
        id: string;
        /** UUID */
        _id: string;
        name: string;
        slug: string;
        description: string | null;
        type: string;
        /** UUID */
        orgId: string;
        autoCapitalization: boolean;
        pitVersionLimit: number;
        hasDeleteProtection: boolean;
        auditLogsRetentionDays: number | null;
        kmsCertificateKeyId: string | null;
        secretSharing: boolean;
        showSnapshotsLegacy: boolean;
        secretDetectionIgnoreValues: string[];
        version: number;
        upgradeStatus: string | null;
        createdAt: string;
        updatedAt: string;
        /** In their order */
        environments: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        }[];
      }
    >;
    /**
     * Change a project.
     *
     * `PATCH /api/v1/projects/{projectId}`
     * Needs `edit` on `settings`.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        /** Names of secrets have capitals only */
        autoCapitalization?: boolean;
        hasDeleteProtection?: boolean;
        slug?: string;
        secretSharing?: boolean;
        showSnapshotsLegacy?: boolean;
        secretDetectionIgnoreValues?: string[];
        /** How many versions of a secret are kept for going back */
        pitVersionLimit?: number;
        /** UUID */
        projectId: string;
      },
      {
        project: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Delete a project with all that is in it.
     *
     * `DELETE /api/v1/projects/{projectId}`
     * Needs `delete` on `workspace`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
      },
      {
        project: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
  };
  projectsV1: {
    /**
     * List the projects that the caller is a member of.
     *
     * `GET /api/v1/workspace`
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        type?: 'secret-manager' | 'cert-manager' | 'kms' | 'ssh' | 'secret-scanning' | 'pam' | 'all';
        /** Default: `false` */
        includeRoles?: boolean;
      },
      {
        workspaces: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
          roles?: {
            id: string;
            slug: string;
            name: string;
            description: string | null;
            createdAt: string;
            updatedAt: string;
            /** UUID */
            projectId: string;
          }[];
        }[];
      }
    >;
    /**
     * Read a project.
     *
     * `GET /api/v1/workspace/{workspaceId}`
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    get: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Change a project.
     *
     * `PATCH /api/v1/workspace/{workspaceId}`
     * Needs `edit` on `settings`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        name?: string;
        description?: string | null;
        /** Names of secrets have capitals only */
        autoCapitalization?: boolean;
        hasDeleteProtection?: boolean;
        slug?: string;
        secretSharing?: boolean;
        showSnapshotsLegacy?: boolean;
        secretDetectionIgnoreValues?: string[];
        /** How many versions of a secret are kept for going back */
        pitVersionLimit?: number;
        /** The project's id */
        workspaceId: string;
      },
      {
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Delete a project with all that is in it.
     *
     * `DELETE /api/v1/workspace/{workspaceId}`
     * Needs `delete` on `workspace`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Rename a project.
     *
     * `POST /api/v1/workspace/{workspaceId}/name`
     * Needs `edit` on `settings`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    rename: Mutation<
      {
        name: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Ask for names in capitals, or not.
     *
     * `POST /api/v1/workspace/{workspaceId}/auto-capitalization`
     * Needs `edit` on `settings`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    setAutoCapitalization: Mutation<
      {
        /** Names of secrets have capitals only */
        autoCapitalization: boolean;
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Set how many versions are kept.
     *
     * `PUT /api/v1/workspace/{workspaceSlug}/version-limit`
     * Needs `edit` on `workspace`.
     */
    setVersionLimit: Mutation<
      {
        /** How many versions of a secret are kept for going back */
        pitVersionLimit: number;
        workspaceSlug: string;
      },
      {
        message: string;
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Set for how long audit events are kept.
     *
     * `PUT /api/v1/workspace/{workspaceSlug}/audit-logs-retention`
     * Needs `edit` on `workspace`.
     */
    setAuditLogsRetention: Mutation<
      {
        /** Days */
        auditLogsRetentionDays: number;
        workspaceSlug: string;
      },
      {
        message: string;
        workspace: {
          /** UUID */
          id: string;
          /** UUID */
          _id: string;
          name: string;
          slug: string;
          description: string | null;
          type: string;
          /** UUID */
          orgId: string;
          autoCapitalization: boolean;
          pitVersionLimit: number;
          hasDeleteProtection: boolean;
          auditLogsRetentionDays: number | null;
          kmsCertificateKeyId: string | null;
          secretSharing: boolean;
          showSnapshotsLegacy: boolean;
          secretDetectionIgnoreValues: string[];
          version: number;
          upgradeStatus: string | null;
          createdAt: string;
          updatedAt: string;
          /** In their order */
          environments: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          }[];
        };
      }
    >;
    /**
     * Change a project.
     *
     * `PATCH /api/v2/workspace/{slug}`
     * Needs `edit` on `settings`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    updateBySlug: Mutation<
      {
        name?: string;
        description?: string | null;
        /** Names of secrets have capitals only */
        autoCapitalization?: boolean;
        slug: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        _id: string;
        name: string;
        slug: string;
        description: string | null;
        type: string;
        /** UUID */
        orgId: string;
        autoCapitalization: boolean;
        pitVersionLimit: number;
        hasDeleteProtection: boolean;
        auditLogsRetentionDays: number | null;
        kmsCertificateKeyId: string | null;
        secretSharing: boolean;
        showSnapshotsLegacy: boolean;
        secretDetectionIgnoreValues: string[];
        version: number;
        upgradeStatus: string | null;
        createdAt: string;
        updatedAt: string;
        /** In their order */
        environments: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        }[];
      }
    >;
    /**
     * Delete a project with all that is in it.
     *
     * `DELETE /api/v2/workspace/{slug}`
     * Needs `delete` on `workspace`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    deleteBySlug: Mutation<
      { slug: string },
      {
        /** UUID */
        id: string;
        /** UUID */
        _id: string;
        name: string;
        slug: string;
        description: string | null;
        type: string;
        /** UUID */
        orgId: string;
        autoCapitalization: boolean;
        pitVersionLimit: number;
        hasDeleteProtection: boolean;
        auditLogsRetentionDays: number | null;
        kmsCertificateKeyId: string | null;
        secretSharing: boolean;
        showSnapshotsLegacy: boolean;
        secretDetectionIgnoreValues: string[];
        version: number;
        upgradeStatus: string | null;
        createdAt: string;
        updatedAt: string;
        /** In their order */
        environments: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
        }[];
      }
    >;
  };
  environments: {
    /**
     * Create an environment.
     *
     * `POST /api/v1/projects/{projectId}/environments`
     * Needs `create` on `environments`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        name: string;
        slug: string;
        /** 1 is the first; the last where absent or too high */
        position?: number;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
        message: string;
        /** The project's id */
        workspace: string;
      }
    >;
    /**
     * Change an environment or its position.
     *
     * `PATCH /api/v1/projects/{projectId}/environments/{id}`
     * Needs `edit` on `environments`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        id: string;
        name?: string;
        slug?: string;
        /** 1 is the first; 0 leaves it where it is */
        position?: number;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
        message: string;
        /** The project's id */
        workspace: string;
      }
    >;
    /**
     * Delete an environment with its folders and secrets.
     *
     * `DELETE /api/v1/projects/{projectId}/environments/{id}`
     * Needs `delete` on `environments`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        id: string;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
        message: string;
        /** The project's id */
        workspace: string;
      }
    >;
    /**
     * Read an environment.
     *
     * `GET /api/v1/projects/{projectId}/environments/{id}`
     * Needs `read` on `environments`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        id: string;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read an environment by its id alone.
     *
     * `GET /api/v1/projects/environments/{id}`
     * Needs `read` on `environments`.
     */
    getById: Query<
      {
        /** UUID */
        id: string;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the deleted environments that can be restored.
     *
     * `GET /api/v1/projects/{projectId}/environments/deleted`
     * Needs `read` on `environments`.
     */
    listDeleted: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        environments: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** UUID */
          projectId: string;
          deletedAt: string;
          /** 30 days after the deletion */
          restorableUntil: string;
        }[];
      }
    >;
    /**
     * Restore an environment that was deleted in the last 30 days.
     *
     * Its folders, shared secrets and imports are restored, and the imports from it. Dynamic secrets, replications, webhooks, integrations and policies are not.
     *
     * `POST /api/v1/projects/{projectId}/environments/{id}/restore`
     * Needs `create` on `environments`.
     */
    restore: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        id: string;
      },
      {
        environment: {
          /** UUID */
          id: string;
          name: string;
          slug: string;
          /** 1 is the first */
          position: number;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  tags: {
    /**
     * List the tags of a project.
     *
     * `GET /api/v1/projects/{projectId}/tags`
     * Needs `read` on `tags`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        workspaceTags: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
          name: string;
        }[];
      }
    >;
    /**
     * Create a tag.
     *
     * `POST /api/v1/projects/{projectId}/tags`
     * Needs `create` on `tags`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Unique in the project */
        slug: string;
        color: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
        };
        tag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Create a tag.
     *
     * `POST /api/v1/workspace/{projectId}/tags`
     * Needs `create` on `tags`.
     */
    createV1: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Unique in the project */
        slug: string;
        color: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Read a tag.
     *
     * `GET /api/v1/projects/{projectId}/tags/{tagId}`
     * Needs `read` on `tags`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        tagId: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
          name: string;
        };
      }
    >;
    /**
     * Read a tag by its slug.
     *
     * `GET /api/v1/projects/{projectId}/tags/slug/{tagSlug}`
     * Needs `read` on `tags`.
     */
    getBySlug: Query<
      {
        /** UUID */
        projectId: string;
        tagSlug: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
          name: string;
        };
      }
    >;
    /**
     * Change a tag.
     *
     * `PATCH /api/v1/projects/{projectId}/tags/{tagId}`
     * Needs `edit` on `tags`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        tagId: string;
        /** Unique in the project */
        slug?: string;
        color?: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Delete a tag, also from the secrets that have it.
     *
     * `DELETE /api/v1/projects/{projectId}/tags/{tagId}`
     * Needs `delete` on `tags`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        tagId: string;
      },
      {
        workspaceTag: {
          /** UUID */
          id: string;
          slug: string;
          color: string | null;
          createdAt: string;
          updatedAt: string;
          createdBy: string | null;
          createdByActorType: string | null;
          /** UUID */
          projectId: string;
        };
      }
    >;
  };
  trustedIps: {
    /**
     * List the addresses from which a project may be used.
     *
     * `GET /api/v1/workspace/{workspaceId}/trusted-ips`
     * Needs `read` on `ip-allowlist`.
     */
    list: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        trustedIps: {
          ipAddress: string;
          type: 'ipv4' | 'ipv6';
          prefix?: number;
          /** UUID */
          id: string;
          /** Whether it counts. Without any that does, the project may be used from everywhere */
          isActive: boolean;
          comment: string | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Add an address or range from which a project may be used.
     *
     * `POST /api/v1/workspace/{workspaceId}/trusted-ips`
     * Needs `create` on `ip-allowlist`.
     */
    create: Mutation<
      {
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress: string;
        comment?: string;
        isActive: boolean;
        /** The project's id */
        workspaceId: string;
      },
      {
        trustedIp: {
          ipAddress: string;
          type: 'ipv4' | 'ipv6';
          prefix?: number;
          /** UUID */
          id: string;
          /** Whether it counts. Without any that does, the project may be used from everywhere */
          isActive: boolean;
          comment: string | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a trusted address; what is not named stays.
     *
     * `PATCH /api/v1/workspace/{workspaceId}/trusted-ips/{trustedIpId}`
     * Needs `edit` on `ip-allowlist`.
     */
    update: Mutation<
      {
        /** UUID */
        trustedIpId: string;
        /** An IPv4 or IPv6 address, or a range such as 10.0.0.0/8 */
        ipAddress?: string;
        comment?: string;
        isActive?: boolean;
        /** The project's id */
        workspaceId: string;
      },
      {
        trustedIp: {
          ipAddress: string;
          type: 'ipv4' | 'ipv6';
          prefix?: number;
          /** UUID */
          id: string;
          /** Whether it counts. Without any that does, the project may be used from everywhere */
          isActive: boolean;
          comment: string | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a trusted address.
     *
     * `DELETE /api/v1/workspace/{workspaceId}/trusted-ips/{trustedIpId}`
     * Needs `delete` on `ip-allowlist`.
     */
    delete: Mutation<
      {
        /** UUID */
        trustedIpId: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        trustedIp: {
          ipAddress: string;
          type: 'ipv4' | 'ipv6';
          prefix?: number;
          /** UUID */
          id: string;
          /** Whether it counts. Without any that does, the project may be used from everywhere */
          isActive: boolean;
          comment: string | null;
          /** UUID */
          projectId: string;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  integrationAuths: {
    /**
     * List the integrations that there are.
     *
     * `GET /api/v1/integration-auth/integration-options`
     */
    options: Query<
      NoInput,
      {
        integrationOptions: {
          name: string;
          slug: string;
          syncSlug: string | null;
          clientSlug: string | null;
          image: string;
          /** Whether secrets can be synced there */
          isAvailable: boolean;
          type: string;
          clientId: string | null;
          docsLink: string | null;
        }[];
      }
    >;
    /**
     * Keep the credentials of another service for integrations.
     *
     * `POST /api/v1/integration-auth/access-token`
     * Needs `create` on `integrations`.
     */
    createWithToken: Mutation<
      {
        /** UUID */
        workspaceId: string;
        integration: string;
        /** The id of the credential, where it has one: an access key, a role */
        accessId?: string;
        /** The credential itself: a token, or the secret of the access key */
        accessToken?: string;
        /** A role that the access key assumes: whatever is done is done as this role */
        awsAssumeIamRoleArn?: string;
        /** Where the other service is, where it can be anywhere */
        url?: string;
        namespace?: string;
        /** Exchanged for a token where the other service offers that */
        refreshToken?: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Authorize an integration by a code of OAuth; none is configured.
     *
     * `POST /api/v1/integration-auth/oauth-token`
     * Needs `create` on `integrations`.
     */
    createWithCode: Mutation<
      {
        /** UUID */
        workspaceId: string;
        integration: string;
        code: string;
        installationId?: string;
        /** Where the other service is, where it can be anywhere */
        url?: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the integration credentials of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/authorizations`
     * Needs `read` on `integrations`.
     */
    list: Query<
      {
        /** UUID */
        workspaceId: string;
      },
      {
        authorizations: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * List the integration credentials of all projects in which the caller may see them.
     *
     * `GET /api/v1/organization/{organizationId}/integration-authorizations`
     */
    listOfOrganization: Query<
      {
        /** UUID */
        organizationId: string;
      },
      {
        authorizations: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Read what is known of integration credentials.
     *
     * `GET /api/v1/integration-auth/{integrationAuthId}`
     * Needs `read` on `integrations`.
     */
    get: Query<
      {
        /** UUID */
        integrationAuthId: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change integration credentials; what is not named stays.
     *
     * `PATCH /api/v1/integration-auth/{integrationAuthId}`
     * Needs `edit` on `integrations`.
     */
    update: Mutation<
      {
        /** UUID */
        integrationAuthId: string;
        integration?: string;
        /** The id of the credential, where it has one: an access key, a role */
        accessId?: string;
        /** The credential itself: a token, or the secret of the access key */
        accessToken?: string;
        /** A role that the access key assumes: whatever is done is done as this role */
        awsAssumeIamRoleArn?: string;
        /** Where the other service is, where it can be anywhere */
        url?: string;
        namespace?: string;
        /** Exchanged for a token where the other service offers that */
        refreshToken?: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete integration credentials and what uses them.
     *
     * `DELETE /api/v1/integration-auth/{integrationAuthId}`
     * Needs `delete` on `integrations`.
     */
    delete: Mutation<
      {
        /** UUID */
        integrationAuthId: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete all credentials of one integration in a project.
     *
     * `DELETE /api/v1/integration-auth`
     * Needs `delete` on `integrations`.
     */
    deleteMany: Mutation<
      {
        integration: string;
        /** UUID */
        projectId: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Copy integration credentials to another project.
     *
     * `POST /api/v1/integration-auth/{integrationAuthId}/duplicate`
     * Needs `create` on `integrations`.
     */
    duplicate: Mutation<
      {
        /** UUID */
        integrationAuthId: string;
        /** The project that gets the copy */
        projectId: string;
      },
      {
        integrationAuth: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          integration: string;
          teamId: string | null;
          url: string | null;
          namespace: string | null;
          accountId: string | null;
          metadata?: unknown;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  integrations: {
    /**
     * List the integrations of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/integrations`
     * Needs `read` on `integrations`.
     */
    list: Query<
      {
        /** UUID */
        workspaceId: string;
      },
      {
        integrations: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        }[];
      }
    >;
    /**
     * Sync the secrets of a folder to another service, now and on every change.
     *
     * `POST /api/v1/integration`
     * Needs `create` on `integrations`.
     */
    create: Mutation<
      {
        /** UUID */
        integrationAuthId: string;
        /** Default: `true` */
        isActive?: boolean;
        /** The slug of an environment */
        sourceEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** Kept for whoever reads it; credentials go to where their authentication says */
        url?: string;
        app?: string;
        appId?: string;
        targetEnvironment?: string;
        targetEnvironmentId?: string;
        targetService?: string;
        targetServiceId?: string;
        owner?: string;
        path?: string;
        region?: string;
        scope?: string;
        metadata?: {
          /** What the first sync does with what is at the target before it */
          initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
          /** Put before each name at the target */
          secretPrefix?: string;
          /** Put after each name at the target */
          secretSuffix?: string;
          /** Each secret by itself, or all of them in one */
          mappingBehavior?: 'one-to-one' | 'many-to-one';
          shouldAutoRedeploy?: boolean;
          secretGCPLabel?: { labelName: string; labelValue: string };
          /** Tags of what is made at AWS */
          secretAWSTag?: { key: string; value: string }[];
          azureLabel?: string;
          githubVisibility?: 'all' | 'private' | 'selected';
          githubVisibilityRepoIds?: string[];
          /** The key of AWS KMS under which secrets are stored there */
          kmsKeyId?: string;
          /** Nothing is removed at the target */
          shouldDisableDelete?: boolean;
          /** Where nothing is removed by itself: remove after all */
          shouldEnableDelete?: boolean;
          shouldMaskSecrets?: boolean;
          shouldProtectSecrets?: boolean;
          metadataSyncMode?: 'custom' | 'secret-metadata';
          octopusDeployScopeValues?: Record<string, string[]>;
        };
      },
      {
        integration: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      }
    >;
    /**
     * Read an integration and what came of its last sync.
     *
     * `GET /api/v1/integration/{integrationId}`
     * Needs `read` on `integrations`.
     */
    get: Query<
      {
        /** UUID */
        integrationId: string;
      },
      {
        integration: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      }
    >;
    /**
     * Change an integration; what is not named stays.
     *
     * `PATCH /api/v1/integration/{integrationId}`
     * Needs `edit` on `integrations`.
     */
    update: Mutation<
      {
        /** UUID */
        integrationId: string;
        isActive?: boolean;
        /** The slug of another environment to take secrets from */
        environment?: string;
        /** The path of a folder, such as /app/config */
        secretPath?: string;
        app?: string;
        appId?: string;
        targetEnvironment?: string;
        owner?: string;
        path?: string;
        region?: string;
        /** What it does not name stays */
        metadata?: {
          /** What the first sync does with what is at the target before it */
          initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
          /** Put before each name at the target */
          secretPrefix?: string;
          /** Put after each name at the target */
          secretSuffix?: string;
          /** Each secret by itself, or all of them in one */
          mappingBehavior?: 'one-to-one' | 'many-to-one';
          shouldAutoRedeploy?: boolean;
          secretGCPLabel?: { labelName: string; labelValue: string };
          /** Tags of what is made at AWS */
          secretAWSTag?: { key: string; value: string }[];
          azureLabel?: string;
          githubVisibility?: 'all' | 'private' | 'selected';
          githubVisibilityRepoIds?: string[];
          /** The key of AWS KMS under which secrets are stored there */
          kmsKeyId?: string;
          /** Nothing is removed at the target */
          shouldDisableDelete?: boolean;
          /** Where nothing is removed by itself: remove after all */
          shouldEnableDelete?: boolean;
          shouldMaskSecrets?: boolean;
          shouldProtectSecrets?: boolean;
          metadataSyncMode?: 'custom' | 'secret-metadata';
          octopusDeployScopeValues?: Record<string, string[]>;
        };
      },
      {
        integration: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      }
    >;
    /**
     * End an integration.
     *
     * `DELETE /api/v1/integration/{integrationId}`
     * Needs `delete` on `integrations`.
     */
    delete: Mutation<
      {
        /** UUID */
        integrationId: string;
        /**
         * Also removes at the target what the integration has put there, and first
         * Default: `false`
         */
        shouldDeleteIntegrationSecrets?: boolean;
      },
      {
        integration: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
        };
      }
    >;
    /**
     * Sync an integration as soon as possible.
     *
     * `POST /api/v1/integration/{integrationId}/sync`
     * Needs `edit` on `integrations`.
     */
    sync: Mutation<
      {
        /** UUID */
        integrationId: string;
      },
      {
        integration: {
          /** UUID */
          id: string;
          isActive: boolean;
          url: string | null;
          app: string | null;
          appId: string | null;
          targetEnvironment: string | null;
          targetEnvironmentId: string | null;
          targetService: string | null;
          targetServiceId: string | null;
          owner: string | null;
          path: string | null;
          region: string | null;
          scope: string | null;
          integration: string;
          metadata: {
            /** What the first sync does with what is at the target before it */
            initialSyncBehavior?: 'overwrite-target' | 'prefer-target' | 'prefer-source';
            /** Put before each name at the target */
            secretPrefix?: string;
            /** Put after each name at the target */
            secretSuffix?: string;
            /** Each secret by itself, or all of them in one */
            mappingBehavior?: 'one-to-one' | 'many-to-one';
            shouldAutoRedeploy?: boolean;
            secretGCPLabel?: { labelName: string; labelValue: string };
            /** Tags of what is made at AWS */
            secretAWSTag?: { key: string; value: string }[];
            azureLabel?: string;
            githubVisibility?: 'all' | 'private' | 'selected';
            githubVisibilityRepoIds?: string[];
            /** The key of AWS KMS under which secrets are stored there */
            kmsKeyId?: string;
            /** Nothing is removed at the target */
            shouldDisableDelete?: boolean;
            /** Where nothing is removed by itself: remove after all */
            shouldEnableDelete?: boolean;
            shouldMaskSecrets?: boolean;
            shouldProtectSecrets?: boolean;
            metadataSyncMode?: 'custom' | 'secret-metadata';
            octopusDeployScopeValues?: Record<string, string[]>;
          };
          /** UUID */
          integrationAuthId: string;
          /** UUID */
          envId: string;
          secretPath: string;
          createdAt: string;
          updatedAt: string;
          /** When it last reached for its target */
          lastUsed: string | null;
          /** Whether the last sync succeeded */
          isSynced: boolean | null;
          /** Why the last sync did not succeed */
          syncMessage: string | null;
          lastSyncJobId: string | null;
        };
      }
    >;
  };
  acme: {
    /**
     * Show what ACME clients bind their accounts to a profile with.
     *
     * Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: they get all that it issues. To end enrolment takes no such right.
     *
     * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/acme/eab-secret/reveal`
     * Needs `edit` on `certificate-profiles`.
     */
    revealEabSecret: Query<
      {
        /** The id of the certificate profile */
        profileId: string;
      },
      {
        /** What clients give as the key id: the id of the profile */
        eabKid: string;
        /** The HMAC key, in base64url */
        eabSecret: string;
      }
    >;
  };
  est: {
    /**
     * Read how clients enrol by EST on a certificate template.
     *
     * `GET /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`
     * Needs `read` on `certificate-templates`.
     */
    getConfig: Query<
      {
        /** UUID */
        certificateTemplateId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        certificateTemplateId: string;
        isEnabled: boolean;
        disableBootstrapCertValidation: boolean;
        /** PEM */
        caChain: string | null;
      }
    >;
    /**
     * Let clients enrol by EST on a certificate template.
     *
     * Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: they get all that it issues. To end enrolment takes no such right.
     *
     * `POST /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`
     * Needs `edit` on `certificate-templates`.
     */
    createConfig: Mutation<
      {
        /** UUID */
        certificateTemplateId: string;
        /** Generated where absent; the answer has it once */
        passphrase?: string;
        /** PEM of those that certify clients before they enrol */
        caChain?: string;
        /** Default: `true` */
        isEnabled?: boolean;
        /** Default: `false` */
        disableBootstrapCertValidation?: boolean;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        certificateTemplateId: string;
        isEnabled: boolean;
        disableBootstrapCertValidation: boolean;
        /** Once, where it was generated */
        passphrase?: string;
      }
    >;
    /**
     * Change how clients enrol by EST on a certificate template.
     *
     * Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: they get all that it issues. To end enrolment takes no such right.
     *
     * `PATCH /api/v1/pki/certificate-templates/{certificateTemplateId}/est-config`
     * Needs `edit` on `certificate-templates`.
     */
    updateConfig: Mutation<
      {
        /** UUID */
        certificateTemplateId: string;
        passphrase?: string;
        /** Generates a new passphrase, which the answer has once */
        rotatePassphrase?: boolean;
        /** PEM of those that certify clients before they enrol */
        caChain?: string;
        isEnabled?: boolean;
        disableBootstrapCertValidation?: boolean;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        certificateTemplateId: string;
        isEnabled: boolean;
        disableBootstrapCertValidation: boolean;
        /** Once, where it was generated */
        passphrase?: string;
      }
    >;
    /**
     * Get the certificates of the authority (EST, RFC 7030).
     *
     * `GET /.well-known/est/{certificateTemplateId}/cacerts`
     * Needs no token.
     */
    cacerts: Query<
      {
        /** Of a certificate template or profile */
        certificateTemplateId: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Enrol with a passphrase (EST, RFC 7030).
     *
     * By HTTP Basic; the name counts for nothing.
     *
     * `POST /.well-known/est/{certificateTemplateId}/simpleenroll`
     * Needs no token.
     */
    simpleenroll: Mutation<
      {
        /** Of a certificate template or profile */
        certificateTemplateId: string;
        csr: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Enrol with a certificate that ends (EST, RFC 7030).
     *
     * `POST /.well-known/est/{certificateTemplateId}/simplereenroll`
     * Needs no token.
     */
    simplereenroll: Mutation<
      {
        /** Of a certificate template or profile */
        certificateTemplateId: string;
        csr: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
  };
  certificateAuthorities: {
    /**
     * List the certificate authorities of a project.
     *
     * `GET /api/v1/cert-manager/ca/internal`
     * Needs `read` on `certificate-authorities`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        name: string;
        type: 'internal';
        status: 'active' | 'disabled' | 'pending-certificate';
        enableDirectIssuance: boolean;
        ocspResponder: 'authority' | 'delegated';
        createdAt: string;
        updatedAt: string;
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName: string;
          commonName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          /** RFC 4514 */
          dn: string;
          keyAlgorithm: string;
          /** -1 for any number */
          maxPathLength: number;
          nameConstraints: {
            permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
            excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
          } | null;
          parentCaId: string | null;
          notBefore: string | null;
          notAfter: string | null;
          /** Of its certificate */
          serialNumber: string | null;
          activeCaCertId: string | null;
        };
      }[]
    >;
    /**
     * Create a root or intermediate certificate authority.
     *
     * `POST /api/v1/cert-manager/ca/internal`
     * Needs `create` on `certificate-authorities`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Unique in the project */
        name: string;
        /** Default: `'active'` */
        status?: 'active' | 'disabled';
        /** Whether it issues without a template or profile; it does */
        enableDirectIssuance?: boolean;
        /** The opposite, by its older name */
        disableDirectIssuance?: boolean;
        /** Who signs OCSP answers: the authority itself (where absent), or a delegated responder with a certificate of its own */
        ocspResponder?: 'authority' | 'delegated';
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName?: string;
          /** Default: `''` */
          commonName?: string;
          /** Default: `''` */
          organization?: string;
          /** Default: `''` */
          ou?: string;
          /**
           * Two letters
           * Default: `''`
           */
          country?: string;
          /** Default: `''` */
          province?: string;
          /** Default: `''` */
          locality?: string;
          /** Absent: now */
          notBefore?: string;
          /** Absent: ten years later */
          notAfter?: string;
          /** Default: `-1` */
          maxPathLength?: number | null;
          /** Default: `'RSA_2048'` */
          keyAlgorithm?: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';
          nameConstraints?: {
            permitted?: {
              type: 'dns' | 'ip' | 'email' | 'uri';
              /** A domain with all below it, a CIDR, or a host */
              value: string;
            }[];
            excluded?: {
              type: 'dns' | 'ip' | 'email' | 'uri';
              /** A domain with all below it, a CIDR, or a host */
              value: string;
            }[];
          } | null;
          /** Of an intermediate: the authority of the project that signs it at once */
          parentCaId?: string | null;
        };
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        name: string;
        type: 'internal';
        status: 'active' | 'disabled' | 'pending-certificate';
        enableDirectIssuance: boolean;
        ocspResponder: 'authority' | 'delegated';
        createdAt: string;
        updatedAt: string;
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName: string;
          commonName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          /** RFC 4514 */
          dn: string;
          keyAlgorithm: string;
          /** -1 for any number */
          maxPathLength: number;
          nameConstraints: {
            permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
            excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
          } | null;
          parentCaId: string | null;
          notBefore: string | null;
          notAfter: string | null;
          /** Of its certificate */
          serialNumber: string | null;
          activeCaCertId: string | null;
        };
      }
    >;
    /**
     * Read a certificate authority.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}`
     * Needs `read` on `certificate-authorities`.
     */
    get: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        name: string;
        type: 'internal';
        status: 'active' | 'disabled' | 'pending-certificate';
        enableDirectIssuance: boolean;
        ocspResponder: 'authority' | 'delegated';
        createdAt: string;
        updatedAt: string;
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName: string;
          commonName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          /** RFC 4514 */
          dn: string;
          keyAlgorithm: string;
          /** -1 for any number */
          maxPathLength: number;
          nameConstraints: {
            permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
            excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
          } | null;
          parentCaId: string | null;
          notBefore: string | null;
          notAfter: string | null;
          /** Of its certificate */
          serialNumber: string | null;
          activeCaCertId: string | null;
        };
      }
    >;
    /**
     * Rename a certificate authority, disable it, or change how it issues.
     *
     * `PATCH /api/v1/cert-manager/ca/internal/{caId}`
     * Needs `edit` on `certificate-authorities`.
     */
    update: Mutation<
      {
        /** UUID */
        caId: string;
        name?: string;
        status?: 'active' | 'disabled';
        enableDirectIssuance?: boolean;
        disableDirectIssuance?: boolean;
        /** The same, by its oldest name */
        requireTemplateForIssuance?: boolean;
        /** Who signs OCSP answers: the authority itself (where absent), or a delegated responder with a certificate of its own */
        ocspResponder?: 'authority' | 'delegated';
        configuration?: {
          type?: 'root' | 'intermediate';
          friendlyName?: string;
          commonName?: string;
          organization?: string;
          ou?: string;
          country?: string;
          province?: string;
          locality?: string;
          keyAlgorithm?: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';
          maxPathLength?: number | null;
          notBefore?: string | null;
          notAfter?: string | null;
        };
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        name: string;
        type: 'internal';
        status: 'active' | 'disabled' | 'pending-certificate';
        enableDirectIssuance: boolean;
        ocspResponder: 'authority' | 'delegated';
        createdAt: string;
        updatedAt: string;
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName: string;
          commonName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          /** RFC 4514 */
          dn: string;
          keyAlgorithm: string;
          /** -1 for any number */
          maxPathLength: number;
          nameConstraints: {
            permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
            excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
          } | null;
          parentCaId: string | null;
          notBefore: string | null;
          notAfter: string | null;
          /** Of its certificate */
          serialNumber: string | null;
          activeCaCertId: string | null;
        };
      }
    >;
    /**
     * Delete a certificate authority with its keys; what it has issued is revoked.
     *
     * `DELETE /api/v1/cert-manager/ca/internal/{caId}`
     * Needs `delete` on `certificate-authorities`.
     */
    delete: Mutation<
      {
        /** UUID */
        caId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        name: string;
        type: 'internal';
        status: 'active' | 'disabled' | 'pending-certificate';
        enableDirectIssuance: boolean;
        ocspResponder: 'authority' | 'delegated';
        createdAt: string;
        updatedAt: string;
        configuration: {
          type: 'root' | 'intermediate';
          friendlyName: string;
          commonName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          /** RFC 4514 */
          dn: string;
          keyAlgorithm: string;
          /** -1 for any number */
          maxPathLength: number;
          nameConstraints: {
            permitted?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
            excluded?: { type: 'dns' | 'ip' | 'email' | 'uri'; value: string }[];
          } | null;
          parentCaId: string | null;
          notBefore: string | null;
          notAfter: string | null;
          /** Of its certificate */
          serialNumber: string | null;
          activeCaCertId: string | null;
        };
      }
    >;
    /**
     * Get the CSR of an intermediate.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/csr`
     * Needs `read` on `certificate-authorities`.
     */
    request: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** PEM */
        csr: string;
      }
    >;
    /**
     * Make an intermediate that is signed elsewhere a new key, and get its CSR.
     *
     * `POST /api/v1/cert-manager/ca/internal/{caId}/csr`
     * Needs `renew` on `certificate-authorities`.
     */
    prepareKey: Mutation<
      {
        /** UUID */
        caId: string;
      },
      {
        /** PEM */
        csr: string;
      }
    >;
    /**
     * Give a certificate authority a new certificate.
     *
     * `POST /api/v1/cert-manager/ca/internal/{caId}/renew`
     * Needs `renew` on `certificate-authorities`.
     */
    renew: Mutation<
      {
        /** UUID */
        caId: string;
        /** With the key that it has, or with a new one */
        type: 'existing' | 'new';
        notAfter: string;
      },
      {
        certificate: string;
        /** Those above it, the nearest first; empty for a root */
        certificateChain: string;
        serialNumber: string;
      }
    >;
    /**
     * List the certificates that a certificate authority has had.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/ca-certificates`
     * Needs `read` on `certificate-authorities`.
     */
    certificates: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        certificate: string;
        /** Those above it, the nearest first; empty for a root */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        id: string;
        version: number;
        notBefore: string;
        notAfter: string;
      }[]
    >;
    /**
     * Get the certificate of a certificate authority, and its chain.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/certificate`
     * Needs `read` on `certificate-authorities`.
     */
    certificate: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        certificate: string;
        /** Those above it, the nearest first; empty for a root */
        certificateChain: string;
        serialNumber: string;
      }
    >;
    /**
     * Fetch a certificate of a certificate authority.
     *
     * DER. Where certificates say that their issuer is.
     *
     * `GET /api/v1/pki/ca/{caId}/certificates/{caCertId}/der`
     * Needs no token.
     */
    der: Query<
      {
        /** UUID */
        caId: string;
        /** UUID */
        caCertId: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Sign the certificate of another certificate authority.
     *
     * `POST /api/v1/cert-manager/ca/internal/{caId}/sign-intermediate`
     * Needs `sign-intermediate` on `certificate-authorities`.
     */
    signIntermediate: Mutation<
      {
        /** UUID */
        caId: string;
        /** PEM of a certificate signing request (PKCS #10) */
        csr: string;
        /** Absent: now */
        notBefore?: string;
        notAfter: string;
        /**
         * How many authorities may stand below it in one chain; -1 for any number
         * Default: `-1`
         */
        maxPathLength?: number;
        /** Names that certificates below it may have, or may not */
        nameConstraints?: {
          permitted?: {
            type: 'dns' | 'ip' | 'email' | 'uri';
            /** A domain with all below it, a CIDR, or a host */
            value: string;
          }[];
          excluded?: {
            type: 'dns' | 'ip' | 'email' | 'uri';
            /** A domain with all below it, a CIDR, or a host */
            value: string;
          }[];
        };
      },
      {
        certificate: string;
        /** Those above it, the nearest first; empty for a root */
        certificateChain: string;
        serialNumber: string;
        issuingCaCertificate: string;
      }
    >;
    /**
     * Take the certificate of an intermediate, signed elsewhere.
     *
     * `POST /api/v1/cert-manager/ca/internal/{caId}/import-certificate`
     * Needs `create` on `certificate-authorities`.
     */
    importCertificate: Mutation<
      {
        /** UUID */
        caId: string;
        /** PEM */
        certificate: string;
        /** PEM of those above it, the nearest first, up to the root */
        certificateChain: string;
      },
      { message: string; caId: string }
    >;
    /**
     * See whether a certificate authority is renewed by itself.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/auto-renewal`
     * Needs `read` on `certificate-authorities`.
     */
    autoRenewal: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** UUID */
        caId: string;
        enableAutoRenewal: boolean;
        /** How long before its certificate ends it is renewed */
        renewBeforeDays: number | null;
      }
    >;
    /**
     * Set whether a certificate authority is renewed by itself.
     *
     * `PATCH /api/v1/cert-manager/ca/internal/{caId}/auto-renewal`
     * Needs `renew` on `certificate-authorities`.
     */
    updateAutoRenewal: Mutation<
      {
        /** UUID */
        caId: string;
        enableAutoRenewal?: boolean;
        /** Absent: 30, or what it was */
        renewBeforeDays?: number;
      },
      {
        /** UUID */
        caId: string;
        enableAutoRenewal: boolean;
        /** How long before its certificate ends it is renewed */
        renewBeforeDays: number | null;
      }
    >;
    /**
     * See who signs an intermediate.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/signing-config`
     * Needs `read` on `certificate-authorities`.
     */
    signingConfig: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** UUID */
        caId: string;
        /** internal: an authority of the project; external: by CSR and import */
        type: 'internal' | 'external';
        parentCaId: string | null;
      }
    >;
    /**
     * Have an intermediate signed by another one of the project.
     *
     * `POST /api/v1/cert-manager/ca/internal/{caId}/signing-config`
     * Needs `edit` on `certificate-authorities`.
     */
    createSigningConfig: Mutation<
      {
        /** UUID */
        caId: string;
        /** Default: `'internal'` */
        type?: 'internal';
        /** UUID */
        parentCaId: string;
        /** Of the first certificate; absent: ten years, or when the parent ends */
        notAfter?: string;
      },
      {
        /** UUID */
        caId: string;
        /** internal: an authority of the project; external: by CSR and import */
        type: 'internal' | 'external';
        parentCaId: string | null;
      }
    >;
    /**
     * Change which authority of the project signs an intermediate.
     *
     * `PATCH /api/v1/cert-manager/ca/internal/{caId}/signing-config`
     * Needs `edit` on `certificate-authorities`.
     */
    updateSigningConfig: Mutation<
      {
        /** UUID */
        caId: string;
        /** Default: `'internal'` */
        type?: 'internal';
        /** UUID */
        parentCaId: string;
        /** Of the first certificate; absent: ten years, or when the parent ends */
        notAfter?: string;
      },
      {
        /** UUID */
        caId: string;
        /** internal: an authority of the project; external: by CSR and import */
        type: 'internal' | 'external';
        parentCaId: string | null;
      }
    >;
  };
  certificateAuthoritiesV1: {
    /**
     * List the certificate authorities of a project.
     *
     * `GET /api/v2/workspace/{slug}/cas`
     * Needs `read` on `certificate-authorities`.
     */
    list: Query<
      {
        slug: string;
        status?: 'active' | 'disabled' | 'pending-certificate';
        friendlyName?: string;
        commonName?: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `1000` */
        limit?: number;
      },
      {
        cas: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          parentCaId: string | null;
          /** UUID */
          projectId: string;
          type: 'root' | 'intermediate';
          status: 'active' | 'disabled' | 'pending-certificate';
          name: string;
          friendlyName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          commonName: string;
          dn: string;
          serialNumber: string | null;
          maxPathLength: number;
          keyAlgorithm: string;
          notBefore: string | null;
          notAfter: string | null;
          activeCaCertId: string | null;
          requireTemplateForIssuance: boolean;
        }[];
      }
    >;
    /**
     * Create a root or intermediate certificate authority.
     *
     * `POST /api/v1/pki/ca`
     * Needs `create` on `certificate-authorities`.
     */
    create: Mutation<
      {
        projectSlug: string;
        requireTemplateForIssuance?: boolean;
        type: 'root' | 'intermediate';
        friendlyName?: string;
        /** Default: `''` */
        commonName?: string;
        /** Default: `''` */
        organization?: string;
        /** Default: `''` */
        ou?: string;
        /**
         * Two letters
         * Default: `''`
         */
        country?: string;
        /** Default: `''` */
        province?: string;
        /** Default: `''` */
        locality?: string;
        /** Absent: now */
        notBefore?: string;
        /** Absent: ten years later */
        notAfter?: string;
        /** Default: `-1` */
        maxPathLength?: number | null;
        /** Default: `'RSA_2048'` */
        keyAlgorithm?: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';
        nameConstraints?: {
          permitted?: {
            type: 'dns' | 'ip' | 'email' | 'uri';
            /** A domain with all below it, a CIDR, or a host */
            value: string;
          }[];
          excluded?: {
            type: 'dns' | 'ip' | 'email' | 'uri';
            /** A domain with all below it, a CIDR, or a host */
            value: string;
          }[];
        } | null;
        /** Of an intermediate: the authority of the project that signs it at once */
        parentCaId?: string | null;
      },
      {
        ca: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          parentCaId: string | null;
          /** UUID */
          projectId: string;
          type: 'root' | 'intermediate';
          status: 'active' | 'disabled' | 'pending-certificate';
          name: string;
          friendlyName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          commonName: string;
          dn: string;
          serialNumber: string | null;
          maxPathLength: number;
          keyAlgorithm: string;
          notBefore: string | null;
          notAfter: string | null;
          activeCaCertId: string | null;
          requireTemplateForIssuance: boolean;
        };
      }
    >;
    /**
     * Read a certificate authority.
     *
     * `GET /api/v1/pki/ca/{caId}`
     * Needs `read` on `certificate-authorities`.
     */
    get: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        ca: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          parentCaId: string | null;
          /** UUID */
          projectId: string;
          type: 'root' | 'intermediate';
          status: 'active' | 'disabled' | 'pending-certificate';
          name: string;
          friendlyName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          commonName: string;
          dn: string;
          serialNumber: string | null;
          maxPathLength: number;
          keyAlgorithm: string;
          notBefore: string | null;
          notAfter: string | null;
          activeCaCertId: string | null;
          requireTemplateForIssuance: boolean;
        };
      }
    >;
    /**
     * Disable a certificate authority, or change how it issues.
     *
     * `PATCH /api/v1/pki/ca/{caId}`
     * Needs `edit` on `certificate-authorities`.
     */
    update: Mutation<
      {
        /** UUID */
        caId: string;
        status?: 'active' | 'disabled';
        /** The same, by its oldest name */
        requireTemplateForIssuance?: boolean;
      },
      {
        ca: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          parentCaId: string | null;
          /** UUID */
          projectId: string;
          type: 'root' | 'intermediate';
          status: 'active' | 'disabled' | 'pending-certificate';
          name: string;
          friendlyName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          commonName: string;
          dn: string;
          serialNumber: string | null;
          maxPathLength: number;
          keyAlgorithm: string;
          notBefore: string | null;
          notAfter: string | null;
          activeCaCertId: string | null;
          requireTemplateForIssuance: boolean;
        };
      }
    >;
    /**
     * Delete a certificate authority with all that it has issued.
     *
     * `DELETE /api/v1/pki/ca/{caId}`
     * Needs `delete` on `certificate-authorities`.
     */
    delete: Mutation<
      {
        /** UUID */
        caId: string;
      },
      {
        ca: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          parentCaId: string | null;
          /** UUID */
          projectId: string;
          type: 'root' | 'intermediate';
          status: 'active' | 'disabled' | 'pending-certificate';
          name: string;
          friendlyName: string;
          organization: string;
          ou: string;
          country: string;
          province: string;
          locality: string;
          commonName: string;
          dn: string;
          serialNumber: string | null;
          maxPathLength: number;
          keyAlgorithm: string;
          notBefore: string | null;
          notAfter: string | null;
          activeCaCertId: string | null;
          requireTemplateForIssuance: boolean;
        };
      }
    >;
  };
  certificates: {
    /**
     * List the certificates of a project.
     *
     * `GET /api/v1/cert-manager/certificates`
     * Needs `read` on `certificates`.
     */
    list: Query<
      {
        /** UUID */
        caId?: string;
        /** UUID */
        pkiSubscriberId?: string;
        status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
        /** Exactly */
        friendlyName?: string;
        /** Exactly */
        commonName?: string;
        /** Text in names or the serial number */
        search?: string;
        /** Made then or later */
        fromDate?: string;
        /** Made then or before */
        toDate?: string;
        /** Ends then or later */
        notAfterFrom?: string;
        /** Ends then or before */
        notAfterTo?: string;
        /** Default: `'createdAt'` */
        sortBy?: 'createdAt' | 'notAfter' | 'notBefore' | 'commonName';
        /** Default: `'desc'` */
        sortOrder?: 'asc' | 'desc';
        /** Default: `0` */
        offset?: number;
        /** Default: `25` */
        limit?: number;
        /** UUID */
        projectId: string;
      },
      {
        certificates: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active, revoked or, where its time is over, expired */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
          /** UUID */
          projectId: string;
          pkiSubscriberId: string | null;
          profileId: string | null;
          keyAlgorithm: string;
          signatureAlgorithm: string;
          /** SHA-256, lower-case hexadecimal */
          fingerprint: string;
          /** How it came to be: issue, sign, acme, est, subscriber, import */
          source: string;
          hasPrivateKey: boolean;
          renewedFromCertificateId: string | null;
          renewedByCertificateId: string | null;
          renewBeforeDays: number | null;
          /** Why it could not be renewed by itself, where that was tried */
          renewalError: string | null;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Search the certificates of a project.
     *
     * `POST /api/v1/projects/{projectId}/certificates/search`
     * Needs `read` on `certificates`.
     */
    search: Mutation<
      {
        /** UUID */
        caId?: string;
        caIds?: string[];
        profileIds?: string[];
        /** UUID */
        pkiSubscriberId?: string;
        status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
        /** Exactly */
        friendlyName?: string;
        /** Exactly */
        commonName?: string;
        /** Text in names or the serial number */
        search?: string;
        /** Made then or later */
        fromDate?: string;
        /** Made then or before */
        toDate?: string;
        /** Ends then or later */
        notAfterFrom?: string;
        /** Ends then or before */
        notAfterTo?: string;
        metadata?: { key: string; value?: string }[];
        /** Default: `'createdAt'` */
        sortBy?: 'createdAt' | 'notAfter' | 'notBefore' | 'commonName';
        /** Default: `'desc'` */
        sortOrder?: 'asc' | 'desc';
        /** Default: `0` */
        offset?: number;
        /** Default: `25` */
        limit?: number;
        /** UUID */
        projectId: string;
      },
      {
        certificates: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active, revoked or, where its time is over, expired */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
          /** UUID */
          projectId: string;
          pkiSubscriberId: string | null;
          profileId: string | null;
          keyAlgorithm: string;
          signatureAlgorithm: string;
          /** SHA-256, lower-case hexadecimal */
          fingerprint: string;
          /** How it came to be: issue, sign, acme, est, subscriber, import */
          source: string;
          hasPrivateKey: boolean;
          renewedFromCertificateId: string | null;
          renewedByCertificateId: string | null;
          renewBeforeDays: number | null;
          /** Why it could not be renewed by itself, where that was tried */
          renewalError: string | null;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Import a certificate.
     *
     * `POST /api/v1/cert-manager/certificates/import-certificate`
     * Needs `import` on `certificates`.
     */
    import: Mutation<
      {
        /** This or projectSlug */
        projectId?: string;
        projectSlug?: string;
        certificatePem: string;
        privateKeyPem?: string;
        /** Its issuer first, then those above */
        chainPem?: string;
        /** Default: `''` */
        friendlyName?: string;
        /** UUID */
        pkiCollectionId?: string;
      },
      {
        /** UUID */
        certificateId: string;
        certificate: string;
        certificateChain: string;
        privateKey: string | null;
        serialNumber: string;
      }
    >;
    /**
     * Read what is known of a certificate.
     *
     * `GET /api/v1/cert-manager/certificates/{id}`
     * Needs `read` on `certificates`.
     */
    get: Query<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      {
        certificate: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active, revoked or, where its time is over, expired */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
          /** UUID */
          projectId: string;
          pkiSubscriberId: string | null;
          profileId: string | null;
          keyAlgorithm: string;
          signatureAlgorithm: string;
          /** SHA-256, lower-case hexadecimal */
          fingerprint: string;
          /** How it came to be: issue, sign, acme, est, subscriber, import */
          source: string;
          hasPrivateKey: boolean;
          renewedFromCertificateId: string | null;
          renewedByCertificateId: string | null;
          renewBeforeDays: number | null;
          /** Why it could not be renewed by itself, where that was tried */
          renewalError: string | null;
          subject: {
            commonName: string | null;
            organization: string | null;
            organizationalUnit: string | null;
            country: string | null;
            state: string | null;
            locality: string | null;
            domainComponents: string[];
          };
          subjectAltNames: { type: string; value: string }[];
          fingerprints: { sha256: string; sha1: string };
          basicConstraints: { isCA: boolean; pathLength: number | null };
          caName: string | null;
          caType: string | null;
          /** The slug of its profile */
          profileName: string | null;
          latestRenewalCertificateId: string | null;
          metadata: { key: string; value: string }[];
        };
      }
    >;
    /**
     * Change the metadata and friendly name of a certificate.
     *
     * `PATCH /api/v1/cert-manager/certificates/{id}`
     * Needs `edit` on `certificates`.
     */
    update: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
        friendlyName?: string;
      },
      { metadata: { key: string; value: string }[]; friendlyName: string }
    >;
    /**
     * Read a certificate and its chain in PEM.
     *
     * `GET /api/v1/cert-manager/certificates/{id}/certificate`
     * Needs `read` on `certificates`.
     */
    body: Query<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      { certificate: string; certificateChain: string | null; serialNumber: string }
    >;
    /**
     * Read a certificate with its chain and private key in PEM.
     *
     * `GET /api/v1/cert-manager/certificates/{id}/bundle`
     * Needs `read-private-key` on `certificates`.
     */
    bundle: Query<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      {
        certificate: string;
        certificateChain: string | null;
        serialNumber: string;
        privateKey: string | null;
      }
    >;
    /**
     * Read the private key of a certificate in PEM.
     *
     * `GET /api/v1/cert-manager/certificates/{id}/private-key`
     * Needs `read-private-key` on `certificates`.
     */
    privateKey: Query<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Export a certificate with its chain and private key as PKCS #12.
     *
     * `POST /api/v1/cert-manager/certificates/{id}/pkcs12`
     * Needs `read-private-key` on `certificates`.
     */
    pkcs12: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
        /** What the bundle is encrypted under */
        password: string;
        /** The friendly name in it */
        alias?: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Read what the linter said before a certificate was signed.
     *
     * `GET /api/v1/cert-manager/certificates/{id}/lint`
     * Needs `read` on `certificates`.
     */
    lint: Query<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      {
        findings: {
          /** The rule, such as rfc5280.serial_number or template.common_name */
          rule: string;
          severity: 'error' | 'warning';
          message: string;
        }[];
      }
    >;
    /**
     * Renew a certificate.
     *
     * `POST /api/v1/cert-manager/certificates/{id}/renew`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project, or `issue-cert` on `certificate-profiles` in the project.
     */
    renew: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
        /** Default: `false` */
        removeRootsFromChain?: boolean;
        /** Whether the key is a new one, which it is where absent */
        renewalKeySource?: 'new-key' | 'existing-key';
        /** Brings a key from elsewhere */
        csr?: string;
        /** As long as the one before where absent */
        ttl?: string;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        privateKey: string | null;
      }
    >;
    /**
     * Revoke a certificate.
     *
     * Where authorities work with the certificate, they are disabled: it also takes the right to edit each of them.
     *
     * `POST /api/v1/cert-manager/certificates/{id}/revoke`
     * Needs `delete` on `certificates`.
     */
    revoke: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
        revocationReason: 'UNSPECIFIED' | 'KEY_COMPROMISE' | 'CA_COMPROMISE' | 'AFFILIATION_CHANGED' | 'SUPERSEDED' | 'CESSATION_OF_OPERATION' | 'CERTIFICATE_HOLD' | 'PRIVILEGE_WITHDRAWN' | 'A_A_COMPROMISE';
      },
      { message: string; serialNumber: string; revokedAt: string }
    >;
    /**
     * Say whether and when a certificate is renewed by itself.
     *
     * `PATCH /api/v1/cert-manager/certificates/{id}/config`
     * Needs `edit` on `certificates`.
     */
    configure: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
        renewBeforeDays?: number;
        enableAutoRenewal?: boolean;
      },
      { message: string; renewBeforeDays: number | null }
    >;
    /**
     * Delete a certificate.
     *
     * Where authorities work with the certificate, they are disabled: it also takes the right to edit each of them.
     *
     * `DELETE /api/v1/cert-manager/certificates/{id}`
     * Needs `delete` on `certificates`.
     */
    delete: Mutation<
      {
        /** Id, serial number or SHA-256 fingerprint */
        id: string;
      },
      {
        certificate: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active or revoked */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
        };
      }
    >;
  };
  certificatesV1: {
    /**
     * Issue a certificate with a new key.
     *
     * `POST /api/v1/pki/certificates/issue-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
     */
    issue: Mutation<
      {
        /** A collection that it is put into */
        pkiCollectionId?: string;
        /** Default: `''` */
        friendlyName?: string;
        /** How long it is valid, such as 90d; this or notAfter */
        ttl?: string;
        notBefore?: string;
        notAfter?: string;
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** The authority, where no template is named */
        caId?: string;
        /** The template, which says the authority */
        certificateTemplateId?: string;
        /** Of the subject */
        commonName: string;
        /**
         * Comma-separated DNS names, IP addresses, e-mail addresses and URIs
         * Default: `''`
         */
        altNames?: string;
        /** Of the key that is made; the authority's where absent */
        keyAlgorithm?: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        /** PEM of PKCS #8 */
        privateKey: string;
      }
    >;
    /**
     * Issue a certificate of an authority with a new key.
     *
     * `POST /api/v1/pki/ca/{caId}/issue-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
     */
    issueByAuthority: Mutation<
      {
        /** A collection that it is put into */
        pkiCollectionId?: string;
        /** Default: `''` */
        friendlyName?: string;
        /** How long it is valid, such as 90d; this or notAfter */
        ttl?: string;
        notBefore?: string;
        notAfter?: string;
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        caId: string;
        /** The template, which says the authority */
        certificateTemplateId?: string;
        /** Of the subject */
        commonName: string;
        /**
         * Comma-separated DNS names, IP addresses, e-mail addresses and URIs
         * Default: `''`
         */
        altNames?: string;
        /** Of the key that is made; the authority's where absent */
        keyAlgorithm?: 'RSA_2048' | 'RSA_3072' | 'RSA_4096' | 'EC_prime256v1' | 'EC_secp384r1' | 'ED25519';
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        /** PEM of PKCS #8 */
        privateKey: string;
      }
    >;
    /**
     * Issue a certificate for a request (CSR).
     *
     * `POST /api/v1/pki/certificates/sign-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
     */
    sign: Mutation<
      {
        /** A collection that it is put into */
        pkiCollectionId?: string;
        /** Default: `''` */
        friendlyName?: string;
        /** How long it is valid, such as 90d; this or notAfter */
        ttl?: string;
        notBefore?: string;
        notAfter?: string;
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** The authority, where no template is named */
        caId?: string;
        /** The template, which says the authority */
        certificateTemplateId?: string;
        /** PKCS #10 in PEM */
        csr: string;
        /** Instead of the request's */
        commonName?: string;
        /** Instead of the request's */
        altNames?: string;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
      }
    >;
    /**
     * Issue a certificate of an authority for a request (CSR).
     *
     * `POST /api/v1/pki/ca/{caId}/sign-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-templates` in the project.
     */
    signByAuthority: Mutation<
      {
        /** A collection that it is put into */
        pkiCollectionId?: string;
        /** Default: `''` */
        friendlyName?: string;
        /** How long it is valid, such as 90d; this or notAfter */
        ttl?: string;
        notBefore?: string;
        notAfter?: string;
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        caId: string;
        /** The template, which says the authority */
        certificateTemplateId?: string;
        /** PKCS #10 in PEM */
        csr: string;
        /** Instead of the request's */
        commonName?: string;
        /** Instead of the request's */
        altNames?: string;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
      }
    >;
    /**
     * List the certificates of a project by its slug.
     *
     * `GET /api/v2/workspace/{slug}/certificates`
     * Needs `read` on `certificates`.
     */
    list: Query<
      {
        /** Exactly */
        friendlyName?: string;
        /** Exactly */
        commonName?: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `25` */
        limit?: number;
        slug: string;
      },
      {
        certificates: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active or revoked */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Read a certificate.
     *
     * `GET /api/v1/pki/certificates/{serialNumber}`
     * Needs `read` on `certificates`.
     */
    get: Query<
      {
        /** UUID */
        serialNumber: string;
      },
      {
        certificate: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active or revoked */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
        };
      }
    >;
    /**
     * Read a certificate and its chain in PEM.
     *
     * `GET /api/v1/pki/certificates/{serialNumber}/certificate`
     * Needs `read` on `certificates`.
     */
    body: Query<
      {
        /** UUID */
        serialNumber: string;
      },
      { certificate: string; certificateChain: string | null; serialNumber: string }
    >;
    /**
     * Read a certificate with its chain and private key in PEM.
     *
     * `GET /api/v1/pki/certificates/{serialNumber}/bundle`
     * Needs `read-private-key` on `certificates`.
     */
    bundle: Query<
      {
        /** UUID */
        serialNumber: string;
      },
      {
        certificate: string;
        certificateChain: string | null;
        serialNumber: string;
        privateKey: string | null;
      }
    >;
    /**
     * Read the private key of a certificate in PEM.
     *
     * `GET /api/v1/pki/certificates/{serialNumber}/private-key`
     * Needs `read-private-key` on `certificates`.
     */
    privateKey: Query<
      {
        /** UUID */
        serialNumber: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Export a certificate with its chain and private key as PKCS #12.
     *
     * `POST /api/v1/pki/certificates/{serialNumber}/pkcs12`
     * Needs `read-private-key` on `certificates`.
     */
    pkcs12: Mutation<
      {
        /** What the bundle is encrypted under */
        password: string;
        /** The friendly name in it */
        alias?: string;
        /** UUID */
        serialNumber: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Revoke a certificate.
     *
     * Where authorities work with the certificate, they are disabled: it also takes the right to edit each of them.
     *
     * `POST /api/v1/pki/certificates/{serialNumber}/revoke`
     * Needs `delete` on `certificates`.
     */
    revoke: Mutation<
      {
        revocationReason: 'UNSPECIFIED' | 'KEY_COMPROMISE' | 'CA_COMPROMISE' | 'AFFILIATION_CHANGED' | 'SUPERSEDED' | 'CESSATION_OF_OPERATION' | 'CERTIFICATE_HOLD' | 'PRIVILEGE_WITHDRAWN' | 'A_A_COMPROMISE';
        /** UUID */
        serialNumber: string;
      },
      { message: string; serialNumber: string; revokedAt: string }
    >;
    /**
     * Delete a certificate.
     *
     * Where authorities work with the certificate, they are disabled: it also takes the right to edit each of them.
     *
     * `DELETE /api/v1/pki/certificates/{serialNumber}`
     * Needs `delete` on `certificates`.
     */
    delete: Mutation<
      {
        /** UUID */
        serialNumber: string;
      },
      {
        certificate: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active or revoked */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
        };
      }
    >;
  };
  certificateTemplates: {
    /**
     * List the certificate templates of a project.
     *
     * `GET /api/v1/cert-manager/certificate-templates`
     * Needs `read` on `certificate-templates`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `100` */
        limit?: number;
      },
      {
        certificateTemplates: {
          /** UUID */
          id: string;
          /** UUID */
          caId: string;
          name: string;
          /** A regular expression (RE2) that the whole common name matches */
          commonName: string;
          /** A regular expression (RE2) that each alternative name matches, whole */
          subjectAlternativeName: string;
          /** The collection that certificates are put into */
          pkiCollectionId: string | null;
          /** How long they are valid at the most */
          ttl: string;
          keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
          extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
          /** UUID */
          projectId: string;
          caName: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * List all certificate templates of a project.
     *
     * `GET /api/v2/workspace/{projectId}/certificate-templates`
     * Needs `read` on `certificate-templates`.
     */
    listV2: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        certificateTemplates: {
          /** UUID */
          id: string;
          /** UUID */
          caId: string;
          name: string;
          /** A regular expression (RE2) that the whole common name matches */
          commonName: string;
          /** A regular expression (RE2) that each alternative name matches, whole */
          subjectAlternativeName: string;
          /** The collection that certificates are put into */
          pkiCollectionId: string | null;
          /** How long they are valid at the most */
          ttl: string;
          keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
          extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
          /** UUID */
          projectId: string;
          caName: string;
        }[];
      }
    >;
    /**
     * List the certificate templates of an authority.
     *
     * `GET /api/v1/pki/ca/{caId}/certificate-templates`
     * Needs `read` on `certificate-templates`.
     */
    listOfAuthority: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        certificateTemplates: {
          /** UUID */
          id: string;
          /** UUID */
          caId: string;
          name: string;
          /** A regular expression (RE2) that the whole common name matches */
          commonName: string;
          /** A regular expression (RE2) that each alternative name matches, whole */
          subjectAlternativeName: string;
          /** The collection that certificates are put into */
          pkiCollectionId: string | null;
          /** How long they are valid at the most */
          ttl: string;
          keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
          extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a certificate template.
     *
     * `POST /api/v1/cert-manager/certificate-templates`
     * Needs `create` on `certificate-templates`.
     */
    create: Mutation<
      {
        /** UUID */
        caId: string;
        pkiCollectionId?: string | null;
        name: string;
        commonName: string;
        subjectAlternativeName: string;
        ttl: string;
        /** Default: `["digitalSignature","keyEncipherment"]` */
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        /** Default: `[]` */
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        caId: string;
        name: string;
        /** A regular expression (RE2) that the whole common name matches */
        commonName: string;
        /** A regular expression (RE2) that each alternative name matches, whole */
        subjectAlternativeName: string;
        /** The collection that certificates are put into */
        pkiCollectionId: string | null;
        /** How long they are valid at the most */
        ttl: string;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        projectId: string;
        caName: string;
      }
    >;
    /**
     * Read a certificate template.
     *
     * `GET /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`
     * Needs `read` on `certificate-templates`.
     */
    get: Query<
      {
        /** UUID */
        certificateTemplateId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        caId: string;
        name: string;
        /** A regular expression (RE2) that the whole common name matches */
        commonName: string;
        /** A regular expression (RE2) that each alternative name matches, whole */
        subjectAlternativeName: string;
        /** The collection that certificates are put into */
        pkiCollectionId: string | null;
        /** How long they are valid at the most */
        ttl: string;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        projectId: string;
        caName: string;
      }
    >;
    /**
     * Change a certificate template.
     *
     * `PATCH /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`
     * Needs `edit` on `certificate-templates`.
     */
    update: Mutation<
      {
        /** UUID */
        caId?: string;
        pkiCollectionId?: string | null;
        name?: string;
        commonName?: string;
        subjectAlternativeName?: string;
        ttl?: string;
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        certificateTemplateId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        caId: string;
        name: string;
        /** A regular expression (RE2) that the whole common name matches */
        commonName: string;
        /** A regular expression (RE2) that each alternative name matches, whole */
        subjectAlternativeName: string;
        /** The collection that certificates are put into */
        pkiCollectionId: string | null;
        /** How long they are valid at the most */
        ttl: string;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        projectId: string;
        caName: string;
      }
    >;
    /**
     * Delete a certificate template.
     *
     * `DELETE /api/v1/cert-manager/certificate-templates/{certificateTemplateId}`
     * Needs `delete` on `certificate-templates`.
     */
    delete: Mutation<
      {
        /** UUID */
        certificateTemplateId: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        caId: string;
        name: string;
        /** A regular expression (RE2) that the whole common name matches */
        commonName: string;
        /** A regular expression (RE2) that each alternative name matches, whole */
        subjectAlternativeName: string;
        /** The collection that certificates are put into */
        pkiCollectionId: string | null;
        /** How long they are valid at the most */
        ttl: string;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** UUID */
        projectId: string;
        caName: string;
      }
    >;
  };
  certificatePolicies: {
    /**
     * List the certificate policies of a project.
     *
     * `GET /api/v1/cert-manager/certificate-policies`
     * Needs `read` on `certificate-policies`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `20` */
        limit?: number;
        /** A part of the name */
        search?: string;
      },
      {
        certificatePolicies: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string | null;
          subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
          validity: { max?: string } | null;
          basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Create a certificate policy.
     *
     * `POST /api/v1/cert-manager/certificate-policies`
     * Needs `create` on `certificate-policies`.
     */
    create: Mutation<
      {
        subject?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
        sans?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
        keyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
        extendedKeyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
        algorithms?: { signature?: string[]; keyAlgorithm?: string[] } | null;
        validity?: { max?: string } | null;
        basicConstraints?: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
        /** UUID */
        projectId: string;
        name: string;
        description?: string | null;
      },
      {
        certificatePolicy: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string | null;
          subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
          validity: { max?: string } | null;
          basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a certificate policy.
     *
     * `GET /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`
     * Needs `read` on `certificate-policies`.
     */
    get: Query<
      {
        /** UUID */
        certificatePolicyId: string;
      },
      {
        certificatePolicy: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string | null;
          subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
          validity: { max?: string } | null;
          basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a certificate policy.
     *
     * `PATCH /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`
     * Needs `edit` on `certificate-policies`.
     */
    update: Mutation<
      {
        /** UUID */
        certificatePolicyId: string;
        subject?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
        sans?: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
        keyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
        extendedKeyUsages?: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
        algorithms?: { signature?: string[]; keyAlgorithm?: string[] } | null;
        validity?: { max?: string } | null;
        basicConstraints?: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
        name?: string;
        description?: string | null;
      },
      {
        certificatePolicy: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string | null;
          subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
          validity: { max?: string } | null;
          basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a certificate policy that no profile has.
     *
     * `DELETE /api/v1/cert-manager/certificate-policies/{certificatePolicyId}`
     * Needs `delete` on `certificate-policies`.
     */
    delete: Mutation<
      {
        /** UUID */
        certificatePolicyId: string;
      },
      {
        certificatePolicy: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string | null;
          subject: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          sans: { type: string; allowed?: string[]; required?: string[]; denied?: string[] }[] | null;
          keyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          extendedKeyUsages: { allowed?: string[]; required?: string[]; denied?: string[] } | null;
          algorithms: { signature?: string[]; keyAlgorithm?: string[] } | null;
          validity: { max?: string } | null;
          basicConstraints: { isCA?: 'allowed' | 'required' | 'denied'; maxPathLength?: number } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  certificateProfiles: {
    /**
     * List the certificate profiles of a project.
     *
     * `GET /api/v1/cert-manager/certificate-profiles`
     * Needs `read` on `certificate-profiles`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `20` */
        limit?: number;
        /** A part of the slug or description */
        search?: string;
        /** api, est and acme are offered */
        enrollmentType?: 'api' | 'est' | 'acme' | 'scep';
        /** ca is offered */
        issuerType?: 'ca' | 'self-signed';
        /** UUID */
        caId?: string;
      },
      {
        certificateProfiles: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Create a certificate profile.
     *
     * Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: they get all that it issues. To end enrolment takes no such right.
     *
     * `POST /api/v1/cert-manager/certificate-profiles`
     * Needs `create` on `certificate-profiles`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        caId?: string | null;
        /** UUID */
        certificatePolicyId: string;
        slug: string;
        description?: string | null;
        /** api, est and acme are offered */
        enrollmentType: 'api' | 'est' | 'acme' | 'scep';
        apiConfig?: {
          /** Default: `false` */
          autoRenew?: boolean;
          /** 7 where absent */
          renewBeforeDays?: number | null;
        } | null;
        acmeConfig?: {
          /** Default: `false` */
          skipDnsOwnershipVerification?: boolean;
          /** Default: `false` */
          skipEabBinding?: boolean;
        } | null;
        estConfig?: {
          /** Generated where absent; the answer has it once */
          passphrase?: string;
          /** PEM of those that certify clients before they enrol */
          caChain?: string;
          /**
           * Whether first enrolments need no certificate
           * Default: `false`
           */
          disableBootstrapCaValidation?: boolean;
        } | null;
        externalConfigs?: Record<string, unknown> | null;
        defaults?: {
          ttlDays?: number;
          commonName?: string;
          organization?: string;
          organizationalUnit?: string;
          /** Two letters */
          country?: string;
          state?: string;
          locality?: string;
          keyUsages?: string[];
          extendedKeyUsages?: string[];
          keyAlgorithm?: string;
          signatureAlgorithm?: string;
          basicConstraints?: { isCA?: boolean; pathLength?: number };
        } | null;
        /**
         * ca is offered
         * Default: `'ca'`
         */
        issuerType?: 'ca' | 'self-signed';
      },
      {
        certificateProfile: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a certificate profile.
     *
     * `GET /api/v1/cert-manager/certificate-profiles/{profileId}`
     * Needs `read` on `certificate-profiles`.
     */
    get: Query<
      {
        /** UUID */
        profileId: string;
      },
      {
        certificateProfile: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a certificate profile by its slug.
     *
     * `GET /api/v1/cert-manager/certificate-profiles/slug/{slug}`
     * Needs `read` on `certificate-profiles`.
     */
    getBySlug: Query<
      {
        /** UUID */
        projectId: string;
        slug: string;
      },
      {
        certificateProfile: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a certificate profile.
     *
     * Where clients enrol by EST or ACME, this also takes the right to issue by the template or profile, without an end: they get all that it issues. To end enrolment takes no such right.
     *
     * `PATCH /api/v1/cert-manager/certificate-profiles/{profileId}`
     * Needs `edit` on `certificate-profiles`.
     */
    update: Mutation<
      {
        /** UUID */
        profileId: string;
        caId?: string | null;
        /** UUID */
        certificatePolicyId?: string;
        slug?: string;
        description?: string | null;
        /** api, est and acme are offered */
        enrollmentType?: 'api' | 'est' | 'acme' | 'scep';
        apiConfig?: {
          /** Default: `false` */
          autoRenew?: boolean;
          /** 7 where absent */
          renewBeforeDays?: number | null;
        } | null;
        acmeConfig?: {
          /** Default: `false` */
          skipDnsOwnershipVerification?: boolean;
          /** Default: `false` */
          skipEabBinding?: boolean;
        } | null;
        estConfig?: {
          passphrase?: string;
          /** Generates a new passphrase, which the answer has once */
          rotatePassphrase?: boolean;
          /** PEM of those that certify clients before they enrol */
          caChain?: string;
          disableBootstrapCaValidation?: boolean;
        } | null;
        externalConfigs?: Record<string, unknown> | null;
        defaults?: {
          ttlDays?: number;
          commonName?: string;
          organization?: string;
          organizationalUnit?: string;
          /** Two letters */
          country?: string;
          state?: string;
          locality?: string;
          keyUsages?: string[];
          extendedKeyUsages?: string[];
          keyAlgorithm?: string;
          signatureAlgorithm?: string;
          basicConstraints?: { isCA?: boolean; pathLength?: number };
        } | null;
        /** ca is offered */
        issuerType?: 'ca' | 'self-signed';
      },
      {
        certificateProfile: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a certificate profile.
     *
     * `DELETE /api/v1/cert-manager/certificate-profiles/{profileId}`
     * Needs `delete` on `certificate-profiles`.
     */
    delete: Mutation<
      {
        /** UUID */
        profileId: string;
      },
      {
        certificateProfile: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          caId: string | null;
          /** UUID */
          certificatePolicyId: string;
          slug: string;
          description: string | null;
          enrollmentType: 'api' | 'est' | 'acme' | 'scep';
          issuerType: 'ca' | 'self-signed';
          apiConfig: { autoRenew: boolean; renewBeforeDays: number | null } | null;
          acmeConfig: {
            skipDnsOwnershipVerification: boolean;
            skipEabBinding: boolean;
            /** UUID */
            id: string;
            directoryUrl: string;
          } | null;
          estConfig: {
            /** UUID */
            id: string;
            disableBootstrapCaValidation: boolean;
            /** PEM */
            caChain: string | null;
            /** Once, where it was generated */
            passphrase?: string;
          } | null;
          externalConfigs: null;
          defaults: {
            ttlDays?: number;
            commonName?: string;
            organization?: string;
            organizationalUnit?: string;
            /** Two letters */
            country?: string;
            state?: string;
            locality?: string;
            keyUsages?: string[];
            extendedKeyUsages?: string[];
            keyAlgorithm?: string;
            signatureAlgorithm?: string;
            basicConstraints?: { isCA?: boolean; pathLength?: number };
          } | null;
          certificateAuthority: {
            /** UUID */
            id: string;
            name: string;
            status: string;
          } | null;
          certificatePolicy: {
            /** UUID */
            id: string;
            name: string;
          };
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List what was issued by a certificate profile.
     *
     * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/certificates`
     * Needs `read` on `certificate-profiles`.
     */
    certificates: Query<
      {
        /** UUID */
        profileId: string;
        /** Default: `0` */
        offset?: number;
        /** Text in names or the serial number */
        search?: string;
        status?: 'active' | 'revoked' | 'expired' | ('active' | 'revoked' | 'expired')[];
        /** Default: `20` */
        limit?: number;
      },
      {
        certificates: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active, revoked or, where its time is over, expired */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
          /** UUID */
          projectId: string;
          pkiSubscriberId: string | null;
          profileId: string | null;
          keyAlgorithm: string;
          signatureAlgorithm: string;
          /** SHA-256, lower-case hexadecimal */
          fingerprint: string;
          /** How it came to be: issue, sign, acme, est, subscriber, import */
          source: string;
          hasPrivateKey: boolean;
          renewedFromCertificateId: string | null;
          renewedByCertificateId: string | null;
          renewBeforeDays: number | null;
          /** Why it could not be renewed by itself, where that was tried */
          renewalError: string | null;
        }[];
      }
    >;
    /**
     * Read the newest certificate of a profile with its private key in PEM.
     *
     * `GET /api/v1/cert-manager/certificate-profiles/{profileId}/certificates/latest-active-bundle`
     * Needs `read` on `certificate-profiles` in the project, or `read-private-key` on `certificates` in the project.
     */
    latestBundle: Query<
      {
        /** UUID */
        profileId: string;
      },
      {
        certificate: string;
        certificateChain: string | null;
        serialNumber: string;
        privateKey: string | null;
      }
    >;
  };
  certificateOrders: {
    /**
     * Issue or sign a certificate by a profile.
     *
     * `POST /api/v1/cert-manager/certificates`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
     */
    order: Mutation<
      {
        /** UUID */
        profileId: string;
        /** PKCS #10 in PEM */
        csr?: string;
        attributes?: {
          commonName?: string;
          organization?: string;
          organizationalUnit?: string;
          /** Two letters */
          country?: string;
          state?: string;
          locality?: string;
          keyUsages?: string[];
          extendedKeyUsages?: string[];
          keyAlgorithm?: string;
          signatureAlgorithm?: string;
          basicConstraints?: { isCA?: boolean; pathLength?: number };
          domainComponents?: string[];
          altNames?: { type: string; value: string }[];
          /** How long it is valid, such as 90d; or notBefore and notAfter */
          ttl?: string;
          notBefore?: string;
          notAfter?: string;
          customExtensions?: unknown[];
        };
        /** Default: `false` */
        removeRootsFromChain?: boolean;
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
      },
      {
        certificate: {
          /** PEM */
          certificate: string;
          /** PEM */
          issuingCaCertificate: string;
          /** PEM */
          certificateChain: string;
          serialNumber: string;
          /** UUID */
          certificateId: string;
          /** PEM of PKCS #8 */
          privateKey: string | null;
        };
        /** UUID */
        certificateRequestId: string;
        status: 'issued';
        message: string | null;
      }
    >;
    /**
     * Issue a certificate by a profile (older form).
     *
     * `POST /api/v1/cert-manager/certificates/issue-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
     */
    issue: Mutation<
      {
        /** UUID */
        profileId: string;
        commonName?: string;
        ttl: string;
        keyUsages?: string[];
        extendedKeyUsages?: string[];
        notBefore?: string;
        notAfter?: string;
        altNames?: { type: string; value: string }[];
        signatureAlgorithm?: string;
        keyAlgorithm?: string;
        /** Default: `false` */
        removeRootsFromChain?: boolean;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        /** PEM of PKCS #8 */
        privateKey: string | null;
        /** UUID */
        certificateRequestId: string;
        status: 'issued';
      }
    >;
    /**
     * Sign a request by a profile (older form).
     *
     * `POST /api/v1/cert-manager/certificates/sign-certificate`
     * Needs `create` on `certificates` in the project, or `issue-cert` on `certificate-profiles` in the project.
     */
    sign: Mutation<
      {
        /** UUID */
        profileId: string;
        /** PKCS #10 in PEM */
        csr: string;
        ttl: string;
        notBefore?: string;
        notAfter?: string;
        /** Default: `false` */
        removeRootsFromChain?: boolean;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        /** UUID */
        certificateRequestId: string;
      }
    >;
    /**
     * Search what was asked of certificate profiles.
     *
     * `POST /api/v1/cert-manager/certificates/certificate-requests/search`
     * Needs `read` on `certificates`.
     */
    requests: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `20` */
        limit?: number;
        /** Text in the names or the serial number */
        search?: string;
        status?: 'issued' | 'pending' | 'failed' | 'cancelled';
        /** Made then or later */
        fromDate?: string;
        /** Made then or before */
        toDate?: string;
        profileIds?: string[];
        /** Default: `'createdAt'` */
        sortBy?: 'createdAt' | 'commonName';
        /** Default: `'desc'` */
        sortOrder?: 'asc' | 'desc';
        metadata?: { key: string; value?: string }[];
      },
      {
        certificateRequests: {
          /** UUID */
          id: string;
          /** issued: authorities here answer at once */
          status: 'issued' | 'pending' | 'failed' | 'cancelled';
          commonName: string;
          altNames: string | null;
          profileId: string | null;
          profileName: string | null;
          caId: string | null;
          /** UUID */
          certificateId: string;
          serialNumber: string;
          approvalRequestId: null;
          errorMessage: null;
          pendingMessage: null;
          certificate: {
            /** UUID */
            id: string;
            serialNumber: string;
            status: string;
          };
          createdAt: string;
          updatedAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Read what was asked of a certificate profile.
     *
     * `GET /api/v1/cert-manager/certificates/certificate-requests/{requestId}`
     * Needs `read` on `certificates`.
     */
    request: Query<
      {
        /** UUID */
        requestId: string;
      },
      {
        /** UUID */
        id: string;
        /** issued: authorities here answer at once */
        status: 'issued' | 'pending' | 'failed' | 'cancelled';
        commonName: string;
        altNames: string | null;
        profileId: string | null;
        profileName: string | null;
        caId: string | null;
        /** UUID */
        certificateId: string;
        serialNumber: string;
        approvalRequestId: null;
        errorMessage: null;
        pendingMessage: null;
        certificate: {
          /** UUID */
          id: string;
          serialNumber: string;
          status: string;
        };
        createdAt: string;
        updatedAt: string;
      }
    >;
    /**
     * Cancel what was asked of a certificate profile.
     *
     * `POST /api/v1/cert-manager/certificates/certificate-requests/{requestId}/cancel`
     * Needs `edit` on `certificates`.
     */
    cancel: Mutation<
      {
        /** UUID */
        requestId: string;
      },
      { status: string; cancelled: boolean; errorMessage: string | null }
    >;
  };
  certificateSubscribers: {
    /**
     * List the subscribers of a project.
     *
     * `GET /api/v1/projects/{projectId}/pki-subscribers`
     * Needs `read` on `pki-subscribers`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        subscribers: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** Absent where the authority was deleted */
          caId: string | null;
          name: string;
          commonName: string;
          status: 'active' | 'disabled';
          subjectAlternativeNames: string[];
          /** How long a certificate is valid; 90 days where absent */
          ttl: string | null;
          keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
          extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
          lastOperationStatus: 'success' | 'failed' | null;
          lastOperationMessage: string | null;
          lastOperationAt: string | null;
          enableAutoRenewal: boolean;
          /** How many days before its end a certificate is renewed */
          autoRenewalPeriodInDays: number | null;
          lastAutoRenewAt: string | null;
          properties: {
            organization?: string;
            organizationalUnit?: string;
            country?: string;
            state?: string;
            locality?: string;
            emailAddress?: string;
            azureTemplateType?: string;
          } | null;
          /** Whether it has an authority */
          supportsImmediateCertIssuance: boolean;
        }[];
      }
    >;
    /**
     * Create a subscriber.
     *
     * `POST /api/v1/pki/subscribers`
     * Needs `create` on `pki-subscribers`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** An authority of the project */
        caId: string;
        name: string;
        commonName: string;
        /** Default: `'active'` */
        status?: 'active' | 'disabled';
        /** How long a certificate is valid; 90 days where it is empty */
        ttl?: string;
        /**
         * DNS names, IP addresses, e-mail addresses and URIs
         * Default: `[]`
         */
        subjectAlternativeNames?: string[];
        /** Default: `["digitalSignature","keyEncipherment"]` */
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        /** Default: `[]` */
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        /** Default: `false` */
        enableAutoRenewal?: boolean;
        /** At the earliest, a certificate is renewed when half of its time is over */
        autoRenewalPeriodInDays?: number;
        properties?: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        };
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        /** Absent where the authority was deleted */
        caId: string | null;
        name: string;
        commonName: string;
        status: 'active' | 'disabled';
        subjectAlternativeNames: string[];
        /** How long a certificate is valid; 90 days where absent */
        ttl: string | null;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        lastOperationStatus: 'success' | 'failed' | null;
        lastOperationMessage: string | null;
        lastOperationAt: string | null;
        enableAutoRenewal: boolean;
        /** How many days before its end a certificate is renewed */
        autoRenewalPeriodInDays: number | null;
        lastAutoRenewAt: string | null;
        properties: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        } | null;
        /** Whether it has an authority */
        supportsImmediateCertIssuance: boolean;
      }
    >;
    /**
     * Read a subscriber.
     *
     * `GET /api/v1/pki/subscribers/{subscriberName}`
     * Needs `read` on `pki-subscribers`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        /** Absent where the authority was deleted */
        caId: string | null;
        name: string;
        commonName: string;
        status: 'active' | 'disabled';
        subjectAlternativeNames: string[];
        /** How long a certificate is valid; 90 days where absent */
        ttl: string | null;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        lastOperationStatus: 'success' | 'failed' | null;
        lastOperationMessage: string | null;
        lastOperationAt: string | null;
        enableAutoRenewal: boolean;
        /** How many days before its end a certificate is renewed */
        autoRenewalPeriodInDays: number | null;
        lastAutoRenewAt: string | null;
        properties: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        } | null;
        /** Whether it has an authority */
        supportsImmediateCertIssuance: boolean;
      }
    >;
    /**
     * Change a subscriber.
     *
     * `PATCH /api/v1/pki/subscribers/{subscriberName}`
     * Needs `edit` on `pki-subscribers`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
        /** An authority of the project */
        caId?: string;
        name?: string;
        commonName?: string;
        status?: 'active' | 'disabled';
        /** How long a certificate is valid; 90 days where it is empty */
        ttl?: string;
        /** DNS names, IP addresses, e-mail addresses and URIs */
        subjectAlternativeNames?: string[];
        keyUsages?: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages?: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        enableAutoRenewal?: boolean;
        /** At the earliest, a certificate is renewed when half of its time is over */
        autoRenewalPeriodInDays?: number;
        properties?: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        };
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        /** Absent where the authority was deleted */
        caId: string | null;
        name: string;
        commonName: string;
        status: 'active' | 'disabled';
        subjectAlternativeNames: string[];
        /** How long a certificate is valid; 90 days where absent */
        ttl: string | null;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        lastOperationStatus: 'success' | 'failed' | null;
        lastOperationMessage: string | null;
        lastOperationAt: string | null;
        enableAutoRenewal: boolean;
        /** How many days before its end a certificate is renewed */
        autoRenewalPeriodInDays: number | null;
        lastAutoRenewAt: string | null;
        properties: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        } | null;
        /** Whether it has an authority */
        supportsImmediateCertIssuance: boolean;
      }
    >;
    /**
     * Delete a subscriber; what was issued to it stays valid.
     *
     * `DELETE /api/v1/pki/subscribers/{subscriberName}`
     * Needs `delete` on `pki-subscribers`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
      },
      {
        /** UUID */
        id: string;
        /** UUID */
        projectId: string;
        /** Absent where the authority was deleted */
        caId: string | null;
        name: string;
        commonName: string;
        status: 'active' | 'disabled';
        subjectAlternativeNames: string[];
        /** How long a certificate is valid; 90 days where absent */
        ttl: string | null;
        keyUsages: ('digitalSignature' | 'nonRepudiation' | 'keyEncipherment' | 'dataEncipherment' | 'keyAgreement' | 'keyCertSign' | 'cRLSign' | 'encipherOnly' | 'decipherOnly')[];
        extendedKeyUsages: ('serverAuth' | 'clientAuth' | 'codeSigning' | 'emailProtection' | 'timeStamping' | 'ocspSigning')[];
        lastOperationStatus: 'success' | 'failed' | null;
        lastOperationMessage: string | null;
        lastOperationAt: string | null;
        enableAutoRenewal: boolean;
        /** How many days before its end a certificate is renewed */
        autoRenewalPeriodInDays: number | null;
        lastAutoRenewAt: string | null;
        properties: {
          organization?: string;
          organizationalUnit?: string;
          country?: string;
          state?: string;
          locality?: string;
          emailAddress?: string;
          azureTemplateType?: string;
        } | null;
        /** Whether it has an authority */
        supportsImmediateCertIssuance: boolean;
      }
    >;
    /**
     * Issue a certificate to a subscriber, to be read later.
     *
     * `POST /api/v1/pki/subscribers/{subscriberName}/order-certificate`
     * Needs `issue-cert` on `pki-subscribers`.
     */
    order: Mutation<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
      },
      { message: string }
    >;
    /**
     * Issue a certificate to a subscriber, with a new key.
     *
     * `POST /api/v1/pki/subscribers/{subscriberName}/issue-certificate`
     * Needs `issue-cert` on `pki-subscribers`.
     */
    issue: Mutation<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
        /** PEM of PKCS #8 */
        privateKey: string;
      }
    >;
    /**
     * Issue a certificate to a subscriber for the key of a request.
     *
     * `POST /api/v1/pki/subscribers/{subscriberName}/sign-certificate`
     * Needs `issue-cert` on `pki-subscribers`.
     */
    sign: Mutation<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
        /** PKCS #10 in PEM */
        csr: string;
      },
      {
        /** PEM */
        certificate: string;
        /** PEM */
        issuingCaCertificate: string;
        /** PEM */
        certificateChain: string;
        serialNumber: string;
        /** UUID */
        certificateId: string;
      }
    >;
    /**
     * Read the newest certificate of a subscriber with its private key in PEM.
     *
     * `GET /api/v1/pki/subscribers/{subscriberName}/latest-certificate-bundle`
     * Needs `list-certs` on `pki-subscribers` in the project, or `read-private-key` on `certificates` in the project.
     */
    latestBundle: Query<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
      },
      {
        certificate: string;
        certificateChain: string | null;
        serialNumber: string;
        privateKey: string | null;
      }
    >;
    /**
     * List what was issued to a subscriber.
     *
     * `GET /api/v1/pki/subscribers/{subscriberName}/certificates`
     * Needs `list-certs` on `pki-subscribers`.
     */
    certificates: Query<
      {
        /** UUID */
        projectId: string;
        subscriberName: string;
        /** Default: `0` */
        offset?: number;
        /** Default: `25` */
        limit?: number;
      },
      {
        certificates: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** Absent where it was imported */
          caId: string | null;
          caCertId: string | null;
          certificateTemplateId: string | null;
          /** active, revoked or, where its time is over, expired */
          status: string;
          /** Lower-case hexadecimal */
          serialNumber: string;
          friendlyName: string;
          commonName: string;
          /** Comma-separated */
          altNames: string | null;
          notBefore: string;
          notAfter: string;
          revokedAt: string | null;
          /** The number of RFC 5280, section 5.3.1 */
          revocationReason: number | null;
          keyUsages: string[] | null;
          extendedKeyUsages: string[] | null;
          /** UUID */
          projectId: string;
          pkiSubscriberId: string | null;
          profileId: string | null;
          keyAlgorithm: string;
          signatureAlgorithm: string;
          /** SHA-256, lower-case hexadecimal */
          fingerprint: string;
          /** How it came to be: issue, sign, acme, est, subscriber, import */
          source: string;
          hasPrivateKey: boolean;
          renewedFromCertificateId: string | null;
          renewedByCertificateId: string | null;
          renewBeforeDays: number | null;
          /** Why it could not be renewed by itself, where that was tried */
          renewalError: string | null;
        }[];
        totalCount: number;
      }
    >;
  };
  dynamicSecrets: {
    /**
     * List the dynamic secrets of a folder.
     *
     * `GET /api/v1/dynamic-secrets`
     * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
     */
    list: Query<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
      },
      {
        dynamicSecrets: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Create a dynamic secret; its credential is tried.
     *
     * `POST /api/v1/dynamic-secrets`
     * Needs `create-root-credential` on `dynamic-secrets`.
     */
    create: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        name: string;
        provider: {
          type: 'sql-database';
          inputs: {
            client: 'postgres' | 'mysql2';
            host: string;
            port: number;
            database: string;
            /** Who makes the logins */
            username: string;
            password: string;
            passwordRequirements?: {
              length: number;
              /** How many of each at the least */
              required: {
                /** Default: `0` */
                lowercase?: number;
                /** Default: `0` */
                uppercase?: number;
                /** Default: `0` */
                digits?: number;
                /** Default: `0` */
                symbols?: number;
              };
              /** -_.~!* where absent */
              allowedSymbols?: string;
            } | null;
            /** With {{username}}, {{password}}, {{expiration}} and {{database}} */
            creationStatement: string;
            /** With {{username}} and {{database}} */
            revocationStatement: string;
            /** With {{username}}, {{expiration}} and {{database}} */
            renewStatement?: string | null;
            /** PEM of the root that the server is trusted by; there is no connection without TLS then */
            ca?: string | null;
            /** Only null is offered */
            gatewayId?: null;
          };
        } | {
          type: 'aws-iam';
          inputs: {
            /** Default: `'access-key'` */
            method?: 'access-key';
            /** Only iam-user is offered */
            credentialType?: 'iam-user';
            accessKey: string;
            secretAccessKey: string;
            /** Of the token service; users are the same in all regions */
            region: string;
            /** Of the users */
            awsPath?: string | null;
            permissionBoundaryPolicyArn?: string | null;
            /** JSON; a policy of their own */
            policyDocument?: string | null;
            userGroups?: string | null;
            policyArns?: string | null;
            tags?: { key: string; value: string }[];
          } | {
            method: 'assume-role';
            /** Only iam-user is offered */
            credentialType?: 'iam-user';
            accessKey: string;
            secretAccessKey: string;
            /** Of the token service; users are the same in all regions */
            region: string;
            /** Of the users */
            awsPath?: string | null;
            permissionBoundaryPolicyArn?: string | null;
            /** JSON; a policy of their own */
            policyDocument?: string | null;
            userGroups?: string | null;
            policyArns?: string | null;
            tags?: { key: string; value: string }[];
            roleArn: string;
            /** That the role demands */
            externalId?: string | null;
          };
        } | {
          type: 'redis';
          inputs: {
            host: string;
            port: number;
            /** Who makes the users; empty or default: the one without a name */
            username: string;
            password?: string | null;
            /** With {{username}}, {{password}} and {{expiration}} */
            creationStatement: string;
            /** With {{username}} */
            revocationStatement: string;
            /** With {{username}} and {{expiration}} */
            renewStatement?: string | null;
            /** PEM of the root that the server is trusted by; without it there is no TLS */
            ca?: string | null;
          };
        } | {
          type: 'mongo-db';
          inputs: {
            host: string;
            /** 27017 where absent */
            port?: number;
            /** Who makes the users: a user of the database admin */
            username: string;
            password: string;
            /** Where the users are made */
            database: string;
            /** PEM of the root that the server is trusted by; without it there is no TLS */
            ca?: string | null;
            /** Of that database, or those that every database has, such as readWrite */
            roles: string[];
          };
        } | {
          type: 'rabbit-mq';
          inputs: {
            /** Of the management plugin; https:// where neither https:// nor http:// is said */
            host: string;
            /** Of the management plugin, such as 15672 or 15671 */
            port: number;
            /**
             * Of the users, such as monitoring; none are needed for messages
             * Default: `[]`
             */
            tags?: string[];
            /** Who makes the users; needs the tag administrator */
            username: string;
            password: string;
            /** PEM of the root that the server is trusted by; there is no plain HTTP then */
            ca?: string | null;
            virtualHost: {
              name: string;
              permissions: {
                /** A regular expression of names; empty: none */
                read: string;
                /** A regular expression of names; empty: none */
                write: string;
                /** A regular expression of names; empty: none */
                configure: string;
              };
            };
          };
        } | {
          type: 'ldap';
          inputs: {
            /** Default: `'dynamic'` */
            credentialType?: 'dynamic';
            url: string;
            /** Who makes the entries */
            binddn: string;
            bindpass: string;
            /** PEM of the only root to trust; with it, ldap:// goes on in TLS (StartTLS) */
            ca?: string | null;
            /** With {{username}}, {{password}} and {{EncodedPassword}} */
            creationLdif: string;
            /** The same; the password is another one then, which nobody knows */
            revocationLdif: string;
            /** The same; for a creationLdif that fails on the way */
            rollbackLdif?: string | null;
          } | {
            credentialType: 'static';
            url: string;
            /** Who makes the entries */
            binddn: string;
            bindpass: string;
            /** PEM of the only root to trust; with it, ldap:// goes on in TLS (StartTLS) */
            ca?: string | null;
            /** With {{password}} and {{EncodedPassword}}: gives one entry another password */
            rotationLdif: string;
          };
        } | {
          type: 'totp';
          inputs: {
            configType: 'url';
            /** otpauth://totp/…, as a QR code holds it */
            url: string;
          } | {
            configType: 'manual';
            secret: string;
            /** Seconds; 30 where absent */
            period?: number;
            /** sha1 where absent */
            algorithm?: 'sha1' | 'sha256' | 'sha512';
            /** 6 where absent */
            digits?: number;
          };
        } | {
          type: 'kubernetes';
          inputs: {
            credentialType: 'static';
            /** The API server of the cluster */
            url: string;
            /** What the API server is asked with */
            clusterToken: string;
            /** PEM of the root that the API server is trusted by */
            ca?: string | null;
            /**
             * Says nothing here: certificates are always checked
             * Default: `false`
             */
            sslEnabled?: boolean;
            /** Only null is offered */
            gatewayId?: null;
            /** Default: `'api'` */
            authMethod?: 'api';
            /**
             * Whom the tokens are meant for; none: the API server
             * Default: `[]`
             */
            audiences?: string[];
            namespace: string;
            serviceAccountName: string;
          } | {
            credentialType: 'dynamic';
            /** The API server of the cluster */
            url: string;
            /** What the API server is asked with */
            clusterToken: string;
            /** PEM of the root that the API server is trusted by */
            ca?: string | null;
            /**
             * Says nothing here: certificates are always checked
             * Default: `false`
             */
            sslEnabled?: boolean;
            /** Only null is offered */
            gatewayId?: null;
            /** Default: `'api'` */
            authMethod?: 'api';
            /**
             * Whom the tokens are meant for; none: the API server
             * Default: `[]`
             */
            audiences?: string[];
            /** Comma list: where accounts may be made; a lease says where, or it is the first */
            namespace: string;
            /** cluster-role: in all namespaces; role: in that of the account */
            roleType: 'cluster-role' | 'role';
            role: string;
          };
        };
        defaultTTL: string;
        maxTTL?: string | null;
        /** With {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}; the first where absent */
        usernameTemplate?: string | null;
        /** Default: `[]` */
        metadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
        }[];
      },
      {
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a dynamic secret, without its credentials.
     *
     * `GET /api/v1/dynamic-secrets/{name}`
     * Needs `read-root-credential` on `dynamic-secrets` in the project, or `lease` on `dynamic-secrets` in the project.
     */
    get: Query<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        name: string;
      },
      {
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
          /** What its provider is told, without credentials; null for those who may not read it */
          inputs: Record<string, unknown> | null;
        };
      }
    >;
    /**
     * Change a dynamic secret; what is not named stays.
     *
     * `PATCH /api/v1/dynamic-secrets/{name}`
     * Needs `edit-root-credential` on `dynamic-secrets`.
     */
    update: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        name: string;
        data: {
          /** Those that change; a credential is given again where it would be sent elsewhere */
          inputs?: Record<string, unknown>;
          defaultTTL?: string;
          maxTTL?: string | null;
          newName?: string;
          /** With {{randomUsername}}, {{random 12}}, {{unixTimestamp}} and {{identity.name}}; the first where absent */
          usernameTemplate?: string | null;
          metadata?: {
            key: string;
            /** Default: `''` */
            value?: string;
          }[];
        };
      },
      {
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a dynamic secret, once its leases are revoked.
     *
     * `DELETE /api/v1/dynamic-secrets/{name}`
     * Needs `delete-root-credential` on `dynamic-secrets`.
     */
    delete: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        name: string;
        /**
         * Frees its name at once; it waits for its leases under another one. Forced again after that failed, it is given up with its leases
         * Default: `false`
         */
        isForced?: boolean;
      },
      {
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * List the leases of a dynamic secret.
     *
     * `GET /api/v1/dynamic-secrets/{name}/leases`
     * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
     */
    leases: Query<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        name: string;
      },
      {
        leases: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
  };
  dynamicSecretLeases: {
    /**
     * Get a credential from a dynamic secret.
     *
     * `POST /api/v1/dynamic-secrets/leases`
     * Needs `lease` on `dynamic-secrets`.
     */
    create: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        dynamicSecretName: string;
        /** How long it lives; the defaultTTL of the dynamic secret where absent */
        ttl?: string;
        /** What its provider wants to know of a single lease */
        config?: Record<string, unknown>;
      },
      {
        lease: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
        };
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        };
        /** The credential, such as DB_USERNAME and DB_PASSWORD */
        data: Record<string, unknown>;
      }
    >;
    /**
     * Get a token from a dynamic secret of Kubernetes.
     *
     * `POST /api/v1/dynamic-secrets/leases/kubernetes`
     * Needs `lease` on `dynamic-secrets`.
     */
    createKubernetes: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        dynamicSecretName: string;
        /** How long it lives; the defaultTTL of the dynamic secret where absent */
        ttl?: string;
        config?: { namespace?: string };
      },
      {
        lease: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
        };
        dynamicSecret: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          /** Its provider */
          type: string;
          /** How long a lease lives of which nobody says it */
          defaultTTL: string;
          /** How long a lease lives with all its renewals; null: as long as it is renewed */
          maxTTL: string | null;
          /** UUID */
          folderId: string;
          /** null, Deleting or Failed to delete */
          status: string | null;
          statusDetails: string | null;
          usernameTemplate: string | null;
          /** There are no gateways here */
          projectGatewayId: null;
          metadata: { key: string; value: string }[];
          createdAt: string;
          updatedAt: string;
        };
        /** The credential, such as DB_USERNAME and DB_PASSWORD */
        data: Record<string, unknown>;
      }
    >;
    /**
     * Read a lease.
     *
     * `GET /api/v1/dynamic-secrets/leases/{leaseId}`
     * Needs `lease` on `dynamic-secrets` in the project, or `read-root-credential` on `dynamic-secrets` in the project.
     */
    get: Query<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        leaseId: string;
      },
      {
        lease: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
          dynamicSecret: {
            /** UUID */
            id: string;
            name: string;
            version: number;
            /** Its provider */
            type: string;
            /** How long a lease lives of which nobody says it */
            defaultTTL: string;
            /** How long a lease lives with all its renewals; null: as long as it is renewed */
            maxTTL: string | null;
            /** UUID */
            folderId: string;
            /** null, Deleting or Failed to delete */
            status: string | null;
            statusDetails: string | null;
            usernameTemplate: string | null;
            /** There are no gateways here */
            projectGatewayId: null;
            metadata: { key: string; value: string }[];
            createdAt: string;
            updatedAt: string;
          };
        };
      }
    >;
    /**
     * Let a lease live longer.
     *
     * `POST /api/v1/dynamic-secrets/leases/{leaseId}/renew`
     * Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
     */
    renew: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        leaseId: string;
        /** How much longer it lives; the defaultTTL of the dynamic secret where absent */
        ttl?: string;
      },
      {
        lease: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Revoke a lease.
     *
     * `DELETE /api/v1/dynamic-secrets/leases/{leaseId}`
     * Needs `lease` on `dynamic-secrets` in the project, or `edit-root-credential` on `dynamic-secrets` in the project.
     */
    revoke: Mutation<
      {
        projectSlug: string;
        /** The slug of an environment */
        environmentSlug: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        leaseId: string;
        /**
         * Ends it for its holder even where the other system does not let the login go, which is then retried; takes edit-root-credential
         * Default: `false`
         */
        isForced?: boolean;
      },
      {
        lease: {
          /** UUID */
          id: string;
          version: number;
          /** What it is in the other system, such as the name of a login */
          externalEntityId: string;
          expireAt: string;
          /** null, or Failed to delete: it is tried again */
          status: string | null;
          /** What the other system said */
          statusDetails: string | null;
          /** UUID */
          dynamicSecretId: string;
          /** Who asked for it: its owner; null for leases of earlier releases */
          createdBy: {
            /** user or identity */
            type: string;
            /** UUID */
            id: string;
          } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  folders: {
    /**
     * List the folders in a folder.
     *
     * `GET /api/v2/folders`
     * Needs `read` on `secret-folders`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** The older name of path */
        directory?: string;
        /**
         * Also what lies deeper
         * Default: `false`
         */
        recursive?: boolean;
        /** Only folders in which a secret was written or deleted since */
        lastSecretModified?: string;
      },
      {
        folders: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
          /** Below the folder that was listed; where recursive */
          relativePath?: string;
        }[];
      }
    >;
    /**
     * Read a folder.
     *
     * `GET /api/v2/folders/{folderId}`
     * Needs `read` on `secret-folders`.
     */
    get: Query<
      {
        /** UUID */
        folderId: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
          environment: {
            /** UUID */
            envId: string;
            envName: string;
            envSlug: string;
          };
          path: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Read a folder by its path.
     *
     * The path is one segment, with its slashes as %2F
     *
     * `GET /api/v2/folders/{projectId}/{environment}/{path}`
     * Needs `read` on `secret-folders`.
     */
    getAt: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
          environment: {
            /** UUID */
            envId: string;
            envName: string;
            envSlug: string;
          };
          path: string;
          /** UUID */
          projectId: string;
        };
      }
    >;
    /**
     * Create a folder, and those above it that are missing.
     *
     * `POST /api/v2/folders`
     * Needs `create` on `secret-folders`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        name: string;
        description?: string | null;
        /** The older name of path */
        directory?: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      }
    >;
    /**
     * Rename or describe a folder.
     *
     * `PATCH /api/v2/folders/{folderId}`
     * Needs `edit` on `secret-folders`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** UUID */
        folderId: string;
        name: string;
        description?: string | null;
        /** The older name of path */
        directory?: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Rename or describe some folders: all or none.
     *
     * `PATCH /api/v2/folders/batch`
     * Needs `edit` on `secret-folders`.
     */
    updateMany: Mutation<
      {
        projectSlug: string;
        folders: {
          /** The slug of an environment */
          environment: string;
          /** The path of a folder, such as /app/config */
          path?: string;
          name: string;
          description?: string | null;
          /** UUID */
          id: string;
        }[];
      },
      {
        folders: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete a folder with everything below it.
     *
     * `DELETE /api/v2/folders/{folderId}`
     * Needs `delete` on `secret-folders`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** The id of the folder, or its name at the path */
        folderId: string;
        /** The older name of path */
        directory?: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
  };
  foldersV1: {
    /**
     * List the folders in a folder.
     *
     * `GET /api/v1/folders`
     * Needs `read` on `secret-folders`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** The older name of path */
        directory?: string;
        /**
         * Also what lies deeper
         * Default: `false`
         */
        recursive?: boolean;
        /** Only folders in which a secret was written or deleted since */
        lastSecretModified?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        folders: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
          /** Below the folder that was listed; where recursive */
          relativePath?: string;
        }[];
      }
    >;
    /**
     * Create a folder, and those above it that are missing.
     *
     * `POST /api/v1/folders`
     * Needs `create` on `secret-folders`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    create: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        name: string;
        description?: string | null;
        /** The older name of path */
        directory?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      }
    >;
    /**
     * Rename or describe a folder.
     *
     * `PATCH /api/v1/folders/{folderId}`
     * Needs `edit` on `secret-folders`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** UUID */
        folderId: string;
        name: string;
        description?: string | null;
        /** The older name of path */
        directory?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete a folder with everything below it.
     *
     * `DELETE /api/v1/folders/{folderId}`
     * Needs `delete` on `secret-folders`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        path?: string;
        /** The id of the folder, or its name at the path */
        folderId: string;
        /** The older name of path */
        directory?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        folder: {
          /** UUID */
          id: string;
          name: string;
          version: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          envId: string;
          /** null for the root folder of an environment */
          parentId: string | null;
          isReserved: boolean;
          description: string | null;
          /** When a secret in it was last written or deleted */
          lastSecretModified: string | null;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * List the folders of every environment of a project.
     *
     * `GET /api/v1/workspace/{workspaceId}/environment-folder-tree`
     * Needs `read` on `secret-folders`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    environmentTree: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      Record<string, {
        /** UUID */
        id: string;
        name: string;
        slug: string;
        folders: {
          /** UUID */
          id: string;
          name: string;
          path: string;
          parentId: string | null;
          /** UUID */
          envId: string;
        }[];
      }>
    >;
  };
  secrets: {
    /**
     * List the secrets of a folder.
     *
     * `GET /api/v4/secrets`
     * Needs `describeSecret` on `secrets`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** Default: `false` */
        expandSecretReferences?: boolean;
        /** Default: `false` */
        recursive?: boolean;
        /** Default: `false` */
        includeImports?: boolean;
        /**
         * Adds the personal values of the caller over secrets that the caller may describe
         * Default: `false`
         */
        includePersonalOverrides?: boolean;
        /** Slugs joined by commas: secrets with any of them */
        tagSlugs?: string;
        /** key=a,value=b; several joined by | */
        metadataFilter?: string;
        /** The same as includeImports */
        include_imports?: boolean;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
        /** Only where asked for; in the order of the imports, the last one wins */
        imports?: {
          secretPath: string;
          environment: string;
          folderId: string | null;
          secrets: {
            /** UUID */
            id: string;
            /** The environment's slug */
            environment: string;
            secretPath: string;
            version: number;
            type: string;
            secretKey: string;
            secretValue: string;
            secretValueHidden: boolean;
            /** Only where references were to be resolved and some could not be */
            secretReferenceErrors?: {
              /** As it is written in the value, such as ${prod.KEY} */
              reference: string;
              message: string;
              /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
              code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
              /** Of the secret whose value contains it */
              environment: string;
              secretPath: string;
              secretKey: string;
            }[];
            secretComment: string;
            secretReminderNote: string | null;
            secretReminderRepeatDays: number | null;
            secretReminderRecipients: string[] | null;
            skipMultilineEncoding: boolean | null;
            metadata: Record<string, string> | null;
            secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
            tags: {
              /** UUID */
              id: string;
              slug: string;
              name: string;
              color: string | null;
            }[];
            actor: {
              actorId: string | null;
              actorType: string | null;
              name: string | null;
              /** Of the actor in the project, or of the group by which it was there */
              membershipId: string | null;
              /** The group by which the actor was in the project, if by one alone */
              groupId: string | null;
            } | null;
            isRotatedSecret: boolean;
            rotationId: string | null;
            createdAt: string;
            updatedAt: string;
            /** The same as id */
            _id: string;
            /** The project's id */
            workspace: string;
          }[];
        }[];
      }
    >;
    /**
     * Read a secret, or an older version of it.
     *
     * `GET /api/v4/secrets/{secretName}`
     * Needs `describeSecret` on `secrets`.
     */
    get: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        version?: number;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** Default: `false` */
        expandSecretReferences?: boolean;
        /** Default: `false` */
        includeImports?: boolean;
        /** The same as includeImports */
        include_imports?: boolean;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      }
    >;
    /**
     * Read a secret by its id.
     *
     * `GET /api/v4/secrets/id/{secretId}`
     * Needs `describeSecret` on `secrets`.
     */
    getById: Query<
      {
        /** UUID */
        secretId: string;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** Default: `false` */
        expandSecretReferences?: boolean;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      }
    >;
    /**
     * Create a secret.
     *
     * `POST /api/v4/secrets/{secretName}`
     * Needs `create` on `secrets`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        secretValue: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        secretComment?: string;
        skipMultilineEncoding?: boolean | null;
        /** The older form of secretMetadata */
        metadata?: Record<string, string>;
        secretMetadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
          /**
           * Stored sealed, like the value
           * Default: `false`
           */
          isEncrypted?: boolean;
        }[];
        tagIds?: string[];
        secretReminderNote?: string | null;
        secretReminderRepeatDays?: number | null;
        secretReminderRecipients?: string[];
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change or rename a secret.
     *
     * What is not named stays as it is. References follow a renaming.
     *
     * `PATCH /api/v4/secrets/{secretName}`
     * Needs `edit` on `secrets`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        secretValue?: string;
        newSecretName?: string;
        secretComment?: string;
        skipMultilineEncoding?: boolean | null;
        /** The older form of secretMetadata */
        metadata?: Record<string, string>;
        secretMetadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
          /**
           * Stored sealed, like the value
           * Default: `false`
           */
          isEncrypted?: boolean;
        }[];
        tagIds?: string[];
        secretReminderNote?: string | null;
        secretReminderRepeatDays?: number | null;
        secretReminderRecipients?: string[];
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete a secret.
     *
     * `DELETE /api/v4/secrets/{secretName}`
     * Needs `delete` on `secrets`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Create secrets.
     *
     * All of them or none.
     *
     * `POST /api/v4/secrets/batch`
     * Needs `create` on `secrets`.
     */
    createMany: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secrets: {
          secretKey: string;
          secretValue: string;
          secretComment?: string;
          skipMultilineEncoding?: boolean | null;
          /** The older form of secretMetadata */
          metadata?: Record<string, string>;
          secretMetadata?: {
            key: string;
            /** Default: `''` */
            value?: string;
            /**
             * Stored sealed, like the value
             * Default: `false`
             */
            isEncrypted?: boolean;
          }[];
          tagIds?: string[];
          secretReminderNote?: string | null;
          secretReminderRepeatDays?: number | null;
          secretReminderRecipients?: string[];
        }[];
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change secrets.
     *
     * All of them or none.
     *
     * `PATCH /api/v4/secrets/batch`
     * Needs `edit` on `secrets`.
     */
    updateMany: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /**
         * What happens to keys that are not there
         * Default: `'failOnNotFound'`
         */
        mode?: 'failOnNotFound' | 'ignore' | 'upsert';
        secrets: {
          secretKey: string;
          secretValue?: string;
          /** Where this one lies, if not where the others do */
          secretPath?: string;
          newSecretName?: string;
          secretComment?: string;
          skipMultilineEncoding?: boolean | null;
          /** The older form of secretMetadata */
          metadata?: Record<string, string>;
          secretMetadata?: {
            key: string;
            /** Default: `''` */
            value?: string;
            /**
             * Stored sealed, like the value
             * Default: `false`
             */
            isEncrypted?: boolean;
          }[];
          tagIds?: string[];
          secretReminderNote?: string | null;
          secretReminderRepeatDays?: number | null;
          secretReminderRecipients?: string[];
        }[];
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete secrets.
     *
     * All of them or none.
     *
     * `DELETE /api/v4/secrets/batch`
     * Needs `delete` on `secrets`.
     */
    deleteMany: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secrets: {
          secretKey: string;
          /** Default: `'shared'` */
          type?: 'shared' | 'personal';
        }[];
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Move secrets to another folder.
     *
     * References follow.
     *
     * `POST /api/v4/secrets/move`
     * Needs `delete` on `secrets`.
     */
    move: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        sourceEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        sourceSecretPath?: string;
        /** The slug of an environment */
        destinationEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        destinationSecretPath?: string;
        secretIds: string[];
        /** Default: `false` */
        shouldOverwrite?: boolean;
      },
      {
        isSourceUpdated: boolean;
        isDestinationUpdated: boolean;
        /** Where a change policy covers the source or the destination */
        approval?: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Copy secrets to another folder.
     *
     * `POST /api/v4/secrets/duplicate`
     * Needs `create` on `secrets`.
     */
    duplicate: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        sourceEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        sourceSecretPath?: string;
        /** The slug of an environment */
        destinationEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        destinationSecretPath?: string;
        secretIds: string[];
        /** Default: `false` */
        shouldOverwrite?: boolean;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * List the versions of a secret, newest first.
     *
     * `GET /api/v1/secret/{secretId}/secret-versions`
     * Needs `describeSecret` on `secrets`.
     */
    versions: Query<
      {
        /** UUID */
        secretId: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        secretVersions: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
          /** UUID */
          secretId: string;
        }[];
      }
    >;
    /**
     * Show what a value is made of, hop by hop.
     *
     * `GET /api/v4/secrets/{secretName}/secret-reference-tree`
     * Needs `describeSecret` on `secrets`.
     */
    trace: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
      },
      { tree: SecretsTraceOutputPart; value: string }
    >;
    /**
     * Show which secrets refer to this one.
     *
     * `GET /api/v4/secrets/{secretName}/reference-dependency-tree`
     * Needs `describeSecret` on `secrets`.
     */
    dependents: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
      },
      { tree: SecretsDependentsOutputPart }
    >;
  };
  secretsV3: {
    /**
     * List the secrets of a folder.
     *
     * `GET /api/v3/secrets/raw`
     * Needs `describeSecret` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    list: Query<
      {
        /** The slug of an environment; a service token for one folder need not name it */
        environment?: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** Default: `false` */
        expandSecretReferences?: boolean;
        /** Default: `false` */
        recursive?: boolean;
        /** Default: `false` */
        includeImports?: boolean;
        /** Slugs joined by commas: secrets with any of them */
        tagSlugs?: string;
        /** key=a,value=b; several joined by | */
        metadataFilter?: string;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
        include_imports?: boolean;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
        /** Only where asked for; in the order of the imports, the last one wins */
        imports?: {
          secretPath: string;
          environment: string;
          folderId: string | null;
          secrets: {
            /** UUID */
            id: string;
            /** The environment's slug */
            environment: string;
            secretPath: string;
            version: number;
            type: string;
            secretKey: string;
            secretValue: string;
            secretValueHidden: boolean;
            /** Only where references were to be resolved and some could not be */
            secretReferenceErrors?: {
              /** As it is written in the value, such as ${prod.KEY} */
              reference: string;
              message: string;
              /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
              code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
              /** Of the secret whose value contains it */
              environment: string;
              secretPath: string;
              secretKey: string;
            }[];
            secretComment: string;
            secretReminderNote: string | null;
            secretReminderRepeatDays: number | null;
            secretReminderRecipients: string[] | null;
            skipMultilineEncoding: boolean | null;
            metadata: Record<string, string> | null;
            secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
            tags: {
              /** UUID */
              id: string;
              slug: string;
              name: string;
              color: string | null;
            }[];
            actor: {
              actorId: string | null;
              actorType: string | null;
              name: string | null;
              /** Of the actor in the project, or of the group by which it was there */
              membershipId: string | null;
              /** The group by which the actor was in the project, if by one alone */
              groupId: string | null;
            } | null;
            isRotatedSecret: boolean;
            rotationId: string | null;
            createdAt: string;
            updatedAt: string;
            /** The same as id */
            _id: string;
            /** The project's id */
            workspace: string;
          }[];
        }[];
      }
    >;
    /**
     * Read a secret, or an older version of it.
     *
     * `GET /api/v3/secrets/raw/{secretName}`
     * Needs `describeSecret` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    get: Query<
      {
        /** The slug of an environment; a service token for one folder need not name it */
        environment?: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        version?: number;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** Default: `false` */
        expandSecretReferences?: boolean;
        /** Default: `false` */
        includeImports?: boolean;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
        include_imports?: boolean;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      }
    >;
    /**
     * Create a secret.
     *
     * `POST /api/v3/secrets/raw/{secretName}`
     * Needs `create` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    create: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        secretValue: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        secretComment?: string;
        skipMultilineEncoding?: boolean | null;
        /** The older form of secretMetadata */
        metadata?: Record<string, string>;
        secretMetadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
          /**
           * Stored sealed, like the value
           * Default: `false`
           */
          isEncrypted?: boolean;
        }[];
        tagIds?: string[];
        secretReminderNote?: string | null;
        secretReminderRepeatDays?: number | null;
        secretReminderRecipients?: string[];
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change or rename a secret.
     *
     * `PATCH /api/v3/secrets/raw/{secretName}`
     * Needs `edit` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    update: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        secretValue?: string;
        newSecretName?: string;
        secretComment?: string;
        skipMultilineEncoding?: boolean | null;
        /** The older form of secretMetadata */
        metadata?: Record<string, string>;
        secretMetadata?: {
          key: string;
          /** Default: `''` */
          value?: string;
          /**
           * Stored sealed, like the value
           * Default: `false`
           */
          isEncrypted?: boolean;
        }[];
        tagIds?: string[];
        secretReminderNote?: string | null;
        secretReminderRepeatDays?: number | null;
        secretReminderRecipients?: string[];
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete a secret.
     *
     * `DELETE /api/v3/secrets/raw/{secretName}`
     * Needs `delete` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    delete: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Create secrets.
     *
     * All of them or none.
     *
     * `POST /api/v3/secrets/batch/raw`
     * Needs `create` on `secrets`.
     */
    createMany: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secrets: {
          secretKey: string;
          secretValue: string;
          secretComment?: string;
          skipMultilineEncoding?: boolean | null;
          /** The older form of secretMetadata */
          metadata?: Record<string, string>;
          secretMetadata?: {
            key: string;
            /** Default: `''` */
            value?: string;
            /**
             * Stored sealed, like the value
             * Default: `false`
             */
            isEncrypted?: boolean;
          }[];
          tagIds?: string[];
          secretReminderNote?: string | null;
          secretReminderRepeatDays?: number | null;
          secretReminderRecipients?: string[];
        }[];
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change secrets.
     *
     * All of them or none.
     *
     * `PATCH /api/v3/secrets/batch/raw`
     * Needs `edit` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    updateMany: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /**
         * What happens to keys that are not there
         * Default: `'failOnNotFound'`
         */
        mode?: 'failOnNotFound' | 'ignore' | 'upsert';
        secrets: {
          secretKey: string;
          secretValue?: string;
          /** Where this one lies, if not where the others do */
          secretPath?: string;
          newSecretName?: string;
          secretComment?: string;
          skipMultilineEncoding?: boolean | null;
          /** The older form of secretMetadata */
          metadata?: Record<string, string>;
          secretMetadata?: {
            key: string;
            /** Default: `''` */
            value?: string;
            /**
             * Stored sealed, like the value
             * Default: `false`
             */
            isEncrypted?: boolean;
          }[];
          tagIds?: string[];
          secretReminderNote?: string | null;
          secretReminderRepeatDays?: number | null;
          secretReminderRecipients?: string[];
        }[];
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Delete secrets.
     *
     * All of them or none.
     *
     * `DELETE /api/v3/secrets/batch/raw`
     * Needs `delete` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    deleteMany: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        secrets: {
          secretKey: string;
          /** Default: `'shared'` */
          type?: 'shared' | 'personal';
        }[];
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        secrets: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        }[];
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Move secrets to another folder.
     *
     * `POST /api/v3/secrets/move`
     * Needs `delete` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    move: Mutation<
      {
        /** The slug of an environment */
        sourceEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        sourceSecretPath?: string;
        /** The slug of an environment */
        destinationEnvironment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        destinationSecretPath?: string;
        secretIds: string[];
        /** Default: `false` */
        shouldOverwrite?: boolean;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
      },
      {
        isSourceUpdated: boolean;
        isDestinationUpdated: boolean;
        /** Where a change policy covers the source or the destination */
        approval?: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Put tags on a secret.
     *
     * `POST /api/v3/secrets/tags/{secretName}`
     * Needs `edit` on `secrets`.
     */
    attachTags: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        tagSlugs: string[];
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Take tags off a secret.
     *
     * `DELETE /api/v3/secrets/tags/{secretName}`
     * Needs `edit` on `secrets`.
     */
    detachTags: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
        secretName: string;
        /** Default: `'shared'` */
        type?: 'shared' | 'personal';
        tagSlugs: string[];
      },
      {
        secret: {
          /** UUID */
          id: string;
          /** The environment's slug */
          environment: string;
          secretPath: string;
          version: number;
          type: string;
          secretKey: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: {
            /** As it is written in the value, such as ${prod.KEY} */
            reference: string;
            message: string;
            /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
            code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
            /** Of the secret whose value contains it */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */
            id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as id */
          _id: string;
          /** The project's id */
          workspace: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Show what a value is made of, hop by hop.
     *
     * `GET /api/v3/secrets/raw/{secretName}/secret-reference-tree`
     * Needs `describeSecret` on `secrets`.
     *
     * @deprecated An older form of this operation, kept for the clients that use it.
     */
    trace: Query<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** The project's id */
        workspaceId?: string;
        /** The project's slug, where workspaceId is not given */
        workspaceSlug?: string;
        /** The same as workspaceSlug */
        projectSlug?: string;
        secretName: string;
      },
      { tree?: unknown; value: string }
    >;
  };
  webhooks: {
    /**
     * List the webhooks of a project.
     *
     * `GET /api/v1/webhooks`
     * Needs `read` on `webhooks`.
     */
    list: Query<
      {
        /** The same as workspaceId */
        projectId?: string;
        /** The slug of an environment */
        environment?: string;
        /** The path of a folder, or a glob over paths: /app/** is /app and all below */
        secretPath?: string;
        /** The project's id */
        workspaceId?: string;
      },
      {
        message: string;
        webhooks: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** UUID */
          envId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretPath: string;
          type: string;
          isDisabled: boolean;
          /** success or failed, of the last call */
          lastStatus: string | null;
          lastRunErrorMessage: string | null;
          createdAt: string;
          updatedAt: string;
          /** Only its scheme and host for those who may not change the webhook */
          url: string;
        }[];
      }
    >;
    /**
     * Have an address called when secrets of a folder change.
     *
     * `POST /api/v1/webhooks`
     * Needs `create` on `webhooks`.
     */
    create: Mutation<
      {
        /** The same as workspaceId */
        projectId?: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, or a glob over paths: /app/** is /app and all below
         * Default: `'/'`
         */
        secretPath?: string;
        /** Default: `'general'` */
        type?: 'general' | 'slack';
        webhookUrl: string;
        /** Calls are signed with it; those of a webhook without one are not */
        webhookSecretKey?: string | '';
        /** The project's id */
        workspaceId?: string;
      },
      {
        message: string;
        webhook: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** UUID */
          envId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretPath: string;
          type: string;
          isDisabled: boolean;
          /** success or failed, of the last call */
          lastStatus: string | null;
          lastRunErrorMessage: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a webhook, or switch it on and off.
     *
     * What is not named stays as it is.
     *
     * `PATCH /api/v1/webhooks/{webhookId}`
     * Needs `edit` on `webhooks`.
     */
    update: Mutation<
      {
        /** UUID */
        webhookId: string;
        isDisabled?: boolean;
        /** The slug of an environment */
        environment?: string;
        /** The path of a folder, or a glob over paths: /app/** is /app and all below */
        secretPath?: string;
        /** With the key again, where there is one */
        webhookUrl?: string;
        /** null takes it away */
        webhookSecretKey?: string | null;
      },
      {
        message: string;
        webhook: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** UUID */
          envId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretPath: string;
          type: string;
          isDisabled: boolean;
          /** success or failed, of the last call */
          lastStatus: string | null;
          lastRunErrorMessage: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a webhook.
     *
     * `DELETE /api/v1/webhooks/{webhookId}`
     * Needs `delete` on `webhooks`.
     */
    delete: Mutation<
      {
        /** UUID */
        webhookId: string;
      },
      {
        message: string;
        webhook: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** UUID */
          envId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretPath: string;
          type: string;
          isDisabled: boolean;
          /** success or failed, of the last call */
          lastStatus: string | null;
          lastRunErrorMessage: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Call a webhook to see whether it is reached.
     *
     * lastStatus and lastRunErrorMessage of the answer say what came of it.
     *
     * `POST /api/v1/webhooks/{webhookId}/test`
     * Needs `read` on `webhooks`.
     */
    test: Mutation<
      {
        /** UUID */
        webhookId: string;
      },
      {
        message: string;
        webhook: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** UUID */
          envId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretPath: string;
          type: string;
          isDisabled: boolean;
          /** success or failed, of the last call */
          lastStatus: string | null;
          lastRunErrorMessage: string | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  secretEvents: {
    /**
     * Be told of changes to the secrets of a project.
     *
     * Server-sent events (`text/event-stream`), each with an id; with the last one in `Last-Event-ID`, or as `lastEventId` in the body, what came after it is told first. An event with the data of an error is the last one. What is told is where secrets were made, changed or deleted, as far as the caller may see them, and never their values.
     *
     * `POST /api/v1/events/subscribe/project-events`
     * Needs `subscribe-to-created-events` on `secret-events` in the project, or `subscribe-to-updated-events` on `secret-events` in the project, or `subscribe-to-deleted-events` on `secret-events` in the project, or `subscribe-to-import-mutation-events` on `secret-events` in the project.
     */
    watch: Subscription<
      {
        /** UUID */
        projectId: string;
        register: {
          event: 'secret:create' | 'secret:update' | 'secret:delete' | 'secret:import-mutation';
          /** The whole project where they are absent */
          conditions?: {
            /** Every environment where it is absent */
            environmentSlug?: string;
            /**
             * The path of a folder, or a glob over paths: /app/** is /app and all below
             * Default: `'/'`
             */
            secretPath?: string;
          };
        }[];
        /** The id of the last event that arrived, or the header Last-Event-ID: what came after it is told first */
        lastEventId?: string | null;
      },
      {
        projectType: 'secret-manager';
        data: {
          eventType: 'secret:create' | 'secret:update' | 'secret:delete';
          payload: {
            /** Its slug */
            environment: string;
            secretPath: string;
            secretKey: string;
          }[];
        } | {
          eventType: 'secret:import-mutation';
          /** The folder whose imports bring something else now */
          payload: {
            /** Its slug */
            environment: string;
            secretPath: string;
          };
        };
      } | null
    >;
  };
  history: {
    /**
     * List the commits to a folder, newest first.
     *
     * `GET /api/v1/projects/{projectId}/commits`
     * Needs `read` on `commits`.
     */
    commits: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /**
         * Also the commits to folders that are or were below it
         * Default: `false`
         */
        recursive?: boolean;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        commits: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** Grows with each change of the project; not every number has a commit */
          revision: number;
          message: string | null;
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          };
          createdAt: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Read a commit with what it changed.
     *
     * `GET /api/v1/projects/{projectId}/commits/{commitId}`
     * Needs `read` on `commits`.
     */
    commit: Query<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        commitId: string;
      },
      {
        commit: {
          /** UUID */
          id: string;
          /** UUID */
          projectId: string;
          /** Grows with each change of the project; not every number has a commit */
          revision: number;
          message: string | null;
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Of the actor in the project, or of the group by which it was there */
            membershipId: string | null;
            /** The group by which the actor was in the project, if by one alone */
            groupId: string | null;
          };
          createdAt: string;
          changes: {
            folders: {
              change: 'added' | 'changed' | 'removed';
              environment: string;
              /** UUID */
              folderId: string;
              before: { path: string; description: string | null } | null;
              after: { path: string; description: string | null } | null;
            }[];
            secrets: {
              change: 'added' | 'changed' | 'removed';
              environment: string;
              /** UUID */
              secretId: string;
              /** What is different, for those that are on both sides */
              fields: string[];
              before: {
                secretKey: string;
                secretPath: string;
                version: number;
                secretValue: string;
                secretValueHidden: boolean;
                secretComment: string;
                secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
                skipMultilineEncoding: boolean | null;
                secretReminderNote: string | null;
                secretReminderRepeatDays: number | null;
                /** Slugs */
                tags: string[];
              } | null;
              after: {
                secretKey: string;
                secretPath: string;
                version: number;
                secretValue: string;
                secretValueHidden: boolean;
                secretComment: string;
                secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
                skipMultilineEncoding: boolean | null;
                secretReminderNote: string | null;
                secretReminderRepeatDays: number | null;
                /** Slugs */
                tags: string[];
              } | null;
            }[];
            /** Differences in secrets and folders that the caller may not see */
            hiddenCount: number;
          };
        };
      }
    >;
    /**
     * Read a folder, or the whole project, as it was.
     *
     * `GET /api/v1/projects/{projectId}/history/tree`
     * Needs `read` on `commits`.
     */
    tree: Query<
      {
        /** UUID */
        projectId: string;
        /** The whole project where it is absent */
        environment?: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** Default: `true` */
        viewSecretValue?: boolean;
        /** As it was at this time */
        at?: string;
        /** As it was at this revision, in place of a time */
        revision?: number;
      },
      {
        tree: {
          revision: number;
          environments: {
            /** UUID */
            id: string;
            slug: string;
            folders: {
              path: string;
              description: string | null;
              /** UUID */
              id: string;
              name: string;
            }[];
            secrets: {
              /** UUID */
              id: string;
              projectId: string;
              /** The environment's slug */
              environment: string;
              secretPath: string;
              /** UUID */
              folderId: string;
              version: number;
              type: string;
              secretKey: string;
              secretValue: string;
              secretValueHidden: boolean;
              /** Only where references were to be resolved and some could not be */
              secretReferenceErrors?: {
                /** As it is written in the value, such as ${prod.KEY} */
                reference: string;
                message: string;
                /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
                code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
                /** Of the secret whose value contains it */
                environment: string;
                secretPath: string;
                secretKey: string;
              }[];
              secretComment: string;
              secretReminderNote: string | null;
              secretReminderRepeatDays: number | null;
              secretReminderRecipients: string[] | null;
              skipMultilineEncoding: boolean | null;
              metadata: Record<string, string> | null;
              secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
              tags: {
                /** UUID */
                id: string;
                slug: string;
                name: string;
                color: string | null;
              }[];
              actor: {
                actorId: string | null;
                actorType: string | null;
                name: string | null;
                /** Of the actor in the project, or of the group by which it was there */
                membershipId: string | null;
                /** The group by which the actor was in the project, if by one alone */
                groupId: string | null;
              } | null;
              isRotatedSecret: boolean;
              rotationId: string | null;
              createdAt: string;
              updatedAt: string;
            }[];
          }[];
        };
      }
    >;
    /**
     * What is different between two moments.
     *
     * `GET /api/v1/projects/{projectId}/history/compare`
     * Needs `read` on `commits`.
     */
    compare: Query<
      {
        /** UUID */
        projectId: string;
        /** The whole project where it is absent */
        environment?: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        from?: string;
        /** As it was at this revision, in place of a time */
        fromRevision?: number;
        to?: string;
        /** As it was at this revision, in place of a time */
        toRevision?: number;
      },
      {
        fromRevision: number;
        toRevision: number;
        changes: {
          folders: {
            change: 'added' | 'changed' | 'removed';
            environment: string;
            /** UUID */
            folderId: string;
            before: { path: string; description: string | null } | null;
            after: { path: string; description: string | null } | null;
          }[];
          secrets: {
            change: 'added' | 'changed' | 'removed';
            environment: string;
            /** UUID */
            secretId: string;
            /** What is different, for those that are on both sides */
            fields: string[];
            before: {
              secretKey: string;
              secretPath: string;
              version: number;
              secretValue: string;
              secretValueHidden: boolean;
              secretComment: string;
              secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
              skipMultilineEncoding: boolean | null;
              secretReminderNote: string | null;
              secretReminderRepeatDays: number | null;
              /** Slugs */
              tags: string[];
            } | null;
            after: {
              secretKey: string;
              secretPath: string;
              version: number;
              secretValue: string;
              secretValueHidden: boolean;
              secretComment: string;
              secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
              skipMultilineEncoding: boolean | null;
              secretReminderNote: string | null;
              secretReminderRepeatDays: number | null;
              /** Slugs */
              tags: string[];
            } | null;
          }[];
          /** Differences in secrets and folders that the caller may not see */
          hiddenCount: number;
        };
      }
    >;
    /**
     * Make a folder with all below it what it was.
     *
     * `POST /api/v1/projects/{projectId}/history/restore`
     * Needs `perform-rollback` on `commits`.
     */
    restore: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The whole project where it is absent */
        environment?: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        secretPath?: string;
        /** As it was at this time */
        at?: string;
        /** As it was at this revision, in place of a time */
        revision?: number;
        message?: string;
      },
      {
        restored: {
          /** To which it was restored */
          revision: number;
          /** null where nothing was different */
          commitId: string | null;
          secrets: {
            /** UUID */
            secretId: string;
            secretKey: string;
            change: 'added' | 'changed' | 'removed';
          }[];
          /** How many folders were made, changed or deleted */
          folders: number;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
  };
  snapshotsV1: {
    /**
     * List the snapshots of a folder.
     *
     * `GET /api/v1/projects/{projectId}/secret-snapshots`
     * Needs `read` on `secret-rollback`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `20`
         */
        limit?: number;
      },
      {
        secretSnapshots: {
          /** UUID */
          id: string;
          /** UUID */
          envId: string;
          /** UUID */
          folderId: string;
          parentFolderId: string | null;
          createdAt: string;
          updatedAt: string;
        }[];
      }
    >;
    /**
     * Count the snapshots of a folder.
     *
     * `GET /api/v1/workspace/{workspaceId}/secret-snapshots/count`
     * Needs `read` on `secret-rollback`.
     */
    count: Query<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        workspaceId: string;
      },
      { count: number }
    >;
    /**
     * Read what a folder held.
     *
     * `GET /api/v1/secret-snapshot/{secretSnapshotId}`
     * Needs `read` on `secret-rollback`.
     */
    get: Query<
      {
        /** UUID */
        secretSnapshotId: string;
      },
      {
        secretSnapshot: {
          /** UUID */
          id: string;
          /** UUID */
          envId: string;
          /** UUID */
          folderId: string;
          parentFolderId: string | null;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          projectId: string;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          secretVersions: {
            /** UUID */
            id: string;
            projectId: string;
            /** The environment's slug */
            environment: string;
            secretPath: string;
            /** UUID */
            folderId: string;
            version: number;
            type: string;
            secretKey: string;
            secretValue: string;
            secretValueHidden: boolean;
            /** Only where references were to be resolved and some could not be */
            secretReferenceErrors?: {
              /** As it is written in the value, such as ${prod.KEY} */
              reference: string;
              message: string;
              /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
              code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
              /** Of the secret whose value contains it */
              environment: string;
              secretPath: string;
              secretKey: string;
            }[];
            secretComment: string;
            secretReminderNote: string | null;
            secretReminderRepeatDays: number | null;
            secretReminderRecipients: string[] | null;
            skipMultilineEncoding: boolean | null;
            metadata: Record<string, string> | null;
            secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
            tags: {
              /** UUID */
              id: string;
              slug: string;
              name: string;
              color: string | null;
            }[];
            actor: {
              actorId: string | null;
              actorType: string | null;
              name: string | null;
              /** Of the actor in the project, or of the group by which it was there */
              membershipId: string | null;
              /** The group by which the actor was in the project, if by one alone */
              groupId: string | null;
            } | null;
            isRotatedSecret: boolean;
            rotationId: string | null;
            createdAt: string;
            updatedAt: string;
            /** UUID */
            secretId: string;
          }[];
          folderVersion: {
            /** UUID */
            id: string;
            name: string;
          }[];
        };
      }
    >;
    /**
     * Make a folder what it was.
     *
     * `POST /api/v1/secret-snapshot/{secretSnapshotId}/rollback`
     * Needs `create` on `secret-rollback`.
     */
    rollBack: Mutation<
      {
        /** UUID */
        secretSnapshotId: string;
      },
      {
        secretSnapshot: {
          /** UUID */
          id: string;
          /** UUID */
          envId: string;
          /** UUID */
          folderId: string;
          parentFolderId: string | null;
          createdAt: string;
          updatedAt: string;
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
  };
  secretApprovals: {
    /**
     * List the change policies of a project.
     *
     * `GET /api/v1/secret-approvals`
     * Needs `read` on `secret-approval`.
     */
    list: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      {
        approvals: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
        }[];
      }
    >;
    /**
     * Show the change policies that cover a folder.
     *
     * All of `policies` apply together, the strictest first; `policy` is the first of them, and absent where there is none.
     *
     * `GET /api/v1/secret-approvals/board`
     * Needs `read` on `secret-approval`.
     */
    board: Query<
      {
        /** The project's id */
        workspaceId: string;
        /** The slug of an environment */
        environment: string;
        /** The path of a folder, such as /app/config */
        secretPath: string;
      },
      {
        policy?: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
          userApprovers: {
            /** UUID */
            userId: string;
          }[];
        };
        policies: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
          userApprovers: {
            /** UUID */
            userId: string;
          }[];
        }[];
      }
    >;
    /**
     * Read a change policy.
     *
     * `GET /api/v1/secret-approvals/{sapId}`
     * Needs `read` on `secret-approval`.
     */
    get: Query<
      {
        /** UUID of the policy */
        sapId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
        };
      }
    >;
    /**
     * Create a change policy.
     *
     * From now on, what users, machine identities and service tokens write to the folders of the policy waits for approvals, under all policies that cover it together. To exempt machines takes `edit` on `secret-approval`, too.
     *
     * `POST /api/v1/secret-approvals`
     * Needs `create` on `secret-approval`.
     */
    create: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /** A folder, or a glob of folders; where absent, the whole environment */
        secretPath?: string | null;
        /** Made up where absent */
        name?: string;
        /** Users and groups of the project */
        approvers: {
          type: 'group' | 'user';
          /** UUID */
          id?: string;
          /** The user name, where there is no id */
          name?: string;
          /** The same as name */
          username?: string;
        }[];
        /** Default: `1` */
        approvals?: number;
        /**
         * soft may be passed by with a reason
         * Default: `'hard'`
         */
        enforcementLevel?: 'hard' | 'soft';
        /** Default: `false` */
        allowedSelfApprovals?: boolean;
        /** Machine identities of the project that write without the approvals; none by default */
        exemptIdentityIds?: string[];
        /** true: all machine identities and service tokens of the project write without the approvals; false by default */
        exemptMachines?: boolean;
        /** The project's id */
        workspaceId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
        };
      }
    >;
    /**
     * Change a change policy.
     *
     * It counts for open requests as well: only the approvals of those who are approvers then do.
     *
     * `PATCH /api/v1/secret-approvals/{sapId}`
     * Needs `edit` on `secret-approval`.
     */
    update: Mutation<
      {
        secretPath?: string | null;
        /** Made up where absent */
        name?: string;
        /** Users and groups of the project */
        approvers?: {
          type: 'group' | 'user';
          /** UUID */
          id?: string;
          /** The user name, where there is no id */
          name?: string;
          /** The same as name */
          username?: string;
        }[];
        approvals?: number;
        /** soft may be passed by with a reason */
        enforcementLevel?: 'hard' | 'soft';
        allowedSelfApprovals?: boolean;
        /** Machine identities of the project that write without the approvals; none by default */
        exemptIdentityIds?: string[];
        /** true: all machine identities and service tokens of the project write without the approvals; false by default */
        exemptMachines?: boolean;
        /** UUID of the policy */
        sapId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
        };
      }
    >;
    /**
     * End a change policy.
     *
     * Its open requests are closed.
     *
     * `DELETE /api/v1/secret-approvals/{sapId}`
     * Needs `delete` on `secret-approval`.
     */
    delete: Mutation<
      {
        /** UUID of the policy */
        sapId: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          name: string;
          /** A folder or a glob of folders; null for the whole environment */
          secretPath: string | null;
          /** How many have to approve */
          approvals: number;
          /** UUID */
          envId: string;
          createdAt: string;
          updatedAt: string;
          enforcementLevel: 'hard' | 'soft';
          deletedAt: string | null;
          /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
          allowedSelfApprovals: boolean;
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          approvers: {
            /** UUID of the user or group */
            id: string;
            type: 'user' | 'group';
            /** The user's name, or the group's */
            name: string;
          }[];
          /** Machine identities that write without its approvals */
          exemptIdentityIds: string[];
          /** Whether all machine identities and service tokens of the project write without its approvals */
          exemptMachines: boolean;
        };
      }
    >;
  };
  secretApprovalRequests: {
    /**
     * List the requests for changes, newest first.
     *
     * Those that the caller made or may approve; with `read` on `secret-approval`, all of the project.
     *
     * `GET /api/v1/secret-approval-requests`
     */
    list: Query<
      {
        /** The slug of an environment */
        environment?: string;
        /** UUID of a user, machine identity or service token */
        committer?: string;
        status?: 'open' | 'close';
        /** Default: `20` */
        limit?: number;
        /** Default: `0` */
        offset?: number;
        /** The project's id */
        workspaceId: string;
      },
      {
        approvals: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
          /** Of what it asks for: reviews count for one alone */
          version: number;
          policy: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          };
          /** The slug of the environment */
          environment: string;
          secretPath: string;
          /** All that it has to satisfy now; `policy` is the one that it was made under */
          policies: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          }[];
          committerUser: {
            /** UUID */
            userId: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          /** Who asked; null for what Coffer replicates, and for a user who is deleted */
          committer: {
            /** A user, a machine identity or a service token */
            type: 'user' | 'identity' | 'service';
            /** UUID */
            id: string;
            /** Of a machine, its name when it asked */
            name: string;
          } | null;
          reviewers: {
            /** UUID */
            userId: string;
            status: 'approved' | 'rejected';
            comment: string | null;
            /** Whether it is an approval that counts now */
            isCounted: boolean;
          }[];
          /** Everybody who may approve now */
          approvers: {
            /** UUID */
            userId: string;
          }[];
          /** Whether it has the approvals that its policies ask for now */
          isApproved: boolean;
          /** The first of them */
          commits: {
            /** UUID */
            id: string;
            kind: 'secret' | 'folder' | 'import';
            op: 'create' | 'update' | 'delete';
            environment: string;
            secretPath: string;
            /** null for imports, and for a name that the reader may not know of */
            secretKey: string | null;
            /** Of the secret, folder or import; null for a new one */
            secretId: string | null;
            /** The version that it was made against */
            secretVersion: number | null;
            /** Only follows another change, so that references go on to mean what they meant */
            isFollowing: boolean;
          }[];
          commitCount: number;
        }[];
      }
    >;
    /**
     * Count the requests for changes.
     *
     * `GET /api/v1/secret-approval-requests/count`
     */
    count: Query<
      {
        /** The project's id */
        workspaceId: string;
      },
      { approvals: { open: number; closed: number } }
    >;
    /**
     * Read a request with its difference.
     *
     * Values are shown to those who may read them; the others see that they change.
     *
     * `GET /api/v1/secret-approval-requests/{id}`
     */
    get: Query<
      {
        /** UUID */
        id: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
          /** Of what it asks for: reviews count for one alone */
          version: number;
          policy: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          };
          /** The slug of the environment */
          environment: string;
          secretPath: string;
          /** All that it has to satisfy now; `policy` is the one that it was made under */
          policies: {
            /** UUID */
            id: string;
            name: string;
            /** A folder or a glob of folders; null for the whole environment */
            secretPath: string | null;
            /** How many have to approve */
            approvals: number;
            /** UUID */
            envId: string;
            enforcementLevel: 'hard' | 'soft';
            /** Whether the approval of whoever asks counts; all policies that cover a change have to allow it */
            allowedSelfApprovals: boolean;
            deletedAt: string | null;
            approvers: {
              /** UUID */
              userId: string;
            }[];
          }[];
          committerUser: {
            /** UUID */
            userId: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          /** Who asked; null for what Coffer replicates, and for a user who is deleted */
          committer: {
            /** A user, a machine identity or a service token */
            type: 'user' | 'identity' | 'service';
            /** UUID */
            id: string;
            /** Of a machine, its name when it asked */
            name: string;
          } | null;
          reviewers: {
            /** UUID */
            userId: string;
            status: 'approved' | 'rejected';
            comment: string | null;
            /** Whether it is an approval that counts now */
            isCounted: boolean;
          }[];
          /** Everybody who may approve now */
          approvers: {
            /** UUID */
            userId: string;
          }[];
          /** Whether it has the approvals that its policies ask for now */
          isApproved: boolean;
          statusChangedByUser: {
            /** UUID */
            userId: string;
            username: string;
            email: string | null;
            firstName: string | null;
            lastName: string | null;
          } | null;
          commits: {
            /** UUID */
            id: string;
            kind: 'secret' | 'folder' | 'import';
            op: 'create' | 'update' | 'delete';
            environment: string;
            secretPath: string;
            /** null for imports, and for a name that the reader may not know of */
            secretKey: string | null;
            /** Of the secret, folder or import; null for a new one */
            secretId: string | null;
            /** The version that it was made against */
            secretVersion: number | null;
            /** Only follows another change, so that references go on to mean what they meant */
            isFollowing: boolean;
            /** null for what is added */
            before: {
              environment: string;
              secretPath: string;
              secretKey: string | null;
              secretValue?: string;
              secretComment?: string;
              secretMetadata?: { key: string; value: string; isEncrypted: boolean }[];
              metadata?: Record<string, string> | null;
              tags?: {
                /** UUID */
                id: string;
                slug: string;
              }[];
              skipMultilineEncoding?: boolean | null;
              secretReminderNote?: string | null;
              secretReminderRepeatDays?: number | null;
              secretReminderRecipients?: string[] | null;
              /** How many folders are deleted, all below counted */
              folders?: number;
              /** Of an import */
              position?: number;
              /** Of an import */
              isReplication?: boolean;
            } | null;
            /** null for what is removed */
            after: {
              environment: string;
              secretPath: string;
              secretKey: string | null;
              secretValue?: string;
              secretComment?: string;
              secretMetadata?: { key: string; value: string; isEncrypted: boolean }[];
              metadata?: Record<string, string> | null;
              tags?: {
                /** UUID */
                id: string;
                slug: string;
              }[];
              skipMultilineEncoding?: boolean | null;
              secretReminderNote?: string | null;
              secretReminderRepeatDays?: number | null;
              secretReminderRecipients?: string[] | null;
              /** How many folders are deleted, all below counted */
              folders?: number;
              /** Of an import */
              position?: number;
              /** Of an import */
              isReplication?: boolean;
            } | null;
            /** The fields in which the two differ */
            changed: string[];
            /** The reader may not read the value: it sees only that it changes */
            secretValueHidden: boolean;
          }[];
        };
      }
    >;
    /**
     * Approve or reject a change.
     *
     * For approvers. The newest review of each counts, for what the request says now.
     *
     * `POST /api/v1/secret-approval-requests/{id}/review`
     */
    review: Mutation<
      {
        /** UUID */
        id: string;
        status: 'approved' | 'rejected';
        comment?: string | null;
        /** What was read; where given, the review is refused if it is another by now */
        version?: number;
      },
      {
        review: {
          /** UUID */
          id: string;
          status: 'approved' | 'rejected';
          /** UUID */
          requestId: string;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          reviewerUserId: string;
          comment: string | null;
        };
      }
    >;
    /**
     * Carry out a change.
     *
     * Exactly what was approved, as the one who asked for it, or nothing: what has changed since is a 400 that shows the conflicts. Without its approvals it needs a `bypassReason`, and all policies that cover it have to be soft.
     *
     * `POST /api/v1/secret-approval-requests/{id}/merge`
     */
    merge: Mutation<
      {
        /** UUID */
        id: string;
        /** Why it is merged without its approvals, where all of its policies are soft */
        bypassReason?: string;
      },
      {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Close a request, or open it anew.
     *
     * What is opened again is asked for against what is there now, and its approvals are given anew.
     *
     * `POST /api/v1/secret-approval-requests/{id}/status`
     */
    status: Mutation<
      {
        /** UUID */
        id: string;
        /** open makes a closed request anew, against what is there now */
        status: 'open' | 'close';
      },
      {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
  };
  secretImports: {
    /**
     * List the imports of a folder.
     *
     * `GET /api/v2/secret-imports`
     * Needs `read` on `secret-imports`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
      },
      {
        message: string;
        secretImports: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        }[];
      }
    >;
    /**
     * Read an import.
     *
     * `GET /api/v1/secret-imports/{secretImportId}`
     * Needs `read` on `secret-imports`.
     */
    get: Query<
      {
        /** UUID */
        secretImportId: string;
      },
      {
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          environment: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          /** UUID */
          projectId: string;
          secretPath: string;
        };
      }
    >;
    /**
     * Import another folder's secrets.
     *
     * `POST /api/v2/secret-imports`
     * Needs `create` on `secret-imports`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** What is imported; the folder need not exist yet */
        import: {
          /** The slug of an environment */
          environment: string;
          /** The path of a folder, such as /app/config */
          path: string;
        };
        /** Default: `false` */
        isReplication?: boolean;
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change an import or its position.
     *
     * `PATCH /api/v2/secret-imports/{secretImportId}`
     * Needs `edit` on `secret-imports`.
     */
    update: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        secretImportId: string;
        import: {
          /** The slug of an environment */
          environment?: string;
          /** The path of a folder, such as /app/config */
          path?: string;
          position?: number;
        };
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Remove an import.
     *
     * `DELETE /api/v2/secret-imports/{secretImportId}`
     * Needs `delete` on `secret-imports`.
     */
    delete: Mutation<
      {
        /** UUID */
        projectId: string;
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        secretImportId: string;
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
  };
  secretImportsV1: {
    /**
     * List the secrets that a folder imports.
     *
     * `GET /api/v1/secret-imports/secrets/raw`
     * Needs `describeSecret` on `secrets`.
     */
    secrets: Query<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        secrets: {
          secretPath: string;
          environment: string;
          environmentInfo: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
          folderId: string | null;
          secrets: {
            /** UUID */
            id: string;
            /** The environment's slug */
            environment: string;
            secretPath: string;
            version: number;
            type: string;
            secretKey: string;
            secretValue: string;
            secretValueHidden: boolean;
            /** Only where references were to be resolved and some could not be */
            secretReferenceErrors?: {
              /** As it is written in the value, such as ${prod.KEY} */
              reference: string;
              message: string;
              /** unavailable: it is not there or may not be read, and which of the two is not told; too-many, too-large: it brings more than one answer holds */
              code: 'unavailable' | 'missing' | 'circular' | 'too-deep' | 'too-many' | 'too-large';
              /** Of the secret whose value contains it */
              environment: string;
              secretPath: string;
              secretKey: string;
            }[];
            secretComment: string;
            secretReminderNote: string | null;
            secretReminderRepeatDays: number | null;
            secretReminderRecipients: string[] | null;
            skipMultilineEncoding: boolean | null;
            metadata: Record<string, string> | null;
            secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
            tags: {
              /** UUID */
              id: string;
              slug: string;
              name: string;
              color: string | null;
            }[];
            actor: {
              actorId: string | null;
              actorType: string | null;
              name: string | null;
              /** Of the actor in the project, or of the group by which it was there */
              membershipId: string | null;
              /** The group by which the actor was in the project, if by one alone */
              groupId: string | null;
            } | null;
            isRotatedSecret: boolean;
            rotationId: string | null;
            createdAt: string;
            updatedAt: string;
            /** The same as id */
            _id: string;
            /** The project's id */
            workspace: string;
          }[];
        }[];
      }
    >;
    /**
     * List the imports of a folder.
     *
     * `GET /api/v1/secret-imports`
     * Needs `read` on `secret-imports`.
     */
    list: Query<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        secretImports: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        }[];
      }
    >;
    /**
     * Import another folder's secrets.
     *
     * `POST /api/v1/secret-imports`
     * Needs `create` on `secret-imports`.
     */
    create: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** What is imported; the folder need not exist yet */
        import: {
          /** The slug of an environment */
          environment: string;
          /** The path of a folder, such as /app/config */
          path: string;
        };
        /** Default: `false` */
        isReplication?: boolean;
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Change an import or its position.
     *
     * `PATCH /api/v1/secret-imports/{secretImportId}`
     * Needs `edit` on `secret-imports`.
     */
    update: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        secretImportId: string;
        import: {
          /** The slug of an environment */
          environment?: string;
          /** The path of a folder, such as /app/config */
          path?: string;
          position?: number;
        };
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Remove an import.
     *
     * `DELETE /api/v1/secret-imports/{secretImportId}`
     * Needs `delete` on `secret-imports`.
     */
    delete: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        secretImportId: string;
        /** The project's id */
        workspaceId: string;
      },
      {
        message: string;
        secretImport: {
          /** UUID */
          id: string;
          version: number;
          importPath: string;
          /** Of several imports, the higher position wins */
          position: number;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          folderId: string;
          isReplication: boolean;
          /** null before the first, and while it waits for approval */
          isReplicationSuccess: boolean | null;
          /** Why the last did not succeed */
          replicationStatus: string | null;
          lastReplicated: string | null;
          isReserved: boolean;
          importEnv: {
            /** UUID */
            id: string;
            name: string;
            slug: string;
          };
        };
      } | {
        approval: {
          /** UUID */
          id: string;
          /** UUID */
          policyId: string;
          hasMerged: boolean;
          status: 'open' | 'close';
          /** What has changed since it was made */
          conflicts: {
            op: 'create' | 'update' | 'delete' | 'other';
            /** Of what has changed; null for a name that was taken since */
            secretId: string | null;
            /** Which of the commits; null where it is none of them alone */
            changeId: string | null;
            /** changed, gone or taken; renamed where an environment, folder or tag that it names is another one now, or is new; or the code of what the operation would be refused for; different for more than that */
            reason: string;
          }[] | null;
          slug: string;
          /** UUID */
          folderId: string;
          bypassReason: string | null;
          createdAt: string;
          updatedAt: string;
          isReplicated: boolean | null;
          /** null for what a machine asked for, and what Coffer replicates */
          committerUserId: string | null;
          /** The machine identity that asked */
          committerIdentityId: string | null;
          /** The service token that asked */
          committerServiceTokenId: string | null;
          statusChangedByUserId: string | null;
        };
      }
    >;
    /**
     * Copy anew what an import replicates.
     *
     * `POST /api/v1/secret-imports/{secretImportId}/replication-resync`
     * Needs `edit` on `secret-imports`.
     */
    resync: Mutation<
      {
        /** The slug of an environment */
        environment: string;
        /**
         * The path of a folder, such as /app/config
         * Default: `'/'`
         */
        path?: string;
        /** UUID */
        secretImportId: string;
        /** The project's id */
        workspaceId: string;
      },
      { message: string }
    >;
  };
  revocation: {
    /**
     * Read a revocation list, as PEM.
     *
     * Its id is that of the key that signed it, as the certificates have it that it is about.
     *
     * `GET /api/v1/pki/crl/{crlId}`
     * Needs no token.
     */
    getPem: Query<
      {
        /** One for each key of an authority */
        crlId: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Read a revocation list, as DER.
     *
     * `GET /api/v1/pki/crl/{crlId}/der`
     * Needs no token.
     */
    getDer: Query<
      {
        /** One for each key of an authority */
        crlId: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * List the revocation lists of an authority.
     *
     * One for each key that it has or had, the newest first.
     *
     * `GET /api/v1/cert-manager/ca/internal/{caId}/crls`
     * Needs `read` on `certificate-authorities`.
     */
    list: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** UUID */
        id: string;
        /** PEM */
        crl: string;
      }[]
    >;
    /**
     * Read the revocation list of the key that an authority signs with.
     *
     * `GET /api/v1/pki/ca/{caId}/crl`
     * Needs `read` on `certificate-authorities`.
     */
    getOf: Query<
      {
        /** UUID */
        caId: string;
      },
      {
        /** PEM */
        crl: string;
      }
    >;
    /**
     * Ask whether certificates are revoked (OCSP, RFC 6960).
     *
     * `POST /api/v1/pki/ocsp/{crlId}`
     * Needs no token.
     */
    askOcsp: Mutation<
      {
        /** One for each key of an authority */
        crlId: string;
        /** Default: `{"type":"Buffer","data":[]}` */
        ocspRequest?: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
    /**
     * Ask whether certificates are revoked, with the request in the path.
     *
     * RFC 6960, appendix A.1.
     *
     * `GET /api/v1/pki/ocsp/{crlId}/{ocspRequest}`
     * Needs no token.
     */
    getOcsp: Query<
      {
        /** One for each key of an authority */
        crlId: string;
        ocspRequest: string;
      },
      {
        type: string;
        /** Base64 */
        body: string;
      }
    >;
  };
  certificateCollections: {
    /**
     * List the certificate collections of a project.
     *
     * `GET /api/v2/workspace/{projectId}/pki-collections`
     * Needs `read` on `pki-collections`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        collections: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          projectId: string;
          name: string;
          description: string;
        }[];
      }
    >;
    /**
     * Create a certificate collection.
     *
     * `POST /api/v1/pki/collections`
     * Needs `create` on `pki-collections`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** Need not be unique */
        name: string;
        /** Default: `''` */
        description?: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        name: string;
        description: string;
      }
    >;
    /**
     * Read a certificate collection.
     *
     * `GET /api/v1/pki/collections/{collectionId}`
     * Needs `read` on `pki-collections`.
     */
    get: Query<
      {
        /** UUID */
        collectionId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        name: string;
        description: string;
      }
    >;
    /**
     * Change a certificate collection.
     *
     * `PATCH /api/v1/pki/collections/{collectionId}`
     * Needs `edit` on `pki-collections`.
     */
    update: Mutation<
      {
        /** UUID */
        collectionId: string;
        /** Need not be unique */
        name?: string;
        description?: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        name: string;
        description: string;
      }
    >;
    /**
     * Delete a certificate collection with the alerts about it; what is in it stays.
     *
     * `DELETE /api/v1/pki/collections/{collectionId}`
     * Needs `delete` on `pki-collections`.
     */
    delete: Mutation<
      {
        /** UUID */
        collectionId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        name: string;
        description: string;
      }
    >;
    /**
     * Put a certificate or an authority into a collection.
     *
     * `POST /api/v1/pki/collections/{collectionId}/items`
     * Needs `create` on `pki-collections`.
     */
    addItem: Mutation<
      {
        /** UUID */
        collectionId: string;
        type: 'certificate' | 'ca';
        /** A certificate or an authority of the same project */
        itemId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        pkiCollectionId: string;
        type: 'certificate' | 'ca';
        /** UUID */
        itemId: string;
      }
    >;
    /**
     * List what is in a collection.
     *
     * `GET /api/v1/pki/collections/{collectionId}/items`
     * Needs `read` on `pki-collections`.
     */
    listItems: Query<
      {
        /** UUID */
        collectionId: string;
        type?: 'certificate' | 'ca';
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `25`
         */
        limit?: number;
      },
      {
        collectionItems: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          pkiCollectionId: string;
          type: 'certificate' | 'ca';
          /** UUID */
          itemId: string;
          notBefore: string | null;
          notAfter: string | null;
          friendlyName: string;
        }[];
        totalCount: number;
      }
    >;
    /**
     * Take something out of a collection.
     *
     * `DELETE /api/v1/pki/collections/{collectionId}/items/{collectionItemId}`
     * Needs `delete` on `pki-collections`.
     */
    removeItem: Mutation<
      {
        /** UUID */
        collectionId: string;
        /** UUID */
        collectionItemId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        pkiCollectionId: string;
        type: 'certificate' | 'ca';
        /** UUID */
        itemId: string;
      }
    >;
  };
  certificateAlerts: {
    /**
     * List the certificate alerts of a project.
     *
     * `GET /api/v1/cert-manager/alerts`
     * Needs `read` on `pki-alerts`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
        eventType?: 'expiration' | 'renewal' | 'issuance' | 'revocation';
        enabled?: boolean;
        /** A part of the name */
        search?: string;
        /**
         * How many to pass over
         * Default: `0`
         */
        offset?: number;
        /**
         * How many to answer at the most
         * Default: `25`
         */
        limit?: number;
      },
      {
        alerts: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
          alertBefore: string | null;
          filters: {
            field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
            /** matches: * is any text */
            operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
            value: string | string[] | boolean;
          }[];
          enabled: boolean;
          /** UUID */
          projectId: string;
          channels: {
            /** UUID */
            id: string;
            channelType: 'email' | 'webhook' | 'slack';
            config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
            enabled: boolean;
          }[];
          lastRun: { timestamp: string; status: string; error: string | null } | null;
          createdAt: string;
          updatedAt: string;
        }[];
        total: number;
      }
    >;
    /**
     * Create a certificate alert.
     *
     * Takes a right to read certificates, too. It tells each of its channels, once, of each certificate that whoever saved it last may read and that ends within `alertBefore`, or that was issued, renewed or revoked since. Authorities are told of where a filter includes them (`include_cas`).
     *
     * `POST /api/v1/cert-manager/alerts`
     * Needs `create` on `pki-alerts`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        name: string;
        description?: string;
        eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
        /** How long before the end; d, w, m (of 30 days) or y. Expirations need it, other events have none */
        alertBefore?: string;
        /** Default: `[]` */
        filters?: {
          field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
          /** matches: * is any text */
          operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
          value: string | string[] | boolean;
        }[];
        /** Default: `true` */
        enabled?: boolean;
        channels: ({
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'email';
          config: { recipients: string[] };
        } | {
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'webhook';
          config: {
            url: string;
            /** Calls are signed with it. Left out, it stays as it is; null takes it away. It is never answered */
            signingSecret?: string | null;
          };
        } | {
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'slack';
          config: { webhookUrl: string; channel?: string | null; mentionUsers?: string[] };
        })[];
      },
      {
        alert: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
          alertBefore: string | null;
          filters: {
            field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
            /** matches: * is any text */
            operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
            value: string | string[] | boolean;
          }[];
          enabled: boolean;
          /** UUID */
          projectId: string;
          channels: {
            /** UUID */
            id: string;
            channelType: 'email' | 'webhook' | 'slack';
            config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
            enabled: boolean;
          }[];
          lastRun: { timestamp: string; status: string; error: string | null } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Read a certificate alert.
     *
     * `GET /api/v1/cert-manager/alerts/{alertId}`
     * Needs `read` on `pki-alerts`.
     */
    get: Query<
      {
        /** UUID */
        alertId: string;
      },
      {
        alert: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
          alertBefore: string | null;
          filters: {
            field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
            /** matches: * is any text */
            operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
            value: string | string[] | boolean;
          }[];
          enabled: boolean;
          /** UUID */
          projectId: string;
          channels: {
            /** UUID */
            id: string;
            channelType: 'email' | 'webhook' | 'slack';
            config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
            enabled: boolean;
          }[];
          lastRun: { timestamp: string; status: string; error: string | null } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Change a certificate alert.
     *
     * `PATCH /api/v1/cert-manager/alerts/{alertId}`
     * Needs `edit` on `pki-alerts`.
     */
    update: Mutation<
      {
        /** UUID */
        alertId: string;
        name?: string;
        description?: string | null;
        eventType?: 'expiration' | 'renewal' | 'issuance' | 'revocation';
        /** How long before the end; d, w, m (of 30 days) or y. Expirations need it, other events have none */
        alertBefore?: string;
        filters?: {
          field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
          /** matches: * is any text */
          operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
          value: string | string[] | boolean;
        }[];
        enabled?: boolean;
        /** All of them; those with the id of one that is there take its place */
        channels?: ({
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'email';
          config: { recipients: string[] };
        } | {
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'webhook';
          config: {
            url: string;
            /** Calls are signed with it. Left out, it stays as it is; null takes it away. It is never answered */
            signingSecret?: string | null;
          };
        } | {
          /** Of one that is there already */
          id?: string;
          /** Default: `true` */
          enabled?: boolean;
          channelType: 'slack';
          config: { webhookUrl: string; channel?: string | null; mentionUsers?: string[] };
        })[];
      },
      {
        alert: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
          alertBefore: string | null;
          filters: {
            field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
            /** matches: * is any text */
            operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
            value: string | string[] | boolean;
          }[];
          enabled: boolean;
          /** UUID */
          projectId: string;
          channels: {
            /** UUID */
            id: string;
            channelType: 'email' | 'webhook' | 'slack';
            config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
            enabled: boolean;
          }[];
          lastRun: { timestamp: string; status: string; error: string | null } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
    /**
     * Delete a certificate alert.
     *
     * `DELETE /api/v1/cert-manager/alerts/{alertId}`
     * Needs `delete` on `pki-alerts`.
     */
    delete: Mutation<
      {
        /** UUID */
        alertId: string;
      },
      {
        alert: {
          /** UUID */
          id: string;
          name: string;
          description: string | null;
          eventType: 'expiration' | 'renewal' | 'issuance' | 'revocation';
          alertBefore: string | null;
          filters: {
            field: 'profile_name' | 'common_name' | 'san' | 'include_cas';
            /** matches: * is any text */
            operator: 'equals' | 'matches' | 'contains' | 'starts_with' | 'ends_with';
            value: string | string[] | boolean;
          }[];
          enabled: boolean;
          /** UUID */
          projectId: string;
          channels: {
            /** UUID */
            id: string;
            channelType: 'email' | 'webhook' | 'slack';
            config: { recipients: string[] } | { url: string; hasSigningSecret: boolean } | { webhookUrl: string; channel: string | null; mentionUsers: string[] };
            enabled: boolean;
          }[];
          lastRun: { timestamp: string; status: string; error: string | null } | null;
          createdAt: string;
          updatedAt: string;
        };
      }
    >;
  };
  certificateAlertsV1: {
    /**
     * List the alerts about collections of a project.
     *
     * `GET /api/v2/workspace/{projectId}/pki-alerts`
     * Needs `read` on `pki-alerts`.
     */
    list: Query<
      {
        /** UUID */
        projectId: string;
      },
      {
        alerts: {
          /** UUID */
          id: string;
          createdAt: string;
          updatedAt: string;
          /** UUID */
          projectId: string;
          /** UUID */
          pkiCollectionId: string;
          name: string;
          alertBeforeDays: number;
          /** Comma-separated */
          recipientEmails: string;
        }[];
      }
    >;
    /**
     * Create an alert about the certificates of a collection.
     *
     * `POST /api/v1/pki/alerts`
     * Needs `create` on `pki-alerts`.
     */
    create: Mutation<
      {
        /** UUID */
        projectId: string;
        /** UUID */
        pkiCollectionId: string;
        name: string;
        alertBeforeDays: number;
        emails: string[];
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        /** UUID */
        pkiCollectionId: string;
        name: string;
        alertBeforeDays: number;
        /** Comma-separated */
        recipientEmails: string;
      }
    >;
    /**
     * Read an alert about a collection.
     *
     * `GET /api/v1/pki/alerts/{alertId}`
     * Needs `read` on `pki-alerts`.
     */
    get: Query<
      {
        /** UUID */
        alertId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        /** UUID */
        pkiCollectionId: string;
        name: string;
        alertBeforeDays: number;
        /** Comma-separated */
        recipientEmails: string;
      }
    >;
    /**
     * Change an alert about a collection.
     *
     * `PATCH /api/v1/pki/alerts/{alertId}`
     * Needs `edit` on `pki-alerts`.
     */
    update: Mutation<
      {
        /** UUID */
        alertId: string;
        name?: string;
        alertBeforeDays?: number;
        /** UUID */
        pkiCollectionId?: string;
        emails?: string[];
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        /** UUID */
        pkiCollectionId: string;
        name: string;
        alertBeforeDays: number;
        /** Comma-separated */
        recipientEmails: string;
      }
    >;
    /**
     * Delete an alert about a collection.
     *
     * `DELETE /api/v1/pki/alerts/{alertId}`
     * Needs `delete` on `pki-alerts`.
     */
    delete: Mutation<
      {
        /** UUID */
        alertId: string;
      },
      {
        /** UUID */
        id: string;
        createdAt: string;
        updatedAt: string;
        /** UUID */
        projectId: string;
        /** UUID */
        pkiCollectionId: string;
        name: string;
        alertBeforeDays: number;
        /** Comma-separated */
        recipientEmails: string;
      }
    >;
  };
}
