export * from './api-call.ts';
export * from './errors.ts';
export * from './meta.ts';
export * from './operations.ts';
export * from './procedure.ts';
