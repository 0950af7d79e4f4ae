export * from './api-call.ts';
export * from './dry-run.ts';
export * from './errors.ts';
export * from './meta.ts';
export * from './operations.ts';
export * from './plan.ts';
export * from './procedure.ts';
export * from './raw.ts';
