// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, Query } from '../call.ts';
import type { FoundSecret, SecretApproval, SecretImport, SecretReferenceError } from './shared.ts';

export interface SecretImportsV1Api {
  /** List the secrets that a folder imports. `GET /api/v1/secret-imports/secrets/raw`. Needs `describeSecret` on `secrets`. */
  secrets: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
      /** The ID of the project */ workspaceId: string;
    },
    {
      secrets: ({
        secretPath: string;
        environment: string;
        environmentInfo: {
          /** UUID */ id: string;
          name: string;
          slug: string;
        };
        folderId: string | null;
        secrets: (FoundSecret & {
          version: number;
          type: string;
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
            /** UUID */ id: string;
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
          /** The same as `id` */ _id: string;
          /** The ID of the project */ workspace: string;
        })[];
      })[];
    }
  >;
  /** List the imports of a folder. `GET /api/v1/secret-imports`. Needs `read` on `secret-imports`. */
  list: Query<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImports: SecretImport[] }
  >;
  /** Import the secrets of another folder. `POST /api/v1/secret-imports`. Needs `create` on `secret-imports`. */
  create: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
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
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
      /** UUID */ secretImportId: string;
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
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
      /** UUID */ secretImportId: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string; secretImport: SecretImport } | { approval: SecretApproval }
  >;
  /** Replicate an import again. `POST /api/v1/secret-imports/{secretImportId}/replication-resync`. Needs `edit` on `secret-imports`. */
  resync: Mutation<
    {
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config (default: `'/'`) */
      path?: string;
      /** UUID */ secretImportId: string;
      /** The ID of the project */ workspaceId: string;
    },
    { message: string }
  >;
}
