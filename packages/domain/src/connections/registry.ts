import { defineFamily } from '../family/index.ts';
import { badRequest } from '../kernel/index.ts';
import { aws } from './apps/aws/index.ts';
import { azureAppConfiguration } from './apps/azure-app-configuration/index.ts';
import { azureClientSecrets } from './apps/azure-client-secrets/index.ts';
import { azureKeyVault } from './apps/azure-key-vault/index.ts';
import { gcp } from './apps/gcp/index.ts';
import { github as gitHubApp } from './apps/github/index.ts';
import { hashicorpVault as vaultApp } from './apps/hashicorp-vault/index.ts';
import { mysql } from './apps/mysql/index.ts';
import { postgres } from './apps/postgres/index.ts';
import type { Connector } from './connection/index.ts';
import { azureClientSecret } from './rotation/types/azure-client-secret/index.ts';
import { postgresCredentials } from './rotation/types/postgres-credentials/index.ts';
import { awsParameterStore } from './sync/destinations/aws-parameter-store/index.ts';
import { awsSecretsManager } from './sync/destinations/aws-secrets-manager/index.ts';
import { github } from './sync/destinations/github/index.ts';
import { hashicorpVault } from './sync/destinations/hashicorp-vault/index.ts';

const notConnected = (app: string, offered: string) =>
  badRequest('app_connection.not_offered', `Coffer does not connect to ${app} yet; offered are ${offered}`);
const notSynced = (destination: string, offered: string) =>
  badRequest('secret_sync.not_offered', `Nothing is synced to ${destination} yet; offered are ${offered}`);

const notRotated = (type: string, offered: string) =>
  badRequest('secret_rotation.not_offered', `Rotations of ${type} are not offered yet; offered are ${offered}`);

/** Every app that Coffer can connect to. To add one, implement it in `apps/` and name it here. */
const apps = [
  aws,
  azureAppConfiguration,
  azureClientSecrets,
  azureKeyVault,
  gcp,
  gitHubApp,
  vaultApp,
  mysql,
  postgres,
] as const;
/** The published name of an app that Coffer can connect to. */
export type App = (typeof apps)[number]['app'];
export const connectors = defineFamily<'app', Connector>(apps, 'app', notConnected);

/** Every destination. To add one, implement it in `sync/destinations/` and name it here. */
export const syncs = defineFamily(
  [awsParameterStore, awsSecretsManager, github, hashicorpVault],
  'destination',
  notSynced,
);

/** Every rotation type. To add one, implement it in `rotation/types/` and name it here. */
const types = [azureClientSecret, postgresCredentials] as const;
/** The published name of a rotation type. */
export type RotationType = (typeof types)[number]['type'];
export const rotations = defineFamily(types, 'type', notRotated);
