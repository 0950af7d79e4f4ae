// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Folder, ListedFolder, SecretApproval } from './shared.ts';

export type FolderUses = {
  /** The secrets elsewhere whose values refer to secrets in it */
  references: { environment: string; secretPath: string; secretKey: string }[];
  /** The folders elsewhere that import it, and what they import */
  imports: { environment: string; secretPath: string; importPath: string }[];
  /** The secret syncs that publish it */ syncs: { id: string; name: string; destination: string; secretPath: string }[];
};

export type FolderWithPlace = Folder & { environment: { envId: string; envName: string; envSlug: string }; path: string; projectId: string };

export type ReadFolderUses = {
  projectId: string;
  /** The slug of an environment */ environment: string;
  /** The path of a folder, for example /app/config */ path: string;
};

export type TransferFolders = {
  projectId: string;
  /** The slug of an environment */ sourceEnvironment: string;
  /** The folder in which they are (default: `'/'`) */ sourceSecretPath?: string;
  /** Names of folders there */ folderNames: string[];
  /** The slug of an environment */ destinationEnvironment: string;
  /** The folder into which they go; it is created if it is missing (default: `'/'`) */ destinationSecretPath?: string;
  /** Replace secrets that have the same names at the destination; otherwise these are a 400 (default: `false`) */
  shouldOverwrite?: boolean;
};

export type UpdateFolders = {
  projectSlug: string;
  folders: {
    /** The slug of an environment */ environment: string;
    /** The path of a folder, for example /app/config */ path?: string;
    name: string;
    description?: string | null;
    id: string;
  }[];
};

export interface FoldersApi {
  /** List the folders in a folder. `GET /api/v2/folders`. Needs `read` on `secret-folders`. */
  list: Query<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      /** A legacy name of `path` */ directory?: string;
      /** Include all levels below the folder (default: `false`) */ recursive?: boolean;
      /** Only folders in which a secret was written or deleted since this time */ lastSecretModified?: string;
    },
    { folders: ListedFolder[] }
  >;
  /** Read a folder. `GET /api/v2/folders/{folderId}`. Needs `read` on `secret-folders`. */
  get: Query<{ folderId: string }, { folder: FolderWithPlace }>;
  /**
   * Read a folder by its path.
   * The path is one segment; encode its slashes as %2F
   * `GET /api/v2/folders/{projectId}/{environment}/{path}`. Needs `read` on `secret-folders`.
   */
  getAt: Query<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path: string;
    },
    { folder: FolderWithPlace }
  >;
  /** Create a folder and its missing parents. `POST /api/v2/folders`. Needs `create` on `secret-folders`. */
  create: Mutation<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      name: string;
      description?: string | null;
      /** A legacy name of `path` */ directory?: string;
    },
    { folder: Folder }
  >;
  /** Rename a folder or change its description. `PATCH /api/v2/folders/{folderId}`. Needs `edit` on `secret-folders`. */
  update: Mutation<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      folderId: string;
      name: string;
      description?: string | null;
      /** A legacy name of `path` */ directory?: string;
    },
    { folder: Folder } | { approval: SecretApproval }
  >;
  /** Rename several folders or change their descriptions; all or none. `PATCH /api/v2/folders/batch`. Needs `edit` on `secret-folders`. */
  updateMany: Mutation<UpdateFolders, { folders: Folder[] } | { approval: SecretApproval }>;
  /**
   * Copy folders with all folders, secrets and imports below them to another folder; all or none.
   * Folders that exist at the destination keep what they have. Dynamic secrets, rotations and syncs are not copied.
   * `POST /api/v2/folders/copy`. Needs `create` on `secret-folders`.
   */
  copy: Mutation<
    TransferFolders,
    { /** At the destination, in the order of `folderNames` */ folders: Folder[] } | { approval: SecretApproval }
  >;
  /**
   * Move folders with all folders, secrets and imports below them to another folder; all or none.
   * References follow the secrets; imports of a moved folder by others lead to its former path. A folder with dynamic secrets or rotations, or the source of a sync, is a 400.
   * `POST /api/v2/folders/move`. Needs `delete` on `secret-folders`.
   */
  move: Mutation<
    TransferFolders,
    { /** At the destination, in the order of `folderNames` */ folders: Folder[] } | { approval: SecretApproval }
  >;
  /**
   * List the references, imports and syncs elsewhere that name a folder or one below it.
   * `GET /api/v2/folders/uses`. Needs `read` on `secret-folders`.
   */
  uses: Query<ReadFolderUses, FolderUses>;
  /** Delete a folder with everything below it. `DELETE /api/v2/folders/{folderId}`. Needs `delete` on `secret-folders`. */
  delete: Mutation<
    {
      projectId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      /** ID of the folder, or its name at the path */ folderId: string;
      /** A legacy name of `path` */ directory?: string;
    },
    { folder: Folder } | { approval: SecretApproval }
  >;
}
