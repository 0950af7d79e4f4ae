export { beginReplication, isReplicated, setRunAs } from './begin.ts';
export { enqueueReplication, overdueReplications, replicate, replicationJob } from './queue.ts';
export { replicationResynced, RunAs } from './replication.ts';
export { mayRunAs, requireReadableSource, abilityOfRunAs, runAsOf, type SourcePlace } from './run-as.ts';
