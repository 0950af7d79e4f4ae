// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Secret, SecretActor, SecretApproval } from './shared.ts';

export type Commit = {
  id: string;
  projectId: string;
  /** Increases with each change of the project; not every number has a commit */ revision: number;
  message: string | null;
  actor: SecretActor;
  createdAt: string;
};

export type Compare = {
  projectId: string;
  /** Default: the whole project */ environment?: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  from?: string;
  /** The state at this revision, instead of a time */ fromRevision?: number;
  to?: string;
  /** The state at this revision, instead of a time */ toRevision?: number;
  /** Default: `true` */ viewSecretValue?: boolean;
};

export type Differences = {
  folders: FolderDifference[];
  secrets: SecretDifference[];
  /** Number of differences that the caller may not see */ hiddenCount: number;
};

export type FolderDifference = {
  change: 'added' | 'changed' | 'removed';
  environment: string;
  folderId: string;
  before: { path: string; description: string | null } | null;
  after: { path: string; description: string | null } | null;
};

export type ListCommits = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** Includes commits to folders that are or were below it (default: `false`) */ recursive?: boolean;
  /** Number of items to skip (default: `0`) */ offset?: number;
  /** Maximum number of items (default: `20`) */ limit?: number;
};

export type ReadCommit = { projectId: string; commitId: string; /** Default: `true` */ viewSecretValue?: boolean };

export type ReadTree = {
  projectId: string;
  /** Default: the whole project */ environment?: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** Default: `true` */ viewSecretValue?: boolean;
  /** The state at this time */ at?: string;
  /** The state at this revision, instead of a time */ revision?: number;
};

export type Restore = {
  projectId: string;
  /** Default: the whole project */ environment?: string;
  /** The path of a folder, for example /app/config (default: `'/'`) */ secretPath?: string;
  /** The state at this time */ at?: string;
  /** The state at this revision, instead of a time */ revision?: number;
  message?: string;
};

export type Restored = {
  /** The revision that was restored */ revision: number;
  /** null if nothing has changed */ commitId: string | null;
  /** Those that the caller may see */
  secrets: { secretId: string; secretKey: string; change: 'added' | 'changed' | 'removed' }[];
  /** Secrets that differ and are left as they are, as far as the caller may see them */
  leftOut: {
    secretId: string;
    secretKey: string;
    environment: string;
    secretPath: string;
    /** A secret rotation manages the secret, or takes the name that it would get; or the name of its folder is taken by one that keeps its present name */
    reason: 'secret.rotated' | 'secret_rotation.takes_name' | 'folder.name_taken';
  }[];
  /** Number of folders that were created, changed or deleted */ folders: number;
};

export type SecretDifference = {
  change: 'added' | 'changed' | 'removed';
  environment: string;
  secretId: string;
  /** The fields that differ, for items on both sides */ fields: string[];
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
    /** Slugs */ tags: string[];
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
    /** Slugs */ tags: string[];
  } | null;
};

export type Tree = {
  revision: number;
  environments: {
    id: string;
    slug: string;
    folders: { path: string; description: string | null; id: string; name: string }[];
    secrets: Secret[];
  }[];
};

export interface HistoryApi {
  /** List the commits to a folder, newest first. `GET /api/v1/projects/{projectId}/commits`. Needs `read` on `commits`. */
  commits: Query<ListCommits, { commits: Commit[]; totalCount: number }>;
  /** Read a commit with its changes. `GET /api/v1/projects/{projectId}/commits/{commitId}`. Needs `read` on `commits`. */
  commit: Query<ReadCommit, { commit: Commit & { changes: Differences } }>;
  /** Read a folder or the whole project at a point in time. `GET /api/v1/projects/{projectId}/history/tree`. Needs `read` on `commits`. */
  tree: Query<ReadTree, { tree: Tree }>;
  /** Compare two points in time. `GET /api/v1/projects/{projectId}/history/compare`. Needs `read` on `commits`. */
  compare: Query<Compare, { fromRevision: number; toRevision: number; changes: Differences }>;
  /**
   * Restore a folder with all levels below it.
   * `POST /api/v1/projects/{projectId}/history/restore`. Needs `perform-rollback` on `commits`.
   */
  restore: Mutation<Restore, { restored: Restored } | { approval: SecretApproval }>;
}
