// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { PublishedSecret, SecretApproval, SecretImport } from './shared.ts';

export interface SecretImportsV1Api {
  /** List the secrets that a folder imports. `GET /api/v1/secret-imports/secrets/raw`. Needs `describeSecret` on `secrets`. */
  secrets: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      /** The ID of the project */ workspaceId: string;
    },
    {
      secrets: {
        secretPath: string;
        environment: string;
        environmentInfo: { id: string; name: string; slug: string };
        folderId: string | null;
        secrets: PublishedSecret[];
      }[];
    }
  >;
  /** List the imports of a folder. `GET /api/v1/secret-imports`. Needs `read` on `secret-imports`. */
  list: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImports: SecretImport[] }
  >;
  /** Import the secrets of another folder. `POST /api/v1/secret-imports`. Needs `create` on `secret-imports`. */
  create: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      /** The folder that is imported; it need not exist yet */
      import: {
        /** The slug of an environment */ environment: string;
        /** The path of a folder, for example /app/config */ path: string;
      };
      /** Default: `false` */ isReplication?: boolean;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImport: SecretImport } | { approval: SecretApproval }
  >;
  /** Update an import or its position. `PATCH /api/v1/secret-imports/{secretImportId}`. Needs `edit` on `secret-imports`. */
  update: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      secretImportId: string;
      import: {
        /** The slug of an environment */ environment?: string;
        /** The path of a folder, for example /app/config */ path?: string;
        position?: number;
      };
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImport: SecretImport } | { approval: SecretApproval }
  >;
  /** Delete an import. `DELETE /api/v1/secret-imports/{secretImportId}`. Needs `delete` on `secret-imports`. */
  delete: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      secretImportId: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImport: SecretImport } | { approval: SecretApproval }
  >;
  /** Replicate an import again. `POST /api/v1/secret-imports/{secretImportId}/replication-resync`. Needs `edit` on `secret-imports`. */
  resync: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */ path?: string;
      secretImportId: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string }
  >;
}
