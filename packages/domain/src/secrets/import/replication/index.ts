export { beginReplication, isReplicated, setRunAs } from './begin.ts';
export { overdueReplications, replicate, replicationJob, replications } from './queue.ts';
export { replicationResynced, RunAs } from './replication.ts';
export {
  abilityOfRunAs,
  isOutward,
  mayReplicate,
  readsAll,
  requireLastingSource,
  runAsOf,
  type SourcePlace,
} from './run-as.ts';
