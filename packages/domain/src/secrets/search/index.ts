export * from './everywhere.ts';
export { searchSecrets } from './search.service.ts';
export * from './search.ts';
