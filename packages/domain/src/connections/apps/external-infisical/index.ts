export { externalInfisical } from './external-infisical.ts';
export { SecretsApi } from './secrets-api.ts';
