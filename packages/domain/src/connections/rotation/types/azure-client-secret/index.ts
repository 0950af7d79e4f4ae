export { azureClientSecret } from './azure-client-secret.ts';
