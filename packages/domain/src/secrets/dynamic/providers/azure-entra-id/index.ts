export { azureEntraId, usersOf } from './azure-entra-id.ts';
