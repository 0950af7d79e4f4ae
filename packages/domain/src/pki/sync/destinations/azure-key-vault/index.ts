export { azureKeyVault } from './azure-key-vault.ts';
