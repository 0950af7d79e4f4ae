// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ImportPlace, Secret, SecretApproval } from './shared.ts';

export type Snapshot = { id: string; envId: string; folderId: string; parentFolderId: string | null; createdAt: string; updatedAt: string };

export type SnapshotWithContent = Snapshot & {
  projectId: string;
  environment: { id: string; name: string; slug: string };
  secretVersions: (Secret & { secretId: string })[];
  folderVersion: { id: string; name: string }[];
};

export interface SnapshotsV1Api {
  /** List the snapshots of a folder. `GET /api/v1/projects/{projectId}/secret-snapshots`. Needs `read` on `secret-rollback`. */
  list: Query<
    ImportPlace & {
      /** Number of items to skip (default: `0`) */ offset?: number;
      /** Maximum number of items (default: `20`) */ limit?: number;
    },
    { secretSnapshots: Snapshot[] }
  >;
  /** Count the snapshots of a folder. `GET /api/v1/workspace/{workspaceId}/secret-snapshots/count`. Needs `read` on `secret-rollback`. */
  count: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      workspaceId: string;
    },
    { count: number }
  >;
  /** Read a snapshot. `GET /api/v1/secret-snapshot/{secretSnapshotId}`. Needs `read` on `secret-rollback`. */
  get: Query<{ secretSnapshotId: string }, { secretSnapshot: SnapshotWithContent }>;
  /** Restore a folder from a snapshot. `POST /api/v1/secret-snapshot/{secretSnapshotId}/rollback`. Needs `create` on `secret-rollback`. */
  rollBack: Mutation<{ secretSnapshotId: string }, { secretSnapshot: Snapshot } | { approval: SecretApproval }>;
}
