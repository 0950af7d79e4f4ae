export { aws, Region, type AwsClient } from './aws.ts';
export { AwsOptions, creationOptionsOf, tagChangesOf } from './creation.ts';
export { SecretsManager } from './secrets-manager.ts';
