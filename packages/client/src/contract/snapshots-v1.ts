// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { SecretApproval, SecretReferenceError } from './shared.ts';

export type Snapshot = {
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

export type SnapshotWithContent = {
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
    /** Slug of the environment */
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
    secretReferenceErrors?: SecretReferenceError[];
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
      /** Membership of the actor in the project, or of the group that holds it */
      membershipId: string | null;
      /** The group through which the actor was in the project, if only through one */
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

export interface SnapshotsV1Api {
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
       * The path of a folder, for example /app/config
       * Default: `'/'`
       */
      path?: string;
      /**
       * Number of items to skip
       * Default: `0`
       */
      offset?: number;
      /**
       * Maximum number of items
       * Default: `20`
       */
      limit?: number;
    },
    { secretSnapshots: Snapshot[] }
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
       * The path of a folder, for example /app/config
       * Default: `'/'`
       */
      path?: string;
      /** UUID */
      workspaceId: string;
    },
    { count: number }
  >;
  /**
   * Read a snapshot.
   *
   * `GET /api/v1/secret-snapshot/{secretSnapshotId}`
   * Needs `read` on `secret-rollback`.
   */
  get: Query<
    {
      /** UUID */
      secretSnapshotId: string;
    },
    { secretSnapshot: SnapshotWithContent }
  >;
  /**
   * Restore a folder from a snapshot.
   *
   * `POST /api/v1/secret-snapshot/{secretSnapshotId}/rollback`
   * Needs `create` on `secret-rollback`.
   */
  rollBack: Mutation<
    {
      /** UUID */
      secretSnapshotId: string;
    },
    { secretSnapshot: Snapshot } | { approval: SecretApproval }
  >;
}
