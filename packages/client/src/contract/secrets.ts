// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { FoundSecret, NamedSecret, NewSecret, SecretApproval, SecretChange, SecretMetadata, SecretReferenceError } from './shared.ts';

export type ChangeSecrets = {
  /** UUID */ projectId: string;
  /** Message of the commit */ message?: string;
  /** Each folder once. Deletions are made first, then updates, then creations */
  changes: {
    /** The slug of an environment */ environment: string;
    /** The path of a folder, for example /app/config (default: `'/'`) */
    secretPath?: string;
    /** Default: `[]` */ create?: NewSecret[];
    /** Default: `[]` */
    update?: {
      secretKey: string;
      secretValue?: string;
      newSecretName?: string;
      secretComment?: string;
      skipMultilineEncoding?: boolean | null;
      /** The legacy form of secretMetadata */ metadata?: Record<string, string>;
      secretMetadata?: SecretMetadata;
      tagIds?: string[];
      secretReminderNote?: string | null;
      secretReminderRepeatDays?: number | null;
      secretReminderRecipients?: string[];
      /** The version on which the change is based: 409 if the secret has another one now */
      expectedVersion?: number;
    }[];
    /** Default: `[]` */ delete?: NamedSecret[];
  }[];
};

export type ChangedSecrets = {
  secrets: {
    op: 'create' | 'update' | 'delete';
    environment: string;
    secretPath: string;
    /** After the change */ secretKey: string;
    type: string;
    /** UUID */ id: string;
    /** After the change; the last one of a deleted secret */ version: number;
  }[];
};

export type CreateSecret = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  secretName: string;
  secretValue: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
  secretComment?: string;
  skipMultilineEncoding?: boolean | null;
  /** The legacy form of secretMetadata */ metadata?: Record<string, string>;
  secretMetadata?: SecretMetadata;
  tagIds?: string[];
  secretReminderNote?: string | null;
  secretReminderRepeatDays?: number | null;
  secretReminderRecipients?: string[];
};

export type CreateSecrets = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  secrets: NewSecret[];
};

export type DeleteSecret = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  secretName: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
};

export type DeleteSecrets = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  secrets: NamedSecret[];
};

export type MoveSecrets = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ sourceEnvironment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  sourceSecretPath?: string;
  /** The slug of an environment */ destinationEnvironment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  destinationSecretPath?: string;
  secretIds: string[];
  /** Default: `false` */ shouldOverwrite?: boolean;
};

export type Overview = {
  /** In order */
  environments: {
    /** UUID */ id: string;
    slug: string;
    name: string;
    /** Starts at 1 */ position: number;
  }[];
  /** The folders in this one, by name: all of them on each page */
  folders: {
    name: string;
    /** Slugs of where it exists */ environments: string[];
  }[];
  /** A page of the keys, in order */
  secrets: {
    secretKey: string;
    environments: {
      /** Slug of the environment */ environment: string;
      /** UUID */ id: string;
      version: number;
      /** Whether the caller may not read the value */ secretValueHidden: boolean;
      /** Whether the caller overrides the value by a personal one */
      hasPersonalValue: boolean;
      hasComment: boolean;
      tags: {
        /** UUID */ id: string;
        slug: string;
        name: string;
        color: string | null;
      }[];
      isRotatedSecret: boolean;
      rotationId: string | null;
      updatedAt: string;
    }[];
  }[];
  /** Number of keys on all pages */ totalCount: number;
};

export type ReadOverview = {
  /** UUID */ projectId: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  /** Comma-separated slugs; default: all environments of the project */
  environments?: string;
  /** A part of the name of secrets and folders, in upper or lower case */
  search?: string;
  /** Comma-separated slugs: keys whose secret has any of these tags in at least one environment */
  tagSlugs?: string;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
};

export type SearchSecrets = {
  /** UUID */ projectId: string;
  /** A part of the name, in upper or lower case */ search: string;
  /** Maximum number of secrets (default: `20`) */ limit?: number;
};

export type SecretsDependentsOutputPart = { key: string; environment: string; secretPath: string; children: SecretsDependentsOutputPart[] };

export type SecretsTraceOutputPart = {
  key: string;
  environment: string;
  secretPath: string;
  value?: string;
  isImported: boolean;
  children: SecretsTraceOutputPart[];
};

