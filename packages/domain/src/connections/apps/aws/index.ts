export { aws, Region, type AwsClient } from './aws.ts';
export { AwsOptions, creationOptionsOf } from './creation.ts';
export { SecretsManager } from './secrets-manager.ts';
