export { endSync } from './end.ts';
export { firstImport } from './initial.ts';
export { mayKnowNames } from './named-places.ts';
export { configuredAs, originOfCopies, syncsBy, syncsInSystem, type Connection, type OtherSync } from './others.ts';
export { messageFor, placesOf, type Placed } from './place.ts';
export { nextRun, type Result } from './next.ts';
export { planSync, type SyncPlan } from './plan.ts';
export { followChanges, orphanedSyncs, requestAllBy, requestSync, runSync } from './queue.ts';
export { requestImport, requestRemoval } from './requests.ts';
export { beginAnew, lookAt } from './run.ts';
export { runAllAs } from './run-as.ts';
export { keyEnvironmentOf, lockAsFound, lockSync, prepareChange, prepareSync, type OwnFields } from './setup.ts';
export {
  lockTargets,
  requireMayImport,
  requireMayRemove,
  requireMayRunAs,
  requireMayUseTarget,
  requireSource,
} from './shared-target.ts';
export { type Source } from './source.ts';
export * from './status.ts';
export { SecretSyncEntity } from './sync.entity.ts';
export * from './sync.ts';
export { runTasks, type Task } from './tasks.ts';
export { requireMayFreeTargets, requireReadable, type CheckAgain } from './target-rights.ts';
