export { getSecretSync, getSecretSyncByName, listSecretSyncs, secretSyncOptions } from './read.ts';
export { importSecretsNow, planSecretSync, removeSecretsNow, syncSecretsNow } from './request.ts';
export { createSecretSync, deleteSecretSync, updateSecretSync } from './secret-sync.service.ts';
export * from './secret-sync.ts';
