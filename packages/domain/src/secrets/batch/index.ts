export * from './batch.service.ts';
export * from './batch.ts';
