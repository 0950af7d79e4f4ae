export { sealNewHashKey } from './hash.ts';
export { followChanges, orphanedSyncs, perform, requestSync, runSync } from './queue.ts';
export { beginAnew } from './run.ts';
export { requireVisible, type Source } from './source.ts';
export { SecretSyncEntity } from './sync.entity.ts';
export * from './sync.ts';
export { removeAll } from './synchronize.ts';
export { targetOf } from './target.ts';
export { syncWork } from './work.ts';
