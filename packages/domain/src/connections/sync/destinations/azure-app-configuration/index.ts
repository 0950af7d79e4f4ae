export { azureAppConfiguration } from './azure-app-configuration.ts';
