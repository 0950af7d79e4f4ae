export { awsSecretsManager } from './aws-secrets-manager.ts';
