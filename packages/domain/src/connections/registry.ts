import { defineFamily } from '../family/index.ts';
import { badRequest } from '../kernel/index.ts';
import { auth0 } from './apps/auth0/index.ts';
import { aws } from './apps/aws/index.ts';
import { azureAppConfiguration } from './apps/azure-app-configuration/index.ts';
import { azureClientSecrets } from './apps/azure-client-secrets/index.ts';
import { azureDns } from './apps/azure-dns/index.ts';
import { azureKeyVault } from './apps/azure-key-vault/index.ts';
import { camunda } from './apps/camunda/index.ts';
import { cloudflare } from './apps/cloudflare/index.ts';
import { databricks } from './apps/databricks/index.ts';
import { digicert } from './apps/digicert/index.ts';
import { gcp } from './apps/gcp/index.ts';
import { externalInfisical as externalInfisicalApp } from './apps/external-infisical/index.ts';
import { github as gitHubApp } from './apps/github/index.ts';
import { hashicorpVault as vaultApp } from './apps/hashicorp-vault/index.ts';
import { humanitec } from './apps/humanitec/index.ts';
import { ldap } from './apps/ldap/index.ts';
import { mongodb } from './apps/mongodb/index.ts';
import { mssql } from './apps/mssql/index.ts';
import { mysql } from './apps/mysql/index.ts';
import { postgres } from './apps/postgres/index.ts';
import { redis } from './apps/redis/index.ts';
import { ssh } from './apps/ssh/index.ts';
import { terraformCloud } from './apps/terraform-cloud/index.ts';
import { vercel } from './apps/vercel/index.ts';
import type { Connector } from './connection/index.ts';
import { auth0ClientSecret } from './rotation/types/auth0-client-secret/index.ts';
import { awsIamUserSecret } from './rotation/types/aws-iam-user-secret/index.ts';
import { azureClientSecret } from './rotation/types/azure-client-secret/index.ts';
import { databricksServicePrincipalSecret } from './rotation/types/databricks-service-principal-secret/index.ts';
import { ldapPassword } from './rotation/types/ldap-password/index.ts';
import { mongodbCredentials } from './rotation/types/mongodb-credentials/index.ts';
import { mssqlCredentials } from './rotation/types/mssql-credentials/index.ts';
import { mysqlCredentials } from './rotation/types/mysql-credentials/index.ts';
import { postgresCredentials } from './rotation/types/postgres-credentials/index.ts';
import { redisCredentials } from './rotation/types/redis-credentials/index.ts';
import { unixLinuxLocalAccount } from './rotation/types/unix-linux-local-account/index.ts';
import { awsParameterStore } from './sync/destinations/aws-parameter-store/index.ts';
import { awsSecretsManager } from './sync/destinations/aws-secrets-manager/index.ts';
import { azureAppConfiguration as azureKeyValues } from './sync/destinations/azure-app-configuration/index.ts';
import { azureKeyVault as azureSecrets } from './sync/destinations/azure-key-vault/index.ts';
import { camunda as camundaSecrets } from './sync/destinations/camunda/index.ts';
import { databricks as databricksSecrets } from './sync/destinations/databricks/index.ts';
import { externalInfisical } from './sync/destinations/external-infisical/index.ts';
import { gcpSecretManager } from './sync/destinations/gcp-secret-manager/index.ts';
import { github } from './sync/destinations/github/index.ts';
import { hashicorpVault } from './sync/destinations/hashicorp-vault/index.ts';
import { humanitec as humanitecValues } from './sync/destinations/humanitec/index.ts';
import { terraformCloud as terraformVariables } from './sync/destinations/terraform-cloud/index.ts';
import { vercel as vercelVariables } from './sync/destinations/vercel/index.ts';

const notConnected = (app: string, offered: string) =>
  badRequest('app_connection.not_offered', `Coffer does not connect to ${app} yet; offered are ${offered}`);
const notSynced = (destination: string, offered: string) =>
  badRequest('secret_sync.not_offered', `Nothing is synced to ${destination} yet; offered are ${offered}`);

const notRotated = (type: string, offered: string) =>
  badRequest('secret_rotation.not_offered', `Rotations of ${type} are not offered yet; offered are ${offered}`);

/** Every app that Coffer can connect to. To add one, implement it in `apps/` and name it here. */
const apps = [
  auth0,
  aws,
  azureAppConfiguration,
  azureClientSecrets,
  azureDns,
  azureKeyVault,
  camunda,
  cloudflare,
  databricks,
  digicert,
  gcp,
  externalInfisicalApp,
  gitHubApp,
  vaultApp,
  humanitec,
  mssql,
  mysql,
  postgres,
  ldap,
  mongodb,
  redis,
  ssh,
  terraformCloud,
  vercel,
] as const;
/** The published name of an app that Coffer can connect to. */
export type App = (typeof apps)[number]['app'];
/** The names of the lists of an app. */
export type ListOf<Name extends App> = keyof NonNullable<Extract<(typeof apps)[number], { app: Name }>['lists']> &
  string;
export const connectors = defineFamily<'app', Connector>(apps, 'app', notConnected);

/** Every destination. To add one, implement it in `sync/destinations/` and name it here. */
const destinations = [
  awsParameterStore,
  awsSecretsManager,
  azureKeyValues,
  azureSecrets,
  camundaSecrets,
  databricksSecrets,
  externalInfisical,
  gcpSecretManager,
  github,
  hashicorpVault,
  humanitecValues,
  terraformVariables,
  vercelVariables,
] as const;
/** The published name of a destination. */
export type Destination = (typeof destinations)[number]['destination'];
export const syncs = defineFamily(destinations, 'destination', notSynced);

/** Every rotation type. To add one, implement it in `rotation/types/` and name it here. */
const types = [
  auth0ClientSecret,
  awsIamUserSecret,
  azureClientSecret,
  databricksServicePrincipalSecret,
  ldapPassword,
  mongodbCredentials,
  mssqlCredentials,
  mysqlCredentials,
  postgresCredentials,
  redisCredentials,
  unixLinuxLocalAccount,
] as const;
/** The published name of a rotation type. */
export type RotationType = (typeof types)[number]['type'];
export const rotations = defineFamily(types, 'type', notRotated);
