export * from './account.service.ts';
export * from './account.ts';
