export { addPkiSyncCertificates, removePkiSyncCertificates } from './certificates.ts';
export { createPkiSync, deletePkiSync, updatePkiSync } from './change.ts';
export * from './pki-sync.ts';
export { planPkiSync } from './plan-sync.ts';
export { getPkiSync, listPkiSyncCertificates, listPkiSyncs, pkiSyncOptions } from './read.ts';
export { removeCertificatesNow, syncCertificatesNow } from './request.ts';
export { orphanedPkiSyncs, runPkiSync } from './run.ts';
