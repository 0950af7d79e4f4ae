// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { FoundSecret, NamedSecret, PublishedSecret, SecretApproval, SecretChange, SecretDetails, SecretTag } from './shared.ts';

export type ChangeSecrets = {
  projectId: string;
  /** Message of the commit */ message?: string;
  /** Each folder once. Deletions are made first, then updates, then creations */
  changes: ({
    /** The slug of an environment */ environment: string;
    /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
    /** Default: `[]` */ create?: (SecretDetails & { secretKey: string; secretValue: string })[];
    /** Default: `[]` */
    update?: (SecretDetails & {
      secretKey: string;
      secretValue?: string;
      newSecretName?: string;
      /** The version on which the change is based: 409 if the secret has another one now */ expectedVersion?: number;
    })[];
    /** Default: `[]` */
    delete?: {
      secretKey: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      /** The version on which the change is based: 409 if the secret has another one now */ expectedVersion?: number;
    }[];
  })[];
};

export type ChangedSecrets = {
  secrets: {
    op: 'create' | 'update' | 'delete';
    environment: string;
    secretPath: string;
    /** After the change */ secretKey: string;
    type: string;
    id: string;
    /** After the change; the last one of a deleted secret */ version: number;
  }[];
};

export type CreateSecret = SecretDetails & {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  secretName: string;
  secretValue: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
};

export type CreateSecrets = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  secrets: (SecretDetails & { secretKey: string; secretValue: string })[];
};

export type DeleteSecret = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  secretName: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
};

export type DeleteSecrets = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  secrets: NamedSecret[];
};

export type FoundInProject = {
  projectId: string;
  projectName: string;
  secrets: FoundSecret[];
  folders: { path: string; /** Slugs of where it exists */ environments: string[] }[];
};

export type MoveSecrets = {
  projectId: string;
  /** The slug of an environment */ sourceEnvironment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ sourceSecretPath?: string;
  /** The slug of an environment */ destinationEnvironment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ destinationSecretPath?: string;
  secretIds: string[];
  /** Default: `false` */ shouldOverwrite?: boolean;
};

export type Overview = {
  /** In order */
  environments: {
    id: string;
    slug: string;
    name: string;
    /** Starts at 1 */ position: number;
    may: {
      /** The folder exists, and the caller may create secrets with some names */ createSecrets: boolean;
      createFolders: boolean;
      /** To rename the folders in it */ editFolders: boolean;
      /** To delete the folders in it */ deleteFolders: boolean;
    };
  }[];
  /** The folders in this one, by name: all of them on each page */
  folders: { name: string; /** Slugs of where it exists */ environments: string[] }[];
  /** A page of the keys, in order */
  secrets: {
    secretKey: string;
    environments: {
      /** Slug of the environment */ environment: string;
      id: string;
      version: number;
      /** Whether the caller may not read the value */ secretValueHidden: boolean;
      /** Whether the caller overrides the value by a personal one */ hasPersonalValue: boolean;
      hasComment: boolean;
      tags: SecretTag[];
      isRotatedSecret: boolean;
      rotationId: string | null;
      updatedAt: string;
      /** Whether the caller may edit it */ mayEdit: boolean;
      /** Whether the caller may delete it */ mayDelete: boolean;
    }[];
    /** With `includeImports`; where it is in `environments`, that one counts */
    imported: {
      /** Slug of the environment into which it is imported */ environment: string;
      /** What is imported; the secret may be there by a further import */ from: { environment: string; secretPath: string };
      /** Whether the caller may not read the value */ secretValueHidden: boolean;
    }[];
    /** Slugs of the environments in which the caller may create it */ mayCreateIn: string[];
  }[];
  /** Number of keys on all pages */ totalCount: number;
};

export type ReadOverview = {
  projectId: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** Comma-separated slugs; default: all environments of the project */ environments?: string;
  /** A part of the name of secrets and folders, in upper or lower case */ search?: string;
  /** Comma-separated slugs: keys whose secret has any of these tags in at least one environment */ tagSlugs?: string;
  /** Comma-separated names of secrets: only these */ keys?: string;
  /** Include the keys that the folder imports. Not with `tagSlugs`, which filter its own secrets (default: `false`) */
  includeImports?: boolean;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `100`) */ limit?: number;
};

export type SearchEverywhere = {
  /** A part of the name, in upper or lower case */ search: string;
  /** Maximum number of secrets and folders together (default: `20`) */ limit?: number;
  /** The project whose matches come first */ firstProjectId?: string;
};

