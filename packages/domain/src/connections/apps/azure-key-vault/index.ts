export { azureKeyVault } from './azure-key-vault.ts';
export { VaultBaseUrl } from './vault.ts';
