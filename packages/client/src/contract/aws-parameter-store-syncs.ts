// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation } from '../call.ts';
import type { AvailableAppConnection } from './shared.ts';

export interface AwsParameterStoreSyncsApi {
  /** Create a secret sync to AWS Parameter Store. `POST /api/v1/secret-syncs/aws-parameter-store`. Needs `create` on `secret-syncs`. */
  create: Mutation<
    {
      /** Unique among the secret syncs of the project */ name: string;
      description?: string | null;
      /** UUID */ projectId: string;
      /** A connection to AWS, of the project or the organization */
      connectionId: string;
      /** The slug of an environment */ environment: string;
      /** The path of a folder, for example /app/config */ secretPath: string;
      /** Whether changes of the folder are written as they are made (default: `true`) */
      isAutoSyncEnabled?: boolean;
      syncOptions: {
        /** What the first sync does with what is at the destination before it (default: `'overwrite-destination'`) */
        initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
        /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
        keySchema?: string;
        /** Nothing is removed at the destination (default: `false`) */
        disableSecretDeletion?: boolean;
        keyId?: string;
        tags?: { key: string; value: string }[];
        /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
        syncSecretMetadataAsTags?: boolean;
      };
      destinationConfig: { region: string; path: string };
    },
    {
      /** A secret sync to AWS Parameter Store */
      secretSync: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes */ version: number;
        /** UUID */ projectId: string;
        /** null: the folder was deleted */ folderId: string | null;
        /** UUID */ connectionId: string;
        /** Whether changes of the folder are written as they are made */
        isAutoSyncEnabled: boolean;
        /** null: there was no sync */
        syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastSyncJobId: string | null;
        /** Why the last sync failed */ lastSyncMessage: string | null;
        lastSyncedAt: string | null;
        /** null: there was no import */
        importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastImportJobId: string | null;
        /** Why the last import failed */ lastImportMessage: string | null;
        lastImportedAt: string | null;
        /** null: there was no removal */
        removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastRemoveJobId: string | null;
        /** Why the last removal failed */ lastRemoveMessage: string | null;
        lastRemovedAt: string | null;
        environment: {
          /** UUID */ id: string;
          name: string;
          slug: string;
        };
        folder: {
          /** UUID */ id: string;
          path: string;
        } | null;
        connection: AvailableAppConnection;
        createdAt: string;
        updatedAt: string;
        destination: 'aws-parameter-store';
        destinationConfig: { region: string; path: string };
        syncOptions: {
          /** What the first sync does with what is at the destination before it */
          initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
          /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
          keySchema?: string;
          /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
          keyId?: string;
          tags?: { key: string; value: string }[];
          /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
          syncSecretMetadataAsTags?: boolean;
        };
      };
    }
  >;
  /**
   * Update a secret sync to AWS Parameter Store; omitted fields stay unchanged.
   * `PATCH /api/v1/secret-syncs/aws-parameter-store/{syncId}`. Needs `edit` on `secret-syncs`.
   */
  update: Mutation<
    {
      /** UUID */ syncId: string;
      /** Unique among the secret syncs of the project */ name?: string;
      description?: string | null;
      /** UUID */ connectionId?: string;
      /** The slug of an environment */ environment?: string;
      /** The path of a folder, for example /app/config */ secretPath?: string;
      /** Whether changes of the folder are written as they are made */
      isAutoSyncEnabled?: boolean;
      /** Omitted options stay unchanged, null removes one */
      syncOptions?: {
        initialSyncBehavior?: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination' | null;
        keySchema?: string | null;
        disableSecretDeletion?: boolean | null;
        keyId?: string | null;
        tags?: { key: string; value: string }[] | null;
        syncSecretMetadataAsTags?: boolean | null;
      };
      /** Replaces the present one */
      destinationConfig?: { region: string; path: string };
    },
    {
      /** A secret sync to AWS Parameter Store */
      secretSync: {
        /** UUID */ id: string;
        name: string;
        description: string | null;
        /** Counts the changes */ version: number;
        /** UUID */ projectId: string;
        /** null: the folder was deleted */ folderId: string | null;
        /** UUID */ connectionId: string;
        /** Whether changes of the folder are written as they are made */
        isAutoSyncEnabled: boolean;
        /** null: there was no sync */
        syncStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastSyncJobId: string | null;
        /** Why the last sync failed */ lastSyncMessage: string | null;
        lastSyncedAt: string | null;
        /** null: there was no import */
        importStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastImportJobId: string | null;
        /** Why the last import failed */ lastImportMessage: string | null;
        lastImportedAt: string | null;
        /** null: there was no removal */
        removeStatus: 'pending' | 'running' | 'succeeded' | 'failed' | null;
        lastRemoveJobId: string | null;
        /** Why the last removal failed */ lastRemoveMessage: string | null;
        lastRemovedAt: string | null;
        environment: {
          /** UUID */ id: string;
          name: string;
          slug: string;
        };
        folder: {
          /** UUID */ id: string;
          path: string;
        } | null;
        connection: AvailableAppConnection;
        createdAt: string;
        updatedAt: string;
        destination: 'aws-parameter-store';
        destinationConfig: { region: string; path: string };
        syncOptions: {
          /** What the first sync does with what is at the destination before it */
          initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
          /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
          keySchema?: string;
          /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
          keyId?: string;
          tags?: { key: string; value: string }[];
          /** Whether the tags of each item are the metadata of its secret, and `tags`, which take precedence */
          syncSecretMetadataAsTags?: boolean;
        };
      };
    }
  >;
}
