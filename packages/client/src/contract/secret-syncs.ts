// Made from the router by `pnpm --filter @coffer/client generate`: change the router and run that, not this file.
import type { Mutation, NoInput, Query } from '../call.ts';
import type { AvailableAppConnection } from './shared.ts';

export type AnySecretSync = {
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
} | {
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
  destination: 'aws-secrets-manager';
  destinationConfig: { mappingBehavior: 'many-to-one'; region: string; secretName: string } | { mappingBehavior: 'one-to-one'; region: string };
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
} | {
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
  destination: 'azure-app-configuration';
  destinationConfig: {
    configurationUrl: string;
    /** The label of the key-values; default: none */ label: string;
  };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'azure-key-vault';
  destinationConfig: { vaultBaseUrl: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'camunda';
  destinationConfig: {
    /** Where connector secrets are: only clusters have them */ scope: 'cluster';
    clusterUUID: string;
  };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'databricks';
  destinationConfig: { scope: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'external-infisical';
  destinationConfig: { projectId: string; environment: string; secretPath: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'gcp-secret-manager';
  destinationConfig: {
    scope: 'global';
    projectId: string;
    /** Where new secrets are replicated; default: Google chooses */
    userReplicaLocationIds?: string[];
  } | { scope: 'region'; projectId: string; locationId: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'github';
  destinationConfig: { scope: 'repository'; owner: string; repo: string } | { scope: 'repository-environment'; owner: string; repo: string; env: string } | {
    scope: 'organization';
    org: string;
    visibility: 'all' | 'private' | 'selected';
    selectedRepositoryIds: number[];
  };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'hashicorp-vault';
  destinationConfig: { mount: string; path: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'humanitec';
  destinationConfig: { scope: 'application'; org: string; app: string } | { scope: 'environment'; org: string; app: string; env: string };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'terraform-cloud';
  destinationConfig: {
    scope: 'workspace';
    workspaceId: string;
    /** the name of the workspace, for people */ workspaceName: string;
    /** the name of the organization, for people */ org: string;
    /** What the variables are: of the environment, or of Terraform */
    category: 'env' | 'terraform';
  } | {
    scope: 'variable-set';
    variableSetId: string;
    /** the name of the variable set, for people */ variableSetName: string;
    /** the name of the organization, for people */ org: string;
    /** What the variables are: of the environment, or of Terraform */
    category: 'env' | 'terraform';
  };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
} | {
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
  destination: 'vercel';
  destinationConfig: {
    app: string;
    /** The name of the project, for people */ appName: string;
    env: string;
    /** With `preview`: only for deployments of this branch */ branch?: string;
    teamId: string;
  };
  syncOptions: {
    /** What the first sync does with what is at the destination before it */
    initialSyncBehavior: 'overwrite-destination' | 'import-prioritize-source' | 'import-prioritize-destination';
    /** The names at the destination. With overwrite-destination, all items there with such a name belong to the sync */
    keySchema?: string;
    /** Nothing is removed at the destination */ disableSecretDeletion: boolean;
  };
};

export type DeleteSecretSync = {
  destination: DestinationName;
  /** UUID */ syncId: string;
  /** Also removes at the destination what the sync has written there, and first (default: `false`) */
  removeSecrets?: boolean;
};

export type DestinationName = 'aws-parameter-store' | 'aws-secrets-manager' | 'azure-app-configuration' | 'azure-key-vault' | 'camunda' | 'databricks' | 'external-infisical' | 'gcp-secret-manager' | 'github' | 'hashicorp-vault' | 'humanitec' | 'terraform-cloud' | 'vercel';

export type ImportSecrets = {
  destination: DestinationName;
  /** UUID */ syncId: string;
  /** Which value is kept where both sides have different ones */
  importBehavior: 'prioritize-source' | 'prioritize-destination';
};

export type SecretSyncName = {
  destination: DestinationName;
  syncName: string;
  /** UUID */ projectId: string;
};

export type SecretSyncOption = {
  /** For people */ name: string;
  /** The app of its connections */ connection: string;
  destination: string;
  canImportSecrets: boolean;
};

export type SecretSyncPlan = {
  /** The items that are new at the destination */ create: string[];
  /** The items there that get another value */ change: string[];
  /** The items there that are removed */ remove: string[];
  /** The secrets that the folder gets from the destination, before anything is written */
  import: string[];
  /** The secrets of the folder that the destination cannot store */
  rejected: { name: string; reason: string }[];
};

export type SecretSyncRef = {
  destination: DestinationName;
  /** UUID */ syncId: string;
};

export interface SecretSyncsApi {
  /** List the available destinations. `GET /api/v1/secret-syncs/options`. */
  options: Query<NoInput, { secretSyncOptions: SecretSyncOption[] }>;
  /** List the secret syncs of a project. `GET /api/v1/secret-syncs`. Needs `read` on `secret-syncs`. */
  listAll: Query<
    {
      /** UUID */ projectId: string;
    },
    { secretSyncs: AnySecretSync[] }
  >;
  /** List the secret syncs of a project to a destination. `GET /api/v1/secret-syncs/{destination}`. Needs `read` on `secret-syncs`. */
  list: Query<
    {
      /** UUID */ projectId: string;
      destination: DestinationName;
    },
    { secretSyncs: AnySecretSync[] }
  >;
  /**
   * Get a secret sync with the results of its last runs.
   * `GET /api/v1/secret-syncs/{destination}/{syncId}`. Needs `read` on `secret-syncs`.
   */
  get: Query<SecretSyncRef, { secretSync: AnySecretSync }>;
  /** Get a secret sync by its name. `GET /api/v1/secret-syncs/{destination}/sync-name/{syncName}`. Needs `read` on `secret-syncs`. */
  getByName: Query<SecretSyncName, { secretSync: AnySecretSync }>;
  /** Delete a secret sync. `DELETE /api/v1/secret-syncs/{destination}/{syncId}`. Needs `delete` on `secret-syncs`. */
  delete: Mutation<DeleteSecretSync, { secretSync: AnySecretSync }>;
  /**
   * Compare both sides and list what the next sync does.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/plan`. Needs `sync-secrets` on `secret-syncs`.
   */
  plan: Mutation<SecretSyncRef, { plan: SecretSyncPlan }>;
  /** Start a sync. `POST /api/v1/secret-syncs/{destination}/{syncId}/sync-secrets`. Needs `sync-secrets` on `secret-syncs`. */
  syncSecrets: Mutation<SecretSyncRef, { secretSync: AnySecretSync }>;
  /**
   * Start an import of secrets from a destination.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/import-secrets`. Needs `import-secrets` on `secret-syncs`.
   */
  importSecrets: Mutation<ImportSecrets, { secretSync: AnySecretSync }>;
  /**
   * Start the removal of what a sync has written at its destination.
   * `POST /api/v1/secret-syncs/{destination}/{syncId}/remove-secrets`. Needs `remove-secrets` on `secret-syncs`.
   */
  removeSecrets: Mutation<SecretSyncRef, { secretSync: AnySecretSync }>;
}
