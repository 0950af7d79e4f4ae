export { lockImports, requireNoCycle } from './cycle.ts';
export { createSecretImport } from './create.ts';
export { deleteSecretImport } from './delete.ts';
export * from './import.ts';
export { getSecretImport, listSecretImports } from './read.ts';
export { overdueReplications, replicate, replicationJob } from './replication/index.ts';
export { resyncReplication } from './resync.ts';
export { moveImportSources } from './source.ts';
export { updateSecretImport } from './update.ts';
