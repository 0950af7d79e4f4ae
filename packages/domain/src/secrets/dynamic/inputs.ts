// Generated from registry.ts by scripts/pages.mjs.

import { Inputs as awsElasticache } from './providers/aws-elasticache/inputs.ts';
import { Inputs as awsIam } from './providers/aws-iam/inputs.ts';
import { Inputs as azureEntraId } from './providers/azure-entra-id/inputs.ts';
import { Inputs as cassandra } from './providers/cassandra/inputs.ts';
import { Inputs as elasticSearch } from './providers/elastic-search/inputs.ts';
import { Inputs as gcpIam } from './providers/gcp-iam/inputs.ts';
import { Inputs as github } from './providers/github/inputs.ts';
import { Inputs as kubernetes } from './providers/kubernetes/inputs.ts';
import { Inputs as ldap } from './providers/ldap/inputs.ts';
import { Inputs as mongoDb } from './providers/mongo-db/inputs.ts';
import { Inputs as mongoDbAtlas } from './providers/mongo-db-atlas/inputs.ts';
import { Inputs as rabbitMq } from './providers/rabbit-mq/inputs.ts';
import { Inputs as redis } from './providers/redis/inputs.ts';
import { Inputs as sqlDatabase } from './providers/sql-database/inputs.ts';
import { Inputs as totp } from './providers/totp/inputs.ts';

/** Every provider and its inputs: what a form needs, without what carries it out. */
export const providerInputs = [
  { type: 'sql-database', title: 'SQL database', inputs: sqlDatabase },
  { type: 'cassandra', title: 'Cassandra', inputs: cassandra },
  { type: 'aws-iam', title: 'AWS IAM', inputs: awsIam },
  { type: 'aws-elasticache', title: 'AWS ElastiCache', inputs: awsElasticache },
  { type: 'redis', title: 'Redis', inputs: redis },
  { type: 'mongo-db', title: 'MongoDB', inputs: mongoDb },
  { type: 'rabbit-mq', title: 'RabbitMQ', inputs: rabbitMq },
  { type: 'ldap', title: 'LDAP', inputs: ldap },
  { type: 'totp', title: 'TOTP', inputs: totp },
  { type: 'kubernetes', title: 'Kubernetes', inputs: kubernetes },
  { type: 'elastic-search', title: 'Elasticsearch', inputs: elasticSearch },
  { type: 'mongo-db-atlas', title: 'MongoDB Atlas', inputs: mongoDbAtlas },
  { type: 'github', title: 'GitHub', inputs: github },
  { type: 'azure-entra-id', title: 'Azure Entra ID', inputs: azureEntraId },
  { type: 'gcp-iam', title: 'GCP IAM', inputs: gcpIam },
] as const;
