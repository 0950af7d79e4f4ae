// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { Folder, ListedFolder, SecretApproval } from './shared.ts';

export type EnvironmentFolderTree = Record<string, {
  id: string;
  name: string;
  slug: string;
  folders: { id: string; name: string; path: string; parentId: string | null; envId: string }[];
}>;

export interface FoldersV1Api {
  /**
   * List the folders in a folder.
   * `GET /api/v1/folders`. Needs `read` on `secret-folders`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  list: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      /** A legacy name of `path` */ directory?: string;
      /** Include all levels below the folder (default: `false`) */ recursive?: boolean;
      /** Only folders in which a secret was written or deleted since this time */ lastSecretModified?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { folders: ListedFolder[] }
  >;
  /**
   * Create a folder and its missing parents.
   * `POST /api/v1/folders`. Needs `create` on `secret-folders`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  create: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      name: string;
      description?: string | null;
      /** A legacy name of `path` */ directory?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { folder: Folder }
  >;
  /**
   * Rename a folder or change its description.
   * `PATCH /api/v1/folders/{folderId}`. Needs `edit` on `secret-folders`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  update: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      folderId: string;
      name: string;
      description?: string | null;
      /** A legacy name of `path` */ directory?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { folder: Folder } | { approval: SecretApproval }
  >;
  /**
   * Delete a folder with everything below it.
   * `DELETE /api/v1/folders/{folderId}`. Needs `delete` on `secret-folders`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  delete: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ path?: string;
      /** ID of the folder, or its name at the path */ folderId: string;
      /** A legacy name of `path` */ directory?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { folder: Folder } | { approval: SecretApproval }
  >;
  /**
   * List the folders of every environment of a project.
   * `GET /api/v1/workspace/{workspaceId}/environment-folder-tree`. Needs `read` on `secret-folders`.
   * @deprecated Legacy form of this operation, for existing clients.
   */
  environmentTree: Query<{ /** The ID of the project */ workspaceId: string }, EnvironmentFolderTree>;
}
