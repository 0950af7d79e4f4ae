export * from './backoff.ts';
export * from './in-turns.ts';
export * from './job.ts';
export * from './schema.ts';
export * from './worker.ts';
export * from './reconcile/index.ts';
