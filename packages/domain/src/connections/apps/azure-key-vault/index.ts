export { azureKeyVault } from './azure-key-vault.ts';
export { vaultBaseUrl } from './vault.ts';