export type UpdateSecret = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  secretName: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
  secretValue?: string;
  newSecretName?: string;
  secretComment?: string;
  skipMultilineEncoding?: boolean | null;
  /** The legacy form of secretMetadata */ metadata?: Record<string, string>;
  secretMetadata?: SecretMetadata;
  tagIds?: string[];
  secretReminderNote?: string | null;
  secretReminderRepeatDays?: number | null;
  secretReminderRecipients?: string[];
};

export type UpdateSecrets = {
  /** UUID */ projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */
  secretPath?: string;
  /** What happens if a secret does not exist (default: `'failOnNotFound'`) */
  mode?: 'failOnNotFound' | 'ignore' | 'upsert';
  secrets: SecretChange[];
};

export interface SecretsApi {
  /** List the secrets of a folder. `GET /api/v4/secrets`. Needs `describeSecret` on `secrets`. */
  list: Query<
    {
      /** UUID */ projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      secretPath?: string;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
      /** Default: `false` */ recursive?: boolean;
      /** Default: `false` */ includeImports?: boolean;
      /** Replaces shared values by the caller's personal values, for secrets that the caller may describe (default: `false`) */
      includePersonalOverrides?: boolean;
      /** Comma-separated slugs: secrets with any of these tags */ tagSlugs?: string;
      /** key=a,value=b; join several by | */ metadataFilter?: string;
      /** The same as `includeImports` */ include_imports?: boolean;
    },
    {
      secrets: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      })[];
      /** Only on request; in the order of the imports, the last one wins */
      imports?: ({
        secretPath: string;
        environment: string;
        folderId: string | null;
        secrets: (FoundSecret & {
          version: number;
          type: string;
          secretValue: string;
          secretValueHidden: boolean;
          /** Only where references were to be resolved and some could not be */
          secretReferenceErrors?: SecretReferenceError[];
          secretComment: string;
          secretReminderNote: string | null;
          secretReminderRepeatDays: number | null;
          secretReminderRecipients: string[] | null;
          skipMultilineEncoding: boolean | null;
          metadata: Record<string, string> | null;
          secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
          tags: {
            /** UUID */ id: string;
            slug: string;
            name: string;
            color: string | null;
          }[];
          actor: {
            actorId: string | null;
            actorType: string | null;
            name: string | null;
            /** Membership of the actor in the project, or of the group that holds it */
            membershipId: string | null;
            /** The group through which the actor was in the project, if only through one */
            groupId: string | null;
          } | null;
          isRotatedSecret: boolean;
          rotationId: string | null;
          createdAt: string;
          updatedAt: string;
          /** The same as `id` */ _id: string;
          /** The ID of the project */ workspace: string;
        })[];
      })[];
    }
  >;
  /**
   * List the keys of a folder across environments.
   * Secrets without values, and folders, by the environments in which they are. A key is on one page, with all its environments; filters select keys.
   * `GET /api/v1/projects/{projectId}/secrets/overview`. Needs `describeSecret` on `secrets`.
   */
  overview: Query<ReadOverview, Overview>;
  /**
   * Find secrets of a project by a part of their name.
   * In all environments and folders. Names that begin with it come first.
   * `GET /api/v1/projects/{projectId}/secrets/search`. Needs `describeSecret` on `secrets`.
   */
  search: Query<SearchSecrets, { secrets: FoundSecret[] }>;
  /** Read a secret, or an older version of it. `GET /api/v4/secrets/{secretName}`. Needs `describeSecret` on `secrets`. */
  get: Query<
    {
      /** UUID */ projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      secretPath?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      version?: number;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
      /** Default: `false` */ includeImports?: boolean;
      /** The same as `includeImports` */ include_imports?: boolean;
    },
    {
      secret: FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      };
    }
  >;
  /** Read a secret by its id. `GET /api/v4/secrets/id/{secretId}`. Needs `describeSecret` on `secrets`. */
  getById: Query<
    {
      /** UUID */ secretId: string;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
    },
    {
      secret: FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      };
    }
  >;
  /** Create a secret. `POST /api/v4/secrets/{secretName}`. Needs `create` on `secrets`. */
  create: Mutation<
    CreateSecret,
    {
      secret: FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      };
    } | { approval: SecretApproval }
  >;
  /**
   * Update or rename a secret.
   * Omitted fields stay unchanged. References follow a rename.
   * `PATCH /api/v4/secrets/{secretName}`. Needs `edit` on `secrets`.
   */
  update: Mutation<
    UpdateSecret,
    {
      secret: FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      };
    } | { approval: SecretApproval }
  >;
  /** Delete a secret. `DELETE /api/v4/secrets/{secretName}`. Needs `delete` on `secrets`. */
  delete: Mutation<
    DeleteSecret,
    {
      secret: FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      };
    } | { approval: SecretApproval }
  >;
  /** Create secrets. All or none. `POST /api/v4/secrets/batch`. Needs `create` on `secrets`. */
  createMany: Mutation<
    CreateSecrets,
    {
      secrets: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      })[];
    } | { approval: SecretApproval }
  >;
  /** Update secrets. All or none. `PATCH /api/v4/secrets/batch`. Needs `edit` on `secrets`. */
  updateMany: Mutation<
    UpdateSecrets,
    {
      secrets: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      })[];
    } | { approval: SecretApproval }
  >;
  /** Delete secrets. All or none. `DELETE /api/v4/secrets/batch`. Needs `delete` on `secrets`. */
  deleteMany: Mutation<
    DeleteSecrets,
    {
      secrets: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      })[];
    } | { approval: SecretApproval }
  >;
  /**
   * Create, update and delete secrets in several folders.
   * All or none, in one commit, across environments. An update with `expectedVersion` fails with 409 if the secret has another version now.
   * `POST /api/v1/projects/{projectId}/secrets/changes`. Needs `create` on `secrets` in the project, or `edit` on `secrets` in the project, or `delete` on `secrets` in the project.
   */
  change: Mutation<ChangeSecrets, ChangedSecrets | { approval: SecretApproval }>;
  /** Move secrets to another folder. References follow the secrets. `POST /api/v4/secrets/move`. Needs `delete` on `secrets`. */
  move: Mutation<
    MoveSecrets,
    {
      isSourceUpdated: boolean;
      isDestinationUpdated: boolean;
      /** If a change policy covers the source or the destination */
      approval?: SecretApproval;
    }
  >;
  /** Copy secrets to another folder. `POST /api/v4/secrets/duplicate`. Needs `create` on `secrets`. */
  duplicate: Mutation<
    MoveSecrets,
    {
      secrets: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
      })[];
    } | { approval: SecretApproval }
  >;
  /** List the versions of a secret, newest first. `GET /api/v1/secret/{secretId}/secret-versions`. Needs `describeSecret` on `secrets`. */
  versions: Query<
    {
      /** UUID */ secretId: string;
      /** Number of items to skip (default: `0`) */ offset?: number;
      /** Maximum number of items (default: `20`) */ limit?: number;
      /** Default: `true` */ viewSecretValue?: boolean;
    },
    {
      secretVersions: (FoundSecret & {
        version: number;
        type: string;
        secretValue: string;
        secretValueHidden: boolean;
        /** Only where references were to be resolved and some could not be */
        secretReferenceErrors?: SecretReferenceError[];
        secretComment: string;
        secretReminderNote: string | null;
        secretReminderRepeatDays: number | null;
        secretReminderRecipients: string[] | null;
        skipMultilineEncoding: boolean | null;
        metadata: Record<string, string> | null;
        secretMetadata: { key: string; value: string; isEncrypted: boolean }[];
        tags: {
          /** UUID */ id: string;
          slug: string;
          name: string;
          color: string | null;
        }[];
        actor: {
          actorId: string | null;
          actorType: string | null;
          name: string | null;
          /** Membership of the actor in the project, or of the group that holds it */
          membershipId: string | null;
          /** The group through which the actor was in the project, if only through one */
          groupId: string | null;
        } | null;
        isRotatedSecret: boolean;
        rotationId: string | null;
        createdAt: string;
        updatedAt: string;
        /** The same as `id` */ _id: string;
        /** The ID of the project */ workspace: string;
        /** UUID */ secretId: string;
      })[];
    }
  >;
  /**
   * Resolve the references of a value, step by step.
   * `GET /api/v4/secrets/{secretName}/secret-reference-tree`. Needs `describeSecret` on `secrets`.
   */
  trace: Query<
    {
      /** UUID */ projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      secretPath?: string;
      secretName: string;
    },
    { tree: SecretsTraceOutputPart; value: string }
  >;
  /**
   * List the secrets that refer to a secret.
   * `GET /api/v4/secrets/{secretName}/reference-dependency-tree`. Needs `describeSecret` on `secrets`.
   */
  dependents: Query<
    {
      /** UUID */ projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      secretPath?: string;
      secretName: string;
    },
    { tree: SecretsDependentsOutputPart }
  >;
}