export type SearchSecrets = {
  projectId: string;
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

export type UpdateSecret = SecretDetails & {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  secretName: string;
  /** Default: `'shared'` */ type?: 'shared' | 'personal';
  secretValue?: string;
  newSecretName?: string;
};

export type UpdateSecrets = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** What happens if a secret does not exist (default: `'failOnNotFound'`) */
  mode?: 'failOnNotFound' | 'ignore' | 'upsert';
  secrets: SecretChange[];
};

export interface SecretsApi {
  /** List the secrets of a folder. `GET /api/v4/secrets`. Needs `describeSecret` on `secrets`. */
  list: Query<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
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
      secrets: PublishedSecret[];
      /** Only on request; in the order of the imports, the last one wins */
      imports?: { secretPath: string; environment: string; folderId: string | null; secrets: PublishedSecret[] }[];
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
  /**
   * Find secrets and folders of all projects by a part of their name.
   * In the projects that the caller is a member of, as far as it may describe and see them there.
   * `GET /api/v1/secrets/search`.
   */
  searchEverywhere: Query<SearchEverywhere, { projects: FoundInProject[] }>;
  /** Read a secret, or an older version of it. `GET /api/v4/secrets/{secretName}`. Needs `describeSecret` on `secrets`. */
  get: Query<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
      /** Default: `'shared'` */ type?: 'shared' | 'personal';
      version?: number;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
      /** Default: `false` */ includeImports?: boolean;
      /** The same as `includeImports` */ include_imports?: boolean;
    },
    { secret: PublishedSecret }
  >;
  /** Read a secret by its id. `GET /api/v4/secrets/id/{secretId}`. Needs `describeSecret` on `secrets`. */
  getById: Query<
    {
      secretId: string;
      /** Default: `true` */ viewSecretValue?: boolean;
      /** Default: `false` */ expandSecretReferences?: boolean;
    },
    { secret: PublishedSecret }
  >;
  /** Create a secret. `POST /api/v4/secrets/{secretName}`. Needs `create` on `secrets`. */
  create: Mutation<CreateSecret, { secret: PublishedSecret } | { approval: SecretApproval }>;
  /**
   * Update or rename a secret.
   * Omitted fields stay unchanged. References follow a rename.
   * `PATCH /api/v4/secrets/{secretName}`. Needs `edit` on `secrets`.
   */
  update: Mutation<UpdateSecret, { secret: PublishedSecret } | { approval: SecretApproval }>;
  /** Delete a secret. `DELETE /api/v4/secrets/{secretName}`. Needs `delete` on `secrets`. */
  delete: Mutation<DeleteSecret, { secret: PublishedSecret } | { approval: SecretApproval }>;
  /** Create secrets. All or none. `POST /api/v4/secrets/batch`. Needs `create` on `secrets`. */
  createMany: Mutation<CreateSecrets, { secrets: PublishedSecret[] } | { approval: SecretApproval }>;
  /** Update secrets. All or none. `PATCH /api/v4/secrets/batch`. Needs `edit` on `secrets`. */
  updateMany: Mutation<UpdateSecrets, { secrets: PublishedSecret[] } | { approval: SecretApproval }>;
  /** Delete secrets. All or none. `DELETE /api/v4/secrets/batch`. Needs `delete` on `secrets`. */
  deleteMany: Mutation<DeleteSecrets, { secrets: PublishedSecret[] } | { approval: SecretApproval }>;
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
      /** If a change policy covers the source or the destination */ approval?: SecretApproval;
    }
  >;
  /** Copy secrets to another folder. `POST /api/v4/secrets/duplicate`. Needs `create` on `secrets`. */
  duplicate: Mutation<MoveSecrets, { secrets: PublishedSecret[] } | { approval: SecretApproval }>;
  /** List the versions of a secret, newest first. `GET /api/v1/secret/{secretId}/secret-versions`. Needs `describeSecret` on `secrets`. */
  versions: Query<
    {
      secretId: string;
      /** Number of items to skip (default: `0`) */ offset?: number;
      /** Maximum number of items (default: `20`) */ limit?: number;
      /** Default: `true` */ viewSecretValue?: boolean;
    },
    { secretVersions: (PublishedSecret & { secretId: string })[] }
  >;
  /**
   * Resolve the references of a value, step by step.
   * `GET /api/v4/secrets/{secretName}/secret-reference-tree`. Needs `describeSecret` on `secrets`.
   */
  trace: Query<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
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
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
      secretName: string;
    },
    { tree: SecretsDependentsOutputPart }
  >;
}
