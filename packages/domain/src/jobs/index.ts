export * from './backoff.ts';
export { behindBy, inFairTurn } from './fair-turn.ts';
export * from './in-turns.ts';
export * from './job.ts';
export { firstAndLater, lanes } from './lanes.ts';
export * from './schema.ts';
export * from './worker.ts';
export * from './reconcile/index.ts';
