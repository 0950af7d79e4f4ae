export type { Due, WorkAccount, WorkDescription } from './description.ts';
export * from './next.ts';
export * from './reconcile-job.ts';
export { WorkTable, type Claim, type Claimed } from './work-table.ts';
