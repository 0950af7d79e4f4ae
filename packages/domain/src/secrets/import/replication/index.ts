export { beginReplication, isReplicated, sponsor } from './begin.ts';
export { enqueueReplication, overdueReplications, replicate, replicationJob } from './queue.ts';
export { replicationResynced, Sponsor } from './replication.ts';
export { maySponsor, requireReadableSource, rightsOfSponsor, sponsorOf, type SourcePlace } from './sponsor.ts';
