export { hashicorpVault } from './hashicorp-vault.ts';
