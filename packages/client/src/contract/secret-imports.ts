// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { ImportPlace, SecretApproval, SecretImport } from './shared.ts';

export type CreateSecretImport = ImportPlace & {
  /** The folder that is imported; it need not exist yet */
  import: {
    /** The slug of an environment */ environment: string;
    /** The path of a folder, for example /app/config */ path: string;
  };
  /** Default: `false` */ isReplication?: boolean;
};

export type SecretImportWithPlace = SecretImport & { environment: { id: string; name: string; slug: string }; projectId: string; secretPath: string };

export type UpdateSecretImport = ImportPlace & {
  secretImportId: string;
  import: {
    /** The slug of an environment */ environment?: string;
    /** The path of a folder, for example /app/config */ path?: string;
    position?: number;
  };
};

export interface SecretImportsApi {
  /** List the imports of a folder. `GET /api/v2/secret-imports`. Needs `read` on `secret-imports`. */
  list: Query<ImportPlace, { message: string; secretImports: SecretImport[] }>;
  /** Read an import. `GET /api/v1/secret-imports/{secretImportId}`. Needs `read` on `secret-imports`. */
  get: Query<{ secretImportId: string }, { secretImport: SecretImportWithPlace }>;
  /** Import the secrets of another folder. `POST /api/v2/secret-imports`. Needs `create` on `secret-imports`. */
  create: Mutation<CreateSecretImport, { message: string; secretImport: SecretImport } | { approval: SecretApproval }>;
  /** Update an import or its position. `PATCH /api/v2/secret-imports/{secretImportId}`. Needs `edit` on `secret-imports`. */
  update: Mutation<UpdateSecretImport, { message: string; secretImport: SecretImport } | { approval: SecretApproval }>;
  /** Delete an import. `DELETE /api/v2/secret-imports/{secretImportId}`. Needs `delete` on `secret-imports`. */
  delete: Mutation<
    ImportPlace & { secretImportId: string },
    { message: string; secretImport: SecretImport } | { approval: SecretApproval }
  >;
}
