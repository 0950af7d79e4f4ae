export { awsSecretManager } from './aws-secret-manager.ts';
