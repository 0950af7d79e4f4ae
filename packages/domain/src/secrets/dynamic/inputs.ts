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
  { type: 'sql-database', inputs: sqlDatabase },
  { type: 'cassandra', inputs: cassandra },
  { type: 'aws-iam', inputs: awsIam },
  { type: 'aws-elasticache', inputs: awsElasticache },
  { type: 'redis', inputs: redis },
  { type: 'mongo-db', inputs: mongoDb },
  { type: 'rabbit-mq', inputs: rabbitMq },
  { type: 'ldap', inputs: ldap },
  { type: 'totp', inputs: totp },
  { type: 'kubernetes', inputs: kubernetes },
  { type: 'elastic-search', inputs: elasticSearch },
  { type: 'mongo-db-atlas', inputs: mongoDbAtlas },
  { type: 'github', inputs: github },
  { type: 'azure-entra-id', inputs: azureEntraId },
  { type: 'gcp-iam', inputs: gcpIam },
] as const;
