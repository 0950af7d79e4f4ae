import { defineFamily } from '../../family/index.ts';
import { badRequest } from '../../kernel/index.ts';
import type { AnyProvider } from './provider.ts';
import { awsElasticache } from './providers/aws-elasticache/index.ts';
import { awsIam } from './providers/aws-iam/index.ts';
import { azureEntraId } from './providers/azure-entra-id/index.ts';
import { cassandra } from './providers/cassandra/index.ts';
import { elasticSearch } from './providers/elastic-search/index.ts';
import { gcpIam } from './providers/gcp-iam/index.ts';
import { github } from './providers/github/index.ts';
import { kubernetes } from './providers/kubernetes/index.ts';
import { ldap } from './providers/ldap/index.ts';
import { mongoDb } from './providers/mongo-db/index.ts';
import { mongoDbAtlas } from './providers/mongo-db-atlas/index.ts';
import { rabbitMq } from './providers/rabbit-mq/index.ts';
import { redis } from './providers/redis/index.ts';
import { sqlDatabase } from './providers/sql-database/index.ts';
import { totp } from './providers/totp/index.ts';

/** Every provider. To add one, implement it in `providers/` and name it here. */
const members = [
  sqlDatabase,
  cassandra,
  awsIam,
  awsElasticache,
  redis,
  mongoDb,
  rabbitMq,
  ldap,
  totp,
  kubernetes,
  elasticSearch,
  mongoDbAtlas,
  github,
  azureEntraId,
  gcpIam,
] as const;

export const providers = defineFamily<'type', AnyProvider>(members, 'type', (type) =>
  badRequest('dynamic_secret.provider', `The provider ${type} is not supported in this release`),
);
