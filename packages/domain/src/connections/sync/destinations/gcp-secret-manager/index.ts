export { gcpSecretManager } from './gcp-secret-manager.ts';
