export { azureClientSecrets } from './azure-client-secrets.ts';
