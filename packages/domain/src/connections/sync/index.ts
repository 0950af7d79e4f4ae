export { sealNewHashKey } from './hash.ts';
export { mayKnowNames, type NamedPlace } from './named-places.ts';
export {
  configuredAs,
  originOfCopies,
  othersAt,
  syncsBy,
  syncsIn,
  syncsInSystem,
  type OtherSync,
  type TargetUse,
} from './others.ts';
export { followChanges, orphanedSyncs, perform, requestSync, runSync } from './queue.ts';
export { beginAnew } from './run.ts';
export { runAllAs } from './run-as.ts';
export { requireVisible, type Source } from './source.ts';
export { addSync, deactivateSync } from './stored.ts';
export { SecretSyncEntity } from './sync.entity.ts';
export * from './sync.ts';
export { removeAll } from './synchronize.ts';
export { actingFor, requireMayFreeTargets, requireReadable, type CheckAgain } from './target-rights.ts';
export { targetOf } from './target.ts';
export { syncWork } from './work.ts';
