export * from './overview.service.ts';
export * from './overview.ts';
