// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { NamedSecret, PublishedSecret, SecretApproval, SecretChange, SecretDetails } from './shared.ts';

export interface SecretsV3Api {
  /**
   * List the secrets of a folder.
   * `GET /api/v3/secrets/raw`. Needs `describeSecret` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<
    {
      /** The slug of the environment; optional for a service token of one folder */ environment?: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
      /** Default: `false` */ recursive?: boolean;
      /** Default: `false` */ includeImports?: boolean;
      /** Comma-separated slugs: secrets with any of these tags */ tagSlugs?: string;
      /** key=a,value=b; join several by | */ metadataFilter?: string;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
      include_imports?: boolean;
    },
    {
      secrets: PublishedSecret[];
      /** Only on request; in the order of the imports, the last one wins */
      imports?: { secretPath: string; environment: string; folderId: string | null; secrets: PublishedSecret[] }[];
    }
  >;
  /**
   * Read a secret, or an older version of it.
   * `GET /api/v3/secrets/raw/{secretName}`. Needs `describeSecret` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  get: Query<
    {
      /** The slug of the environment; optional for a service token of one folder */ environment?: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      version?: number;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
      /** Default: `false` */ includeImports?: boolean;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
      include_imports?: boolean;
    },
    { secret: PublishedSecret }
  >;
  /**
   * Create a secret.
   * `POST /api/v3/secrets/raw/{secretName}`. Needs `create` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  create: Mutation<
    SecretDetails & {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
      secretValue: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secret: PublishedSecret } | { approval: SecretApproval }
  >;
  /**
   * Update or rename a secret.
   * `PATCH /api/v3/secrets/raw/{secretName}`. Needs `edit` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    SecretDetails & {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      secretValue?: string;
      newSecretName?: string;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secret: PublishedSecret } | { approval: SecretApproval }
  >;
  /**
   * Delete a secret.
   * `DELETE /api/v3/secrets/raw/{secretName}`. Needs `delete` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secret: PublishedSecret } | { approval: SecretApproval }
  >;
  /** Create secrets. All or none. `POST /api/v3/secrets/batch/raw`. Needs `create` on `secrets`. */
  createMany: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secrets: (SecretDetails & { secretKey: string; secretValue: string })[];
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secrets: PublishedSecret[] } | { approval: SecretApproval }
  >;
  /**
   * Update secrets.
   * All or none.
   * `PATCH /api/v3/secrets/batch/raw`. Needs `edit` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  updateMany: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      /** What happens if a secret does not exist (default: `'failOnNotFound'`) */
      mode?: 'failOnNotFound' | 'ignore' | 'upsert';
      secrets: SecretChange[];
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secrets: PublishedSecret[] } | { approval: SecretApproval }
  >;
  /**
   * Delete secrets.
   * All or none.
   * `DELETE /api/v3/secrets/batch/raw`. Needs `delete` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  deleteMany: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secrets: NamedSecret[];
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    { secrets: PublishedSecret[] } | { approval: SecretApproval }
  >;
  /**
   * Move secrets to another folder.
   * `POST /api/v3/secrets/move`. Needs `delete` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  move: Mutation<
    {
      /** The slug of an environment */ sourceEnvironment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ sourceSecretPath?: string;
      /** The slug of an environment */ destinationEnvironment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ destinationSecretPath?: string;
      secretIds: string[];
      /** Default: `false` */ shouldOverwrite?: boolean;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
    },
    {
      isSourceUpdated: boolean;
      isDestinationUpdated: boolean;
      /** If a change policy covers the source or the destination */ approval?: SecretApproval;
    }
  >;
  /** Add tags to a secret. `POST /api/v3/secrets/tags/{secretName}`. Needs `edit` on `secrets`. */
  attachTags: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      tagSlugs: string[];
    },
    { secret: PublishedSecret } | { approval: SecretApproval }
  >;
  /** Remove tags from a secret. `DELETE /api/v3/secrets/tags/{secretName}`. Needs `edit` on `secrets`. */
  detachTags: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      tagSlugs: string[];
    },
    { secret: PublishedSecret } | { approval: SecretApproval }
  >;
  /**
   * Resolve the references of a value, step by step.
   * `GET /api/v3/secrets/raw/{secretName}/secret-reference-tree`. Needs `describeSecret` on `secrets`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  trace: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      /** The ID of the project */ workspaceId?: string;
      /** The project's slug, where workspaceId is not given */ workspaceSlug?: string;
      /** The same as `workspaceSlug` */ projectSlug?: string;
      secretName: string;
    },
    { tree?: unknown; value: string }
  >;
}
