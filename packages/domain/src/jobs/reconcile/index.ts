export type { Due, WorkAccount, WorkDescription } from './description.ts';
export { BEHIND, inFairTurn } from './fair-turn.ts';
export { firstAndLater, lanes } from './lanes.ts';
export * from './next.ts';
export * from './reconcile-job.ts';
export { WorkTable, type Claim, type Claimed } from './work-table.ts';
