export { databricksServicePrincipalSecret } from './databricks-service-principal-secret.ts';
