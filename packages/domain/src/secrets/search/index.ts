export * from './search.service.ts';
export * from './search.ts';
