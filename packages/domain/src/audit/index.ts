export { archiveSealed, mayArchive } from './archive/archive.ts';
export { ArchiveProofs } from './archive/proof.ts';
export { storeSegment } from './archive/store.ts';
export * from './audit-log.ts';
export * from './audit-log.service.ts';
export * from './event-row.ts';
export { exportLines, readPublicKey } from './export.ts';
export * from './group-commit.ts';
export { INSTANCE_LOG } from './instance-log.ts';
export * from './partitions.ts';
export * from './refusal-log.ts';
export * from './refused.ts';
export * from './retention.ts';
export * from './sealer.ts';
export { BucketExports, type ExportBucket } from './limit/export-bucket.ts';
export { DirectoryExports } from './limit/export-directory.ts';
export type { ExportStore } from './limit/export-store.ts';
export { keepWithinLimit } from './limit/release.ts';
export { AuditSpace, type AuditLimit } from './limit/space.ts';
export {
  linesOf,
  verifyExport,
  type AuditFault,
  type AuditReport,
  type Checkpoint,
  type VerifyOptions,
} from './verify.ts';
export * from './visible-events.ts';
export * from './with-event.ts';
