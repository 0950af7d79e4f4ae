// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Folder, ListedFolder, SecretApproval } from './shared.ts';

export type FolderWithPlace = Folder & { environment: { envId: string; envName: string; envSlug: string }; path: string; projectId: string };

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
